import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Groups that do not fit into memory")
struct SpilledGroupTests {
    private static let keys = ["s", "i", "x", "t", "u", "d", "a", "i % 3", "s + \"!\""]
    private static let aggregates = [
        "@count", "@count.i", "@count(i > 0)", "@sum.i", "@avg.i", "@sum.x", "@avg.x", "@min.s",
        "@max.t", "@sum.d", "@median.x", "@quantile(i, 0.9)", "@stddev.x", "@distinct.s",
        "@first.u", "@last.a", "@first.s", "@max.a",
    ]

    private static func table(_ generator: inout SplitMix64) throws -> StoredTable {
        let texts = ["", "a", "été", String(repeating: "long ", count: 40)]
        let doubles: [Double] = [-0.0, 0, 1.5, .nan, -.infinity, 1e300]
        var rows: [[Value]] = []
        for _ in 0..<Int.random(in: 0...900, using: &generator) {
            let number = Int64.random(in: -20...20, using: &generator)
            let text = (texts.randomElement(using: &generator) ?? "") + String(number)
            let double =
                generator.happens(oneIn: 2)
                ? doubles.randomElement(using: &generator) ?? 0
                : Double.random(in: -1e9...1e9, using: &generator)
            let values: [Value] = [
                .string(text), .int(number), .double(double),
                .date(Timestamp(seconds: number, nanoseconds: number % 2)),
                .uuid(UUID(high: 1, low: UInt64(bitPattern: number))),
                .decimal128(Decimal128(number)),
                number > 0 ? .int(number) : .string(text),
            ]
            rows.append(values.map { generator.happens(oneIn: 9) ? .null : $0 })
        }
        // At least eight row groups are scanned in parts.
        return try StoredTable(
            [
                "s?": .string, "i?": .int, "x?": .double, "t?": .date, "u?": .uuid,
                "d?": .decimal128, "a?": .any,
            ], rows, rowsPerGroup: generator.happens(oneIn: 2) ? 16 : 1024)
    }

    private static func group(_ generator: inout SplitMix64) -> String {
        let keys = keys.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
        let aggregates = aggregates.shuffled(using: &generator).prefix(
            Int.random(in: 1...5, using: &generator))
        let named =
            keys.enumerated().map { "k\($0) = \($1)" }.joined(separator: ", ")
            + "; " + aggregates.enumerated().map { "v\($0) = \($1)" }.joined(separator: ", ")
        return "group(\(named))"
    }

    /// Returns the rows of a query with little memory for a statement.
    private static func rows(
        _ text: String, of table: StoredTable, statementByteCount: Int
    ) throws -> [[Value]] {
        var options = StoreOptions()
        options.statementByteCount = statementByteCount
        let store = try Store.open(
            "/t.firn", readOnly: true, services: table.disk.services(), options: options)
        return try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0)).rows(text)
    }

    /// Returns the error of a query whose groups are on disk.
    private static func failure(
        _ text: String, of table: StoredTable
    ) throws -> StoreError.Code? {
        do {
            _ = try rows(text, of: table, statementByteCount: 0)
            return nil
        } catch QueryFailure.store(let error) {
            return error.code
        }
    }

    @Test("Groups are the same from disk, to the last bit", arguments: TestScale.seeds(30))
    func sameGroups(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try Self.table(&generator)
        let beginnings = ["Item", "Item i > -10", "Item | SORT(i DESC)", "Item | LIMIT(300)"]
        let ends = ["", " | SORT(k0)", " | k0 != NULL", " | group(k0; n = @count)", " | SKIP(7)"]
        for _ in 0..<8 {
            let text =
                (beginnings.randomElement(using: &generator) ?? "Item") + " | "
                + Self.group(&generator) + (ends.randomElement(using: &generator) ?? "")
            let expected = try table.rows(text)
            for statementByteCount in [0, 5_000] {
                let rows = try Self.rows(
                    text, of: table, statementByteCount: statementByteCount)
                #expect(rows == expected, "\(text), seed \(seed)")
            }
        }
    }

    @Test("Aggregates of groups on disk are those of all of their pages")
    func aggregatesOfGroups() throws {
        let table = try StoredTable(
            ints: (0..<40_000).map { ($0 * 7_919) % 20_011 }, rowsPerGroup: 1024)
        let text = "Item | group(x; n = @count) | project(@sum.n AS s)"
        #expect(try Self.rows(text, of: table, statementByteCount: 0) == [[.int(40_000)]])
        let pages = "Item | group(x; n = @count) | count"
        #expect(try Self.rows(pages, of: table, statementByteCount: 0) == [[.int(20_011)]])
    }

    @Test("A sum of integers that leaves the range is the same error from disk")
    func overflow() throws {
        let table = try StoredTable(ints: [1, .max, 1, .max])
        #expect(
            try Self.failure("Item | group(k = x > 5; s = @sum.x)", of: table) == .limitExceeded)
    }

    @Test("A full disk ends the statement with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<5_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try Self.failure("Item | group(x; n = @count)", of: table) == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
