import FirnValues

/// A map of the users of all extents, which finds space that is used twice or lost.
struct SpaceMap {
    private var uses: [(extent: Extent, user: String)] = []
    /// The extents of older versions, which share whole extents with each other and with the newest.
    private var kept: Set<Extent> = []

    mutating func use(_ extent: Extent, by user: String) { uses.append((extent, user)) }

    mutating func keep(_ extents: Set<Extent>) { kept.formUnion(extents) }

    /// Returns at most a hundred overlaps between the extents of older versions and other versions.
    ///
    /// - Parameter free: the extents that the newest version does not use.
    func problemsOfKept(amongFree free: Set<Extent>) -> [String] {
        let used = Set(uses.lazy.map(\.extent)).subtracting(free)
        var problems: [String] = []
        var last: Extent?
        for extent in kept.union(used).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last, extent.start < last.end {
                problems.append(
                    "byte \(extent.byteOffset) is used by versions that do not share the whole extent"
                )
                if problems.count == 100 { return problems }
            }
            if extent.end > last?.end ?? 0 { last = extent }
        }
        return problems
    }

    /// Returns at most a hundred overlaps and gaps between the superblock and the end.
    func problems(endUnit: UInt64) -> [String] {
        var problems: [String] = []
        var end = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        var last = "superblock"
        for use in uses.sorted(by: { $0.extent.start < $1.extent.start }) {
            if use.extent.start < end {
                problems.append(
                    "byte \(use.extent.byteOffset) is used twice: \(last) and \(use.user)")
            } else if use.extent.start > end {
                problems.append(gap(end, use.extent.start))
            }
            if use.extent.end >= end {
                end = use.extent.end
                last = use.user
            }
            if problems.count > 100 { return problems }
        }
        if end < endUnit { problems.append(gap(end, endUnit)) }
        if end > endUnit { problems.append("\(last) lies past the end of the file") }
        return problems
    }

    private func gap(_ start: UInt64, _ end: UInt64) -> String {
        "bytes \(start * UInt64(Extent.unitByteCount)) to \(end * UInt64(Extent.unitByteCount) - 1) "
            + "are neither used nor free"
    }
}
