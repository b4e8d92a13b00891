import FirnPlatform
import FirnValues

/// Changing from one segment to the other, under the writer lock and the checkpoint right.
extension LogAttachment {
    /// Goes on in the other segment, if a durable root has all that it held.
    ///
    /// A segment is always on disk as a whole before the next one begins, and gets nothing more once
    /// the next one has begun: a log whose segments overlap could not be told from a damaged one.
    ///
    /// - Parameter mayUseReserve: whether a new segment may take the place of what is kept behind the
    ///   current one.
    func changeSegmentIfFree(
        _ head: LogHead, mayUseReserve: Bool = false
    ) throws(StoreError) {
        let tail = try checkedTail()
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

    /// Begins the next segment behind a tail that is on disk.
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
            // On a full disk commits go on in the old segment, if nothing of the new one is there.
            if !mayBeThere(tail.segment + 1) { region.noteChangingSegment(false) }
            throw error
        }
        region.noteChangingSegment(false)
    }

    private func sayNext(
        _ number: UInt64, in tail: SharedLogState.Tail
    ) throws(StoreError) {
        let current = try log.segment(of: tail)
        do throws(StoreError) {
            try current.sayNext(number, end: tail.end)
        } catch {
            if current.isPoisoned { failSync(error) }
            throw error
        }
    }

    private func mayBeThere(_ number: UInt64) -> Bool {
        do throws(StoreError) {
            return try log.segment(number) != nil
        } catch {
            return true
        }
    }

    /// Finishes what a writer began that died between two segments; before anything is appended.
    func settleChangedSegment() throws(StoreError) {
        guard region.isChangingSegment else { return }
        guard let tail = region.wholeTail else { throw contradiction }
        // The tail is the last thing that changes.
        if let current = try log.segment(tail.segment), tail.end > current.header.start.offset {
            // The file that is used again must have nothing that no root has.
            guard try store.readSuperblock().newest.lsn >= current.header.base else {
                throw contradiction
            }
            do throws(StoreError) {
                try beginSegment(after: tail)
            } catch {
                guard !region.isChangingSegment else { throw error }
            }
        }
        region.noteChangingSegment(false)
    }
}
