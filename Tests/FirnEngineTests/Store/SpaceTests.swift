import FirnTesting
import Testing

@testable import FirnEngine

@Suite("Space in the file")
struct SpaceTests {
    @Test("is never handed out twice, and never while an older root needs it")
    func randomHistory() throws {
        for seed in 0..<UInt64(TestScale.scaled(20)) {
            var generator = SplitMix64(seed: seed)
            var freeSpace = FreeSpace()
            var endUnit: UInt64 = 32
            var live: Set<Extent> = []
            // What each of the last roots used: those must not be touched.
            var roots: [Set<Extent>] = [[], []]
            for version in 1...60 {
                let building = RootVersion(UInt64(version))
                let horizon = RootVersion(UInt64(max(0, version - 2)))
                var space = SpaceAllocator(
                    freeSpace: freeSpace, endUnit: endUnit, building: building, horizon: horizon)
                for extent in live where generator.happens(oneIn: 4) {
                    live.remove(extent)
                    space.free(extent)
                }
                for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                    let bytes = Int.random(in: 0..<9000, using: &generator)
                    let allocated = space.allocate(bytes: bytes)
                    let extent = try #require(allocated)
                    #expect(extent.byteCount >= UInt64(bytes))
                    for used in live.union(roots[version - 1]).union(roots[version]) {
                        #expect(
                            extent.end <= used.start || used.end <= extent.start,
                            "seed \(seed), root \(version): \(extent) is used as \(used)")
                    }
                    if generator.happens(oneIn: 5) {
                        space.giveBack(extent)
                    } else {
                        live.insert(extent)
                    }
                }
                freeSpace = space.freeSpace()
                endUnit = space.endUnit
                roots.append(live)
                var map = SpaceMap()
                for extent in live { map.use(extent, by: "live") }
                for range in freeSpace.ranges { map.use(range.extent, by: "free") }
                #expect(map.problems(endUnit: endUnit).isEmpty, "seed \(seed), root \(version)")
            }
        }
    }
}
