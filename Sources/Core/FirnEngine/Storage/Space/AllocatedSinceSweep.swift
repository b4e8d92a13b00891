import FirnValues

/// A sweep that cuts extents where their allocation version changes.
///
/// It also returns the allocated space that no extent covers.
struct AllocatedSinceSweep {
    private let young: [FreeSpace.AllocatedSince]
    private var index = 0
    /// The rest of the element at the index, if a part of it was consumed.
    private var rest: FreeSpace.AllocatedSince?
    private var kept: [FreeSpace.AllocatedSince] = []

    /// - Parameter young: The space to sweep, ascending.
    init(_ young: [FreeSpace.AllocatedSince]) { self.young = young }

    /// Returns the parts of an extent, which must follow all extents of earlier calls.
    mutating func parts(of extent: Extent) -> [(extent: Extent, bornAt: RootVersion)] {
        var parts: [(extent: Extent, bornAt: RootVersion)] = []
        var start = extent.start
        while let next = next, next.extent.start < extent.end {
            if next.extent.start < start {
                // The part before the extent is kept; the part within it is examined again.
                let end = min(start, next.extent.end)
                kept.append(next.part(next.extent.start, end))
                advance(to: end, in: next)
                continue
            }
            if start < next.extent.start {
                parts.append(
                    (Extent(start: start, length: next.extent.start - start), RootVersion(0)))
            }
            let end = min(extent.end, next.extent.end)
            parts.append((next.part(next.extent.start, end).extent, next.bornAt))
            advance(to: end, in: next)
            start = end
        }
        if start < extent.end {
            parts.append((Extent(start: start, length: extent.end - start), RootVersion(0)))
        }
        return parts
    }

    /// Returns the space that no extent covered.
    mutating func finish() -> [FreeSpace.AllocatedSince] {
        while let next {
            kept.append(next)
            advance(to: next.extent.end, in: next)
        }
        return kept
    }

    private var next: FreeSpace.AllocatedSince? {
        rest ?? (index < young.count ? young[index] : nil)
    }

    private mutating func advance(to end: UInt64, in current: FreeSpace.AllocatedSince) {
        rest = end < current.extent.end ? current.part(end, current.extent.end) : nil
        if rest == nil { index += 1 }
    }
}

extension FreeSpace.AllocatedSince {
    fileprivate func part(_ start: UInt64, _ end: UInt64) -> FreeSpace.AllocatedSince {
        FreeSpace.AllocatedSince(extent: Extent(start: start, length: end - start), bornAt: bornAt)
    }
}
