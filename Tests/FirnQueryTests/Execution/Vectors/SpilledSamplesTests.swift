import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Values of quantiles that do not fit into memory")
struct SpilledSamplesTests {
    /// Returns values of several kinds of distributions.
    private static func values(_ generator: inout SplitMix64) -> [Double] {
        let count = Int.random(in: 0...3_000, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
        case 1:
            return (0..<count).map { _ in Double(Int.random(in: -3...3, using: &generator)) }
        case 2: return (0..<count).map { _ in 7.25 }
        default:
            // Numbers of all magnitudes, which differ in their highest bits.
            return (0..<count).map { _ in
                let value = Double(bitPattern: generator.next())
                return value.isNaN ? -.infinity : value
            }
        }
    }

    @Test(
        "A quantile of values on disk is the same as in a sorted array",
        arguments: TestScale.seeds(30))
    func quantiles(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let spill = AggregateSpill(
            of: try StoredTable(ints: [1]).snapshot().snapshot, for: [.median])
        let ownerCount = Int.random(in: 1...40, using: &generator)
        var samples = SpilledSamples()
        var expected = [[Double]](repeating: [], count: ownerCount)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let values = Self.values(&generator)
            let owners = values.map { _ in
                // The first owner has most values.
                generator.happens(oneIn: 2) ? 0 : Int.random(in: 0..<ownerCount, using: &generator)
            }
            for (value, owner) in zip(values, owners) { expected[owner].append(value) }
            // Parts of the rows number the owners in an order of their own.
            let isMerged = generator.happens(oneIn: 2)
            let order = (0..<ownerCount).shuffled(using: &generator)
            let numbers = owners.map { UInt32(isMerged ? order.firstIndex(of: $0) ?? 0 : $0) }
            if isMerged {
                var part = SpilledSamples()
                try part.append(values, numbers, spill)
                samples.merge(part, order.map { UInt32($0) })
            } else {
                try samples.append(values, numbers, spill)
            }
        }
        let fractions: [Double] = [0, 0.25, 0.5, 0.9, 1]
        let fraction = fractions.randomElement(using: &generator) ?? 0.5
        for countMax in [1, 10, 500, 1 << 20] {
            let found = try samples.quantiles(
                fraction, ownerCount: ownerCount, countMax: countMax
            ) { () throws(StoreError) in }
            for (owner, values) in expected.enumerated() {
                let ordered = values.sorted()
                var value = Value.null
                if !ordered.isEmpty {
                    let position = QuantilePosition(fraction, of: ordered.count)
                    value = .double(
                        position.value(ordered[position.lower], ordered[position.upper]))
                }
                #expect(found[owner] == value, "seed \(seed), owner \(owner), at most \(countMax)")
            }
        }
    }

    @Test("Medians of all rows are the same from disk", arguments: TestScale.seeds(20))
    func mediansOfAllRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        for text in [
            "project(@median.x AS m, @quantile(i, 0.3) AS q, @median.d AS d)",
            "group(k = i % 2; m = @median.x, q = @quantile(x, 0.9))", "x > @median.x | count",
        ] {
            for beginning in ["Item", "Item i > -10", "Item | SORT(s)"] {
                try table.expectSameRowsOnDisk("\(beginning) | \(text)", seed: seed)
            }
        }
    }

    /// Integers are counted while their range is small. The counts were listed in memory when it was
    /// not, however many there were.
    @Test("Counts of integers are written to disk when there are too many distinct values")
    func manyIntegers() throws {
        let numbers: [Int64?] = (0..<20_000).map { $0 % 10 } + (0..<20_000).map { $0 << 20 }
        let table = try StoredTable(ints: numbers, rowsPerGroup: 1024)
        let text = "Item | project(@median.x AS m)"
        // Half of the values are at most 9, apart from the 0 of the others.
        let expected: [[Value]] = [[.double(9)]]
        #expect(try table.rows(text) == expected)
        #expect(try table.rows(text, statementByteCount: 0) == expected)
        #expect(try table.rows(text, statementByteCount: 1 << 20) == expected)
    }

    @Test("A full disk ends the statement with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<5_000).map { $0 << 24 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try table.failureOnDisk("Item | project(@median.x AS m)") == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
