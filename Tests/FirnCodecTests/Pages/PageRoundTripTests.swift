import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Round trips of pages")
struct PageRoundTripTests {
    static let rowCounts = [0, 1, 2, 63, 64, 65, 400]

    @Test("Every kind and shape round-trips, with and without serialization", arguments: rowCounts)
    func everyShape(rows: Int) throws {
        for column in SampleColumn.all(rows: rows, seed: UInt64(rows) &* 1_000) {
            let builder = try column.builder()
            let direct = try builder.makePage()
            try check(direct, column)
            for level in [CompressionLevel.none, .fast, .high] {
                let encoded = try builder.encode(level)
                let page = try SealedPage(encoded).decode()
                #expect(page.encoding == direct.encoding, "\(column)")
                #expect(encoded.rowCount == rows)
                try check(page, column)
            }
        }
    }

    @Test("Pages of several blocks round-trip", arguments: SampleColumn.kinds)
    func large(kind: ValueTag) throws {
        for shape in [SampleColumn.Shape.random, .ascending, .extremes] {
            let column = SampleColumn(kind, shape, .some, rows: 20_000, seed: 5)
            let page = try SealedPage(try column.builder().encode(.fast)).decode()
            for row in stride(from: 0, to: 20_000, by: 7) {
                #expect(page.value(at: row) == column.values[row], "row \(row), \(column)")
            }
        }
    }

    @Test("A builder that was reset makes the same page again")
    func reuse() throws {
        for column in SampleColumn.all(rows: 70, seed: 99) {
            let builder = try column.builder()
            let first = SealedPage(try builder.encode(.fast))
            builder.removeAll()
            #expect(builder.count == 0)
            #expect(builder.byteCount == 0)
            for value in column.values { try builder.append(value) }
            #expect(SealedPage(try builder.encode(.fast)).bytes == first.bytes, "\(column)")
        }
    }

    private func check(_ page: ColumnPage, _ column: SampleColumn) throws {
        let values = column.values
        #expect(page.rowCount == values.count)
        #expect(page.nullCount == values.count { $0.isNull })
        let single = values.indices.map { page.value(at: $0) }
        #expect(single == values, "\(column)")
        #expect(values.indices.allSatisfy { page.isNull($0) == values[$0].isNull })

        var vector = ColumnVector(kind: column.kind)
        let middle = values.count / 3
        page.decode(0..<middle, into: &vector)
        page.decode(middle..<values.count, into: &vector)
        #expect((0..<vector.count).map { vector.value(at: $0) } == values, "\(column)")
        #expect(nullsAreZero(vector), "\(column)")

        var random = SplitMix64(seed: column.seed)
        let rows =
            values.indices.map { UInt32($0) }.shuffled(using: &random)
            + values.indices.prefix(3).map { UInt32($0) }
        rows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        let gathered = (values.count..<vector.count).map { vector.value(at: $0) }
        #expect(gathered == rows.map { values[Int($0)] }, "\(column)")

        let merged = ColumnBuilder(kind: column.kind)
        rows.withUnsafeBufferPointer { merged.append(page, rows: $0) }
        #expect(merged.count == rows.count)
        let again = try merged.makePage()
        #expect(rows.indices.map { again.value(at: $0) } == gathered, "\(column)")
    }

    /// Code that reads storage without checking for nulls finds zeros.
    private func nullsAreZero(_ vector: ColumnVector) -> Bool {
        (0..<vector.count).allSatisfy { row in
            guard vector.isNull(row) else { return true }
            switch vector.kind {
            case .double, .float: return vector.doubles[row].bitPattern == 0
            case .string, .data, .uuid, .objectID, .decimal128, .any:
                return vector.offsets[row] == vector.offsets[row + 1]
            case .date: return vector.ints[row] == 0 && vector.nanoseconds[row] == 0
            default: return vector.ints[row] == 0
            }
        }
    }
}
