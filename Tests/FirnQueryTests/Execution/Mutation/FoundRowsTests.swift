import FirnTesting
import Testing

@testable import FirnQuery

@Suite("The row ids that a statement found")
struct FoundRowsTests {
    @Test(
        "Found rows are returned in their order, in batches of any size",
        arguments: TestScale.seeds(30))
    func order(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var expected: [Int64] = []
        var last: Int64 = generator.happens(oneIn: 3) ? .min + 5 : 0
        let isOrdered = generator.happens(oneIn: 2)
        // Close to each other, in blocks of few and of many, and far apart.
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let steps: [Int64] = [1, 2, 40, 70_000, 1 << 40]
            let step = steps.randomElement(using: &generator) ?? 1
            for _ in 0..<Int.random(in: 0...9_000, using: &generator) {
                last += Int64.random(in: 1...step, using: &generator)
                expected.append(last)
            }
        }
        if !isOrdered { expected += expected.prefix(100).shuffled(using: &generator) }
        var rows = FoundRows()
        var rest = expected[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...5_000, using: &generator))
            rows.append(Array(part))
            rest = rest.dropFirst(part.count)
        }
        #expect(rows.count == expected.count)
        let isAscending = zip(expected, expected.dropFirst()).allSatisfy { $0 < $1 }
        #expect(rows.isAscending == isAscending)
        var all = rows.makeIterator()
        #expect(all.next(atMost: rows.count) == expected, "seed \(seed)")
        var found: [Int64] = []
        var iterator = rows.makeIterator()
        while true {
            let countMax = Int.random(in: 1...70_000, using: &generator)
            let batch = iterator.next(atMost: countMax)
            found += batch
            guard batch.count == countMax else { break }
        }
        #expect(found == expected, "seed \(seed)")
    }
}
