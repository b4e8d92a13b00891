import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Rows of runs that are put into their order")
struct RowPlacingTests {
    private static let kinds: [ValueTag] = [.int, .string, .double, .date, .bool]

    private static func values(_ number: Int64, textLength: Int) -> [Value] {
        if number % 7 == 3 { return kinds.map { _ in .null } }
        return [
            .int(number), .string(String(repeating: "t", count: textLength) + String(number)),
            .double(Double(number) / 3), .date(Timestamp(seconds: number, nanoseconds: 5)),
            .bool(number % 2 == 0),
        ]
    }

    /// Deals rows to runs at random, and cuts the runs into blocks.
    private func runs(
        _ rowCount: Int64, textLength: Int, to file: SpillFile, _ generator: inout SplitMix64
    ) throws -> [[PlacedBlock]] {
        let runCount = Int.random(in: 1...70, using: &generator)
        var numbers = [[Int64]](repeating: [], count: runCount)
        for number in 0..<rowCount {
            numbers[Int.random(in: 0..<runCount, using: &generator)].append(number)
        }
        return try numbers.map { numbers in
            var blocks: [PlacedBlock] = []
            var rest = numbers[...]
            while let first = rest.first {
                let part = rest.prefix(Int.random(in: 1...2_000, using: &generator))
                rest = rest.dropFirst(part.count)
                var vectors = (Self.kinds + [.int]).map { ColumnVector(kind: $0) }
                for number in part {
                    let values = Self.values(number, textLength: textLength) + [.int(number)]
                    for (column, value) in values.enumerated() { vectors[column].append(value) }
                }
                blocks.append(
                    try PlacedBlock(vectors, first...(part.last ?? first), in: file))
            }
            return blocks
        }
    }

    @Test(
        "Each row is at its position, in memory and on disk, even if few rows fill a page",
        arguments: TestScale.seeds(6))
    func places(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable(ints: [])
        let snapshot = try table.store.snapshot()
        // Texts of 20 KB fill a page with about a hundred rows.
        let (rowCount, textLength) = seed % 3 == 2 ? (1_700, 20_000) : (Int64(70_000), 2)
        let memoryByteCount = [0, 1 << 20, .max].randomElement(using: &generator) ?? 0
        let file = snapshot.makeSpillFile(memoryByteCount: memoryByteCount)
        let runs = try runs(rowCount, textLength: textLength, to: file, &generator)
        let pages = try RowPlacing(
            runs, Self.kinds, in: file, statementByteCount: 32 << 20
        ).pages(SnapshotReader(snapshot))
        #expect(pages.count > 1)
        let rows = PagedRows(file, pages, kinds: Self.kinds)
        var next: Int64 = 0
        for (index, page) in pages.enumerated() {
            #expect(page.first == next)
            let vectors = try Self.kinds.indices.map { try rows.vector($0, of: index) }
            for row in 0..<page.rowCount {
                let expected = Self.values(next, textLength: textLength)
                try #require(vectors.map { $0.value(at: row) } == expected, "seed \(seed)")
                next += 1
            }
        }
        #expect(next == rowCount)
    }
}
