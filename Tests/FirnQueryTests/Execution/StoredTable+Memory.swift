import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// Tables of all kinds of values, and queries on them that have to use the disk.
extension StoredTable {
    /// Returns a table of up to 900 rows, with properties `s i x t u d a` of different kinds.
    static func ofAllKinds(_ generator: inout SplitMix64) throws -> StoredTable {
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

    /// Returns the rows of a query that may use little memory.
    func rows(_ text: String, statementByteCount: Int) throws -> [[Value]] {
        var options = StoreOptions()
        options.statementByteCount = statementByteCount
        let store = try Store.open(
            "/t.firn", readOnly: true, services: disk.services(), options: options)
        return try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0)).rows(text)
    }

    /// Checks that a query has the same rows when it may use little or no memory.
    func expectSameRowsOnDisk(_ text: String, seed: UInt64) throws {
        let expected = try rows(text)
        for statementByteCount in [0, 5_000, 30_000, 100_000] {
            let found = try rows(text, statementByteCount: statementByteCount)
            #expect(found == expected, "\(text), seed \(seed)")
        }
    }

    /// Returns the error of a query that may use no memory; `nil` if it succeeds.
    func failureOnDisk(_ text: String) throws -> StoreError.Code? {
        do {
            _ = try rows(text, statementByteCount: 0)
            return nil
        } catch QueryFailure.store(let error) {
            return error.code
        }
    }
}
