import FirnTesting
import Testing

@testable import FirnEngine

@Suite("Sets of extents")
struct ExtentSetTests {
    /// Compared with a set of single units.
    @Test("An extent set has the units that were inserted", arguments: TestScale.seeds(20))
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var set = ExtentSet()
        var units: Set<UInt64> = []
        for step in 0..<1500 {
            let start = UInt64.random(in: 1..<3000, using: &generator)
            let length = UInt64.random(in: 1..<4, using: &generator)
            let range = start..<(start + length)
            let extent = Extent(start: start, length: length)
            let context: Comment = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let isThere = range.allSatisfy { units.contains($0) }
                #expect(set.remove(extent) == isThere, context)
                if isThere { units.subtract(range) }
            default:
                guard units.isDisjoint(with: range) else { continue }
                set.insert(extent)
                units.formUnion(range)
            }
            let wanted = UInt64.random(in: 1..<6, using: &generator)
            let from = UInt64.random(in: 0..<3000, using: &generator)
            let expected = Self.extents(units).first { $0.length >= wanted && $0.start >= from }
            #expect(set.first(ofLength: wanted, from: from) == expected, context)
        }
        #expect(set.extents == Self.extents(units), "seed \(seed)")
        #expect(set.count == set.extents.count && set.unitCount == UInt64(units.count))
    }

    private static func extents(_ units: Set<UInt64>) -> [Extent] {
        var extents: [Extent] = []
        for unit in units.sorted() {
            if let last = extents.last, last.end == unit {
                extents[extents.count - 1] = last.extended(by: 1)
            } else {
                extents.append(Extent(start: unit, length: 1))
            }
        }
        return extents
    }
}

@Suite("Retained roots")
struct RetainedRootsTests {
    @Test(
        "Retained roots need the same space together as one by one", arguments: 0..<UInt64(200)
    )
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let roots = Set((0..<6).map { _ in UInt64.random(in: 0..<20, using: &generator) })
        let retained = RetainedRoots(roots.map { RootVersion($0) })
        for born in UInt64(0)..<22 {
            #expect(retained.contains(RootVersion(born)) == roots.contains(born))
            for freed in born..<22 {
                let isNeeded = roots.contains { $0 >= born && $0 < freed }
                #expect(
                    retained.need(born: RootVersion(born), freed: RootVersion(freed)) == isNeeded)
                #expect(
                    retained.meets(born: RootVersion(born), freed: RootVersion(freed)) == isNeeded)
            }
        }
    }
}
