import FirnValues
import Testing

@testable import FirnCodec

/// The page of a property that is newer than its row group was built value by value, for each
/// access to one value.
@Suite("Pages with the same value in all rows")
struct RepeatingPageTests {
    private static let values: [(value: Value, kind: ValueTag)] = [
        (.int(7), .int), (.bool(true), .bool), (.double(.nan), .double), (.float(-0.0), .float),
        (.date(Timestamp(seconds: 5, nanoseconds: 9)), .date), (.string("new"), .string),
        (.string(String(repeating: "long ", count: 400)), .string), (.data([1, 2]), .data),
        (.int(7), .any), (.list([.int(1), .null]), .any), (.null, .int), (.null, .string),
        (.null, .any),
    ]

    @Test("A page of one repeated value equals a page built row by row", arguments: values)
    func equalsBuilt(value: Value, kind: ValueTag) throws {
        let rowCount = 1_000
        let builder = ColumnBuilder(kind: kind)
        for _ in 0..<rowCount { try builder.append(value) }
        let built = try builder.makePage()
        let page = try ColumnPage(repeating: value, kind: kind, rowCount: rowCount)
        #expect(page.rowCount == built.rowCount && page.nullCount == built.nullCount)
        for row in [0, 1, 63, 64, rowCount - 1] {
            #expect(page.value(at: row).order(relativeTo: built.value(at: row)) == .equal)
        }
        // Both give the same bytes when they are written.
        let copies = [ColumnBuilder(kind: kind), ColumnBuilder(kind: kind)]
        copies[0].append(page, rows: 0..<UInt32(rowCount))
        copies[1].append(built, rows: 0..<UInt32(rowCount))
        let encoded = try copies.map { try $0.encode(.fast) }
        #expect(encoded[0].byteCount == encoded[1].byteCount)
        #expect(encoded[0].zone == encoded[1].zone)
    }

    @Test("A page of one value takes no memory per row")
    func memory() throws {
        let page = try ColumnPage(repeating: .string("x"), kind: .string, rowCount: 4_000_000)
        #expect(page.memoryByteCount < 1_024)
    }

    @Test("A value of another kind, and more text than fits in a page, are rejected")
    func rejected() {
        #expect(throws: CodecError.self) {
            _ = try ColumnPage(repeating: .int(1), kind: .string, rowCount: 3)
        }
        #expect(throws: CodecError.self) {
            _ = try ColumnPage(repeating: .string("1"), kind: .int, rowCount: 3)
        }
        let text = String(repeating: "x", count: 1_000_000)
        #expect(throws: CodecError.self) {
            _ = try ColumnPage(repeating: .string(text), kind: .string, rowCount: 100_000)
        }
    }

    @Test("Ranges of a page are appended like single rows, even in several steps")
    func ranges() throws {
        for texts in [3, 900] {
            let builder = ColumnBuilder(kind: .string)
            for row in 0..<900 {
                try builder.append(row % 7 == 0 ? .null : .string("text \(row % texts)"))
            }
            let page = try builder.makePage()
            let whole = ColumnBuilder(kind: .string)
            let parts = ColumnBuilder(kind: .string)
            var source = PageRows(page)
            for range: Range<UInt32> in [0..<5, 5..<5, 100..<350, 20..<21, 350..<900] {
                source.append(range, to: parts)
                for row in range { try whole.append(page.value(at: Int(row))) }
            }
            let found = try parts.makePage()
            let expected = try whole.makePage()
            #expect(found.rowCount == expected.rowCount)
            for row in 0..<found.rowCount {
                #expect(found.value(at: row) == expected.value(at: row))
            }
        }
    }
}
