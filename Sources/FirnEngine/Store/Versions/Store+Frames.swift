import FirnValues

extension Store {
    /// The commits after one version up to and with another, without a gap.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if some of them are not kept any more.
    func frames(after start: LSN, through last: LSN) throws(StoreError) -> [Frame] {
        guard start < last else { return [] }
        let newest = try snapshot()
        let frames = try keptFrames(
            after: start, through: last, in: history(of: newest.root.superblock))
        guard !frames.isEmpty else {
            throw StoreError(
                .versionGone, path: path,
                detail: "the commits after version \(start.rawValue) are not kept")
        }
        return frames
    }
}
