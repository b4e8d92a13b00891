import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Distinct values")
struct DistinctTests {
    /// One column uses codes of pages, two use keys of rows; the second is constant.
    @Test(
        "Distinct values by code and by key give the same rows",
        arguments: [ValueTag.bool, .int, .double, .string, .date], 0..<UInt64(6))
    func codeAndKey(kind: ValueTag, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let pool = (0..<[1, 3, 20][Int(seed % 3)]).map { _ in RandomValues.any(kind, &generator) }
        let rows = (0..<200).map { _ -> [Value] in
            let isNull = generator.happens(oneIn: 9)
            return [isNull ? .null : pool.randomElement(using: &generator) ?? .null, .int(1)]
        }
        let table = try StoredTable(["x?": kind, "one": .int], rows, rowsPerGroup: 32)
        let byCode = try table.rows("Item | DISTINCT(x) | project(@id, x)")
        let byKey = try table.rows("Item | DISTINCT(x, one) | project(@id, x)")
        let scattered = try table.rows("Item | SORT(@id) | DISTINCT(x) | project(@id, x)")
        #expect(byCode == byKey)
        #expect(byCode == scattered)
        #expect(!byCode.isEmpty)
    }

    @Test("Both zeros are one value, all NaNs are one value, and nil is a value")
    func doubles() throws {
        let odd = Double(nan: 77, signaling: false)
        let values: [Value] = [
            .double(0), .double(-0.0), .double(.nan), .null, .double(-Double.nan), .double(odd),
            .null, .double(1),
        ]
        let table = try StoredTable(["x?": .double], values.map { [$0] })
        let ids = [0, 2, 3, 7].map { [Value.int($0)] }
        #expect(try table.rows("Item | DISTINCT(x) | project(@id)") == ids)
        #expect(try table.value("Item | DISTINCT(x) | count") == .int(4))
    }

    @Test("The first row in the current order is kept")
    func currentOrder() throws {
        let table = try StoredTable(ints: [3, 1, 3, 2, 1, 2])
        #expect(try table.ints("Item | DISTINCT(x)") == [3, 1, 2])
        #expect(
            try table.rows("Item | SORT(@id DESC) | DISTINCT(x) | project(@id)")
                == [[.int(5)], [.int(4)], [.int(2)]])
    }

    @Test("A set of keys distinguishes different concatenations")
    func keys() {
        var set = ByteKeySet()
        var expected: Set<[UInt8]> = []
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5_000 {
            let key = generator.bytes(Int.random(in: 0...2, using: &generator))
            let isNew = key.withUnsafeBytes { set.number(of: $0).isNew }
            #expect(isNew == expected.insert(key).inserted)
        }
        #expect(set.count == expected.count)
        let pairs: [[String]] = [["ab", "c"], ["a", "bc"], ["", "abc"]]
        let encoded = pairs.map { pair in
            var key: [UInt8] = []
            for text in pair { ByteKey.append(.string(text), kind: .string, to: &key) }
            return key
        }
        #expect(Set(encoded).count == 3)
    }
}
