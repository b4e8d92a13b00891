import FirnValues

/// A map of the users of all extents, which finds space that is used twice or lost.
struct SpaceMap {
    private var uses: [(extent: Extent, user: String)] = []

    mutating func use(_ extent: Extent, by user: String) { uses.append((extent, user)) }

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
        if end > endUnit { problems.append("\(last) lies behind the end of the file") }
        return problems
    }

    private func gap(_ start: UInt64, _ end: UInt64) -> String {
        "bytes \(start * UInt64(Extent.unitByteCount)) to \(end * UInt64(Extent.unitByteCount) - 1) "
            + "are neither used nor free"
    }
}
