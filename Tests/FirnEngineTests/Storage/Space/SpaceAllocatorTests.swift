import FirnTesting
import Testing

@testable import FirnEngine

/// The naive model: every root knows only the units that it uses.
private struct SpaceModel {
    struct Root {
        var live: Set<Extent> = []
        /// Its free space and history.
        var bookkeeping: Set<Extent> = []
        var kept: Set<Int> = []
        var dropped: Set<Int> = []
        var freeSpace = FreeSpace()
        var endUnit: UInt64 = 32
    }

    /// The roots by version; the superblock has the last two.
    var roots = [0: Root()]
    var current = 0
    var pins: Set<Int> = []
    /// Whether a power loss cannot lead back to the root before.
    var isDurable = false

    func versions(openable: Bool) -> RetainedRoots {
        let root = roots[current] ?? Root()
        var versions = pins.union([current])
        if !isDurable, current > 0 { versions.insert(current - 1) }
        if !openable {
            versions.formUnion(root.kept)
            if !isDurable { versions.formUnion(root.dropped) }
        }
        return RetainedRoots(versions.map { RootVersion(UInt64($0)) })
    }

    /// All extents that must not be overwritten.
    var needed: Set<Extent> {
        var needed: Set<Extent> = []
        for (version, root) in roots {
            let version = RootVersion(UInt64(version))
            if versions(openable: false).contains(version) { needed.formUnion(root.live) }
            if versions(openable: true).contains(version) { needed.formUnion(root.bookkeeping) }
        }
        return needed
    }
}

@Suite("Space in the file")
struct SpaceAllocatorTests {
    @Test(
        "Space is never allocated while a root needs it, and is never lost",
        arguments: TestScale.seeds(40))
    func randomHistory(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var model = SpaceModel()
        for step in 0..<120 {
            let context: Comment = "seed \(seed), step \(step)"
            let root = try #require(model.roots[model.current])
            let needed = model.needed
            var space = SpaceAllocator(
                freeSpace: root.freeSpace, endUnit: root.endUnit,
                building: RootVersion(UInt64(model.current + 1)),
                retained: model.versions(openable: false),
                bookkeeping: model.versions(openable: true))
            var next = root
            Self.change(&next, &space, needed, &generator, context)
            // A discarded root leaves the state as if it had never been built.
            if generator.happens(oneIn: 9) { continue }
            Self.decide(&next, root, current: model.current, &generator)
            next.freeSpace = space.freeSpace()
            next.endUnit = space.endUnit
            #expect(next.freeSpace.isConsistent(endUnit: next.endUnit), context)
            let decoded = try FreeSpace(
                decoding: next.freeSpace.encoded() + [0, 0], endUnit: next.endUnit)
            #expect(decoded == next.freeSpace, context)
            var map = SpaceMap()
            for extent in next.live.union(next.bookkeeping) { map.use(extent, by: "live") }
            for range in next.freeSpace.ranges { map.use(range.extent, by: "free") }
            #expect(map.problems(endUnit: next.endUnit).isEmpty, context)
            model.current += 1
            model.roots[model.current] = next
            model.isDurable = generator.happens(oneIn: 2)
            Self.disturb(&model, &generator, pinsKept: true)
        }
    }

    /// Unneeded space is free: none of it is withheld forever.
    @Test("Space is free as soon as no root needs it", arguments: TestScale.seeds(20))
    func nothingIsLost(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var model = SpaceModel()
        for _ in 0..<60 {
            let root = try #require(model.roots[model.current])
            var space = SpaceAllocator(
                freeSpace: root.freeSpace, endUnit: root.endUnit,
                building: RootVersion(UInt64(model.current + 1)),
                retained: model.versions(openable: false),
                bookkeeping: model.versions(openable: true))
            let units = model.needed.reduce(UInt64(0)) { $0 + $1.length }
            let usable = space.usableByteCount / UInt64(Extent.unitByteCount)
            #expect(usable + units == root.endUnit - 32, "seed \(seed)")
            var next = root
            Self.change(&next, &space, model.needed, &generator, "seed \(seed)")
            Self.decide(&next, root, current: model.current, &generator)
            next.freeSpace = space.freeSpace()
            next.endUnit = space.endUnit
            model.current += 1
            model.roots[model.current] = next
            model.isDurable = generator.happens(oneIn: 2)
            Self.disturb(&model, &generator, pinsKept: false)
        }
    }

    /// Frees, allocates and returns space.
    private static func change(
        _ root: inout SpaceModel.Root, _ space: inout SpaceAllocator, _ needed: Set<Extent>,
        _ generator: inout SplitMix64, _ context: Comment
    ) {
        func expectFree(_ extent: Extent, besides own: Set<Extent>) {
            for used in needed.union(own) {
                #expect(
                    extent.end <= used.start || used.end <= extent.start,
                    "\(context): \(extent) is used as \(used)")
            }
        }
        for extent in root.live.sorted(by: { $0.start < $1.start })
        where generator.happens(oneIn: 4) {
            root.live.remove(extent)
            space.free(extent)
        }
        for extent in root.bookkeeping { space.free(extent, isBookkeeping: true) }
        root.bookkeeping = []
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            let bytes = Int.random(in: 0..<9000, using: &generator)
            let limit = space.endUnit - min(space.endUnit, UInt64(generator.next() % 20))
            let lowest =
                generator.happens(oneIn: 4) ? space.allocateLowest(bytes: bytes, below: limit) : nil
            if let lowest { #expect(lowest.end <= limit, context) }
            guard let extent = lowest ?? space.allocate(bytes: bytes) else {
                Issue.record("\(context): no space")
                return
            }
            #expect(extent.byteCount >= UInt64(bytes), context)
            expectFree(extent, besides: root.live.union(root.bookkeeping))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: space.giveBack(extent)
            case 1: root.bookkeeping.insert(extent)
            default: root.live.insert(extent)
            }
        }
    }

    /// Chooses the roots that the next one keeps.
    private static func decide(
        _ next: inout SpaceModel.Root, _ root: SpaceModel.Root, current: Int,
        _ generator: inout SplitMix64
    ) {
        var kept = root.kept.filter { _ in !generator.happens(oneIn: 8) }
        if generator.happens(oneIn: 5) { kept.insert(current) }
        next.dropped = root.kept.subtracting(kept)
        next.kept = kept
    }

    /// Readers come and go, and the power fails.
    private static func disturb(
        _ model: inout SpaceModel, _ generator: inout SplitMix64, pinsKept: Bool
    ) {
        let root = model.roots[model.current]
        if generator.happens(oneIn: 6) { model.pins.insert(model.current) }
        if pinsKept, generator.happens(oneIn: 12), let kept = root?.kept.min() {
            model.pins.insert(kept)
            // A reader of a kept root reads its objects only; unless the root may become the
            // current one again, which knows its own bookkeeping.
            if model.isDurable || kept < model.current - 1 { model.roots[kept]?.bookkeeping = [] }
        }
        model.pins = model.pins.filter { _ in !generator.happens(oneIn: 10) }
        if generator.happens(oneIn: 15), !model.isDurable, model.current > 1 {
            model.roots[model.current] = nil
            model.current -= 1
            model.pins = []
            // Whether the root before that can come back is as unknown as before.
            model.isDurable = true
        }
    }

    @Test("Space that its own allocator returned can be allocated again immediately")
    func newborn() throws {
        var space = SpaceAllocator(
            freeSpace: FreeSpace(), endUnit: 32, building: RootVersion(7),
            retained: RetainedRoots([RootVersion(6)]), bookkeeping: RetainedRoots())
        let allocated = space.allocate(bytes: 2048)
        let first = try #require(allocated)
        space.free(first)
        let again = [space.allocate(bytes: 1024), space.allocate(bytes: 1024)]
        #expect(again == [Extent(start: 32, length: 2), Extent(start: 34, length: 2)])
        #expect(space.endUnit == 36)
        space.free(Extent(start: 33, length: 2))
        #expect(space.freeSpace().ranges.map(\.extent) == [Extent(start: 33, length: 2)])
        #expect(space.freeSpace().young.count == 2)
    }

    /// Each allocation once walked the list of free ranges.
    @Test(
        "A large number of holes is searched without visiting each of them", .timeLimit(.minutes(1))
    )
    func manyHoles() {
        let count = TestScale.scaled(50_000)
        let ranges = (0..<count).map {
            FreeSpace.Range(
                extent: Extent(start: 32 + UInt64($0) * 3, length: 1), freedAt: RootVersion(0))
        }
        let endUnit = 32 + UInt64(count) * 3
        var space = SpaceAllocator(
            freeSpace: FreeSpace(ranges: ranges), endUnit: endUnit, building: RootVersion(9),
            retained: RetainedRoots([RootVersion(8)]), bookkeeping: RetainedRoots())
        for _ in 0..<count { _ = space.allocate(bytes: 1024) }
        #expect(space.endUnit == endUnit + UInt64(count) * 2)
        for index in 0..<count {
            let start = endUnit + UInt64((index * 7919) % count) * 2
            space.free(Extent(start: start, length: 1))
        }
        for _ in 0..<count { _ = space.allocate(bytes: 512) }
        #expect(space.endUnit == endUnit + UInt64(count) * 2)
    }

    @Test("Space that only some roots keep is attributed to the newest of them")
    func accounting() {
        func range(_ start: UInt64, _ born: UInt64, _ freed: UInt64) -> FreeSpace.Range {
            FreeSpace.Range(
                extent: Extent(start: start, length: 1), bornAt: RootVersion(born),
                freedAt: RootVersion(freed))
        }
        let space = FreeSpace(ranges: [
            range(40, 0, 4), range(41, 0, 9), range(42, 4, 6), range(43, 6, 9), range(44, 0, 0),
        ])
        let history = RetainedRoots([RootVersion(3), RootVersion(5)])
        #expect(
            space.heldByteCounts(by: history, besides: RetainedRoots())
                == [RootVersion(3): 512, RootVersion(5): 1024])
        #expect(
            space.heldByteCounts(by: history, besides: RetainedRoots([RootVersion(8)]))
                == [RootVersion(3): 512, RootVersion(5): 512])
        #expect(space.freeByteCount(history, bookkeeping: history) == 1024)
    }
}
