import FirnValues

/// A pass that moves pages from the end of the file into lower holes, until the file ends where it
/// would end without holes.
///
///     |xx..xxx...xx.xxx|        tail: pages after the target go into holes, the last one first
///     |xxAAxxx...xxB---|                 where none fits, a window is cleared: its pages go to
///     |xx......xx.Bxxxx|                 the end, and the tail then fills it without holes
///
/// Pages are moved unchanged; those that a freeze keeps are not moved at all. Space that a step
/// frees is used by the next one.
struct EvacuationPass: CompactionPass {
    private var isDone = false
    /// The unit at which the next window begins.
    private var windowStart: UInt64 = 0
    private var roundCount: UInt64 = 0
    /// The number of roots that were published only to release the previous roots.
    private var idleCount = 0
    /// The number of units that the last step moved.
    private var movedUnitCount: UInt64 = 0

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        roundCount += 1
        var pass = self
        let budget = compactor.stepUnitCount
        let frozen = compactor.frozen
        let outcome = try compactor.step { step throws(StoreError) in
            try pass.evacuate(&step, budget, frozen)
        }
        self = pass
        if case .blocked = outcome { return nil }
        guard !isDone else { return nil }
        return movedUnitCount * UInt64(Extent.unitByteCount)
    }

    /// - Returns: Whether the step is worth a root.
    private mutating func evacuate(
        _ step: inout CompactionStep, _ budget: UInt64, _ frozen: FrozenPages
    ) throws(StoreError) -> Bool {
        let file = Layout(step, frozen)
        movedUnitCount = 0
        // Every round moves pages down or clears another window, so the loop ends. The bound
        // handles other writers that write as fast as this pass moves.
        if file.isWorthwhile, roundCount < 16 + 8 * (file.endUnit / budget + 1) {
            movedUnitCount = try moveTail(&step, file, budget, frozen)
            if movedUnitCount == 0 {
                movedUnitCount = try clearWindow(&step, file, budget, frozen)
            }
            if movedUnitCount > 0 { return true }
        }
        // Space that only the previous root needs is usable once the newest is known to be on disk.
        idleCount += 1
        if idleCount <= EvacuationPass.idleCountMax, file.isWaiting { return true }
        isDone = true
        return false
    }

    /// The maximum number of such roots: the first may not use the space that the previous one
    /// freed, but the second may.
    private static let idleCountMax = 2

    private func moveTail(
        _ step: inout CompactionStep, _ file: Layout, _ budget: UInt64, _ frozen: FrozenPages
    ) throws(StoreError) -> UInt64 {
        let census = try ExtentIndex(step.tables, in: file.targetUnit..<file.endUnit)
        var relocation = Relocation(.down)
        for entry in census.entries.sorted(by: { $0.extent.start > $1.extent.start }) {
            guard relocation.unitCount < budget else { break }
            if !frozen.contains(entry.extent) { try relocation.move(entry, in: &step) }
        }
        try relocation.finish(&step)
        return relocation.unitCount
    }

    /// Moves all pages out of the first window that has enough holes.
    private mutating func clearWindow(
        _ step: inout CompactionStep, _ file: Layout, _ budget: UInt64, _ frozen: FrozenPages
    ) throws(StoreError) -> UInt64 {
        while let start = file.firstHole(from: windowStart), start < file.targetUnit {
            let end = min(start + budget, file.endUnit)
            windowStart = end
            guard file.holeUnitCount(in: start..<end) >= max(2, (end - start) / 32) else {
                continue
            }
            let reserved = file.reserveHoles(before: end, &step.writer.space)
            let census = try ExtentIndex(step.tables, in: start..<end)
            var relocation = Relocation(.away)
            for entry in census.entries where !frozen.contains(entry.extent) {
                try relocation.move(entry, in: &step)
            }
            try relocation.finish(&step)
            for extent in reserved { step.writer.space.giveBack(extent) }
            if relocation.unitCount > 0 { return relocation.unitCount }
        }
        return 0
    }
}

/// The layout of the file, as far as it matters for moving pages.
private struct Layout {
    /// The holes that may be overwritten, ascending, without the space at the end.
    let holes: [Extent]
    let endUnit: UInt64
    /// The unit at which the file would end if there were only the holes before a frozen page.
    let targetUnit: UInt64
    /// Whether the holes are worth a step.
    let isWorthwhile: Bool
    /// Whether enough space for a step becomes free once the newest root is known to be on disk.
    let isWaiting: Bool

    init(_ step: CompactionStep, _ frozen: FrozenPages) {
        var space = step.writer.space
        space.dropTail()
        endUnit = space.endUnit
        holes = space.usableExtents
        let units = holes.reduce(0) { $0 + $1.length }
        targetUnit = max(endUnit - min(endUnit, units), min(endUnit, frozen.endUnit))
        // The blobs that every root rewrites leave holes in any case.
        let restless = 2 * step.bookkeepingUnitCount
        let least = max(restless, endUnit / 50)
        isWorthwhile = endUnit - targetUnit > least
        let newest = step.root.superblock.rootVersion
        isWaiting =
            least
            < space.freeSpace().ranges.reduce(0) { sum, range in
                range.freedAt == newest ? sum + range.extent.length : sum
            }
    }

    func firstHole(from unit: UInt64) -> UInt64? {
        holes.first { $0.end > unit }.map { max($0.start, unit) }
    }

    func holeUnitCount(in units: Range<UInt64>) -> UInt64 {
        holes.reduce(0) { sum, hole in
            let part = (hole.start..<hole.end).clamped(to: units)
            return sum + (part.upperBound - part.lowerBound)
        }
    }

    /// Allocates all holes before a unit, so that no page is placed there.
    func reserveHoles(before end: UInt64, _ space: inout SpaceAllocator) -> [Extent] {
        var reserved: [Extent] = []
        for hole in holes where hole.start < end {
            let length = min(hole.end, end) - hole.start
            let byteCount = Int(length) * Extent.unitByteCount
            // The holes ascend, so the lowest free extent of that length is this one.
            if let extent = space.allocateLowest(bytes: byteCount, below: end) {
                reserved.append(extent)
            }
        }
        return reserved
    }
}
