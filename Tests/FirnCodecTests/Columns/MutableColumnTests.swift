import FirnTesting
import FirnValues
import Testing

@testable import FirnCodec

@Suite("Mutable columns")
struct MutableColumnTests {
    private static let seed: UInt64 = 0x0D4A_F700

    @Test(
        "A mutable column has the values that were appended, and makes the same page as a builder"
    )
    func appended() throws {
        for sample in SampleColumn.all(rows: 130, seed: MutableColumnTests.seed) {
            let column = draft(sample)
            #expect(column.count == 130)
            for row in 0..<130 {
                #expect(column.value(at: row) == sample.values[row], "\(sample), row \(row)")
            }
            let all = Array(0..<UInt32(130))
            try expectPage(of: column, all, sample)
            try expectPage(of: column, all.filter { $0 % 3 != 1 }, sample)
            try expectPage(of: column, [], sample)
        }
    }

    @Test("A mutable column has the values that were set last")
    func set() throws {
        var random = SplitMix64(seed: MutableColumnTests.seed)
        for sample in SampleColumn.all(rows: 70, seed: MutableColumnTests.seed &+ 1) {
            let others = SampleColumn(sample.kind, .random, .some, rows: 70, seed: random.next())
            var column = draft(sample)
            var values = sample.values
            for _ in 0..<100 {
                let (row, other) = (Int(random.next() % 70), Int(random.next() % 70))
                values[row] = others.values[other]
                if random.next() % 2 == 0 {
                    column.set(values[row], at: row)
                } else {
                    column.modify(at: row) { $0 = others.values[other] }
                }
            }
            #expect((0..<70).map { column.value(at: $0) } == values, "\(sample)")
        }
    }

    @Test("Mutable columns of the same kind are concatenated")
    func joined() {
        for sample in SampleColumn.all(rows: 65, seed: MutableColumnTests.seed &+ 2) {
            let other = SampleColumn(
                sample.kind, .random, .some, rows: 40, seed: MutableColumnTests.seed &+ 3)
            var column = draft(sample)
            column.append(draft(other))
            #expect(
                (0..<column.count).map { column.value(at: $0) } == sample.values + other.values,
                "\(sample)")
        }
    }

    @Test("A column of strings does not grow when its strings change repeatedly")
    func changedTexts() {
        var random = SplitMix64(seed: MutableColumnTests.seed &+ 4)
        var column = MutableColumn(kind: .string)
        var expected = (0..<40).map { "text \($0)" }
        for text in expected { column.append(.string(text)) }
        for round in 0..<3000 {
            let row = Int(random.next() % 40)
            expected[row] = String(repeating: "é\(round)", count: Int(random.next() % 60))
            column.set(.string(expected[row]), at: row)
        }
        #expect((0..<40).map { column.value(at: $0) } == expected.map { .string($0) })
        let live = expected.reduce(0) { $0 + $1.utf8.count }
        #expect(column.texts.byteCount <= 2 * live + 8192)
    }

    @Test("A column of links keeps the linked objects")
    func links() throws {
        var column = MutableColumn(kind: .int, target: ClassID(7))
        let links = (0..<5).map {
            Value.link(ObjectReference(classID: ClassID(7), rowID: RowID(UInt64($0) << 40)))
        }
        for link in links { column.append(link) }
        column.append(.null)
        #expect((0..<6).map { column.value(at: $0) } == links + [.null])
        let page = try page(of: column, Array(0..<6))
        #expect(page.value(at: 2) == .int(2 << 40))
        #expect(page.value(at: 5) == .null)
    }

    @Test("A column stores a value of another kind, but cannot make a page from it")
    func mistakes() throws {
        for kind in [ValueTag.bool, .int, .double, .float, .string, .date] {
            var column = MutableColumn(kind: kind)
            column.append(.null)
            column.append(.data([1]))
            column.append(.null)
            #expect((0..<3).map { column.value(at: $0) } == [.null, .data([1]), .null])
            column.set(.uuid(UUID(high: 1, low: 2)), at: 0)
            #expect(column.value(at: 0) == .uuid(UUID(high: 1, low: 2)))
            #expect(throws: CodecError.self) { try page(of: column, [0, 1, 2]) }
        }
    }

    // MARK: Support

    private func draft(_ sample: SampleColumn) -> MutableColumn {
        var column = MutableColumn(kind: sample.kind)
        for value in sample.values { column.append(value) }
        return column
    }

    private func page(of column: MutableColumn, _ rows: [UInt32]) throws -> ColumnPage {
        let builder = ColumnBuilder(kind: column.kind)
        let result: Result<Void, CodecError> = rows.withUnsafeBufferPointer { rows in
            do throws(CodecError) {
                return .success(try column.append(rows, to: builder))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return try builder.makePage()
    }

    private func expectPage(
        of column: MutableColumn, _ rows: [UInt32], _ sample: SampleColumn
    ) throws {
        let page = try page(of: column, rows)
        #expect(page.rowCount == rows.count)
        for (index, row) in rows.enumerated() {
            #expect(page.value(at: index) == sample.values[Int(row)], "\(sample), row \(row)")
        }
    }
}
