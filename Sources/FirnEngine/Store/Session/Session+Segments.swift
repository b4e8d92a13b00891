import FirnPlatform
import FirnValues

/// Changing from one segment to the other, under the writer lock and the checkpoint right.
extension Session {
    /// Goes on in the other segment, if a durable root has all that it held.
    ///
    /// A segment is always on disk as a whole before the next one begins.
    func changeSegmentIfFree(_ head: Head) throws(StoreError) {
        let tail = region.tail
        let current = try log.segment(of: tail)
        guard tail.end > current.header.start.offset,
            head.snapshot.root.superblock.lsn >= current.header.base
        else { return }
        // Whoever flipped to the root may have died before it was on disk, and the other segment
        // may be all there is of what the root has.
        try store.confirmRoot(head.snapshot.root)
        // A writer that died may have left a whole frame where the segment ends now.
        try current.cut(at: tail.end)
        try sync(tail.segment)
        region.noteSynced(tail.lsn)
        region.announceSync()
        let next = try log.begin(tail.segment + 1, after: tail.lsn, chain: tail.chain)
        region.write(SessionRegion.Tail(start: next.header))
    }
}
