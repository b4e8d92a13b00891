import FirnPlatform
import FirnValues

/// The switch from one segment to the other, under the writer lock and the checkpoint lock.
extension LogAttachment {
    /// Switches to the other segment if a durable root contains all commits of that segment.
    ///
    /// A segment is always on disk as a whole before the next one begins, and gets nothing more once
    /// the next one has begun: a log whose segments overlap could not be told from a damaged one.
    ///
    /// - Parameter mayUseReserve: whether a new segment may take the place of what is kept after the
    ///   current one.
    func changeSegmentIfFree(
        _ head: LogHead, mayUseReserve: Bool = false
    ) throws(StoreError) {
        let tail = try checkedTail()
        let current = try log.segment(of: tail)
        guard tail.end > current.header.start.offset,
            head.snapshot.root.superblock.lsn >= current.header.base
        else { return }
        // The process that published the root may have died before the root was durable, and the
        // other segment may hold the only copy of the commits in it.
        try store.confirmRoot(head.snapshot.root)
        // A writer that died may have left a complete frame after the present end of the segment.
        try current.cut(at: tail.end)
        try sync(tail.segment)
        noteSynced(tail.lsn)
        region.announceSync()
        do throws(StoreError) {
            try beginSegment(after: tail)
        } catch {
            guard mayUseReserve, error.code == .diskFull, !region.isChangingSegment else {
                throw error
            }
            try current.dropReserve()
            try beginSegment(after: tail, keepsReserve: false)
        }
    }

    /// Begins the next segment after a tail that is on disk.
    private func beginSegment(
        after tail: SharedLogState.Tail, keepsReserve: Bool = true
    ) throws(StoreError) {
        region.noteChangingSegment(true)
        do throws(StoreError) {
            let next = try log.begin(
                tail.segment + 1, after: tail.lsn, chain: tail.chain, keepsReserve: keepsReserve)
            // Before the first commit of the next segment, so that the loss of its file is an error.
            try sayNext(next.header.number, in: tail)
            move(to: SharedLogState.Tail(start: next.header))
        } catch {
            // If the disk is full and no part of the new segment exists, commits continue in the
            // old one.
            if !mayBeThere(tail.segment + 1) { region.noteChangingSegment(false) }
            throw error
        }
        region.noteChangingSegment(false)
    }

    private func sayNext(
        _ number: UInt64, in tail: SharedLogState.Tail
    ) throws(StoreError) {
        let current = try log.segment(of: tail)
        try attempt(
            current.sayNext(number, end: tail.end),
            onFailure: { if current.isPoisoned { failSync($0) } })
    }

    private func mayBeThere(_ number: UInt64) -> Bool {
        do throws(StoreError) {
            return try log.segment(number) != nil
        } catch {
            return true
        }
    }

    /// Completes the switch of segments that a dead writer left unfinished, before any append; under
    /// the writer lock.
    func settleChangedSegment() throws(StoreError) {
        guard region.isChangingSegment else { return }
        // Another program may have put back the mark and an older tail. A segment that began there
        // would end the log before later commits.
        guard try newestHead(settlesSegment: true) != nil else { return }
        let tail = try checkedTail()
        let current = try log.segment(of: tail)
        let (root, _) = try store.pinNewestRoot()
        // The tail changes last.
        if tail.end > current.header.start.offset {
            // A switch is finished before the first frame of the next segment, and the file to be
            // reused must not hold commits that no durable root contains.
            guard root.superblock.lsn >= current.header.base, try !hasFrame(tail.segment + 1)
            else { throw store.contradiction }
            try store.confirmRoot(root)
            do throws(StoreError) {
                try beginSegment(after: tail)
            } catch {
                guard !region.isChangingSegment else { throw error }
            }
        }
        region.noteChangingSegment(false)
    }

    /// Whether a segment has a frame.
    private func hasFrame(_ number: UInt64) throws(StoreError) -> Bool {
        guard let segment = try log.segment(number) else { return false }
        return try segment.follower(after: segment.header.start) == .frame
    }
}
