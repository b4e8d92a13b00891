import FirnPlatform
import FirnValues

/// Reading and mending a log that nobody has open.
extension LogFiles {
    /// What a log holds behind a root.
    struct Extent: Hashable, Sendable {
        /// Where the root's commit ends.
        let start: LogAddress
        /// Behind the last commit that counts.
        let end: LogAddress
        /// The newest commit that certainly was on disk when the last one was written.
        let provenDurable: LSN
    }

    /// Finds the end of the log.
    ///
    /// - Parameter body: gets each commit behind the root, valid during the call; the last of them
    ///   may be one that does not count.
    /// - Throws: ``StoreError`` with `corrupt` if a commit that was on disk cannot be read any more,
    ///   `logMissing` if the log is not of this file and this time.
    func scan(
        from root: Superblock, _ body: (ValidatedFrame, LogSegment) -> Void = { _, _ in }
    ) throws(StoreError) -> Extent {
        let segments = try self.segments()
        guard let first = segments.last(where: { $0.header.base <= root.lsn }),
            let last = segments.last, last.header.number >= root.logSegment
        else {
            throw notReaching(root)
        }
        try checkComplete(segments, from: first, to: last)
        var start: LogAddress?
        var place = LogAddress(segment: first.header.number, position: first.header.start)
        var proven = first.header.base
        if place.lsn == root.lsn { start = place }
        for segment in segments where segment.header.number >= first.header.number {
            if segment.header.number != place.segment {
                // It begins where the one before ended, which was synced then.
                guard segment.header.number == place.segment + 1,
                    segment.header.base == place.lsn, segment.header.chain == place.chain
                else {
                    throw .corrupt(
                        segment.path, "it does not go on where the other segment of the log ends")
                }
                place = LogAddress(segment: segment.header.number, position: segment.header.start)
            }
            let next = segments.first { $0.header.number == segment.header.number + 1 }
            let found = try end(
                of: segment, root, proven: next?.header.base ?? root.lsn, &start, body)
            place.position = found.end
            proven = max(proven, found.durable)
        }
        guard let start, start.chain == root.chain else { throw notReaching(root) }
        return Extent(start: start, end: place, provenDurable: proven)
    }

    /// Makes sure that the log has the segments and bytes that it says it had.
    private func checkComplete(
        _ segments: [LogSegment], from first: LogSegment, to last: LogSegment
    ) throws(StoreError) {
        for segment in segments where segment.header.number >= first.header.number {
            try segment.checkLength(of: location)
        }
        guard let next = last.extent?.next, next > last.header.number else { return }
        throw StoreError(
            .logMissing, path: LogSegment.path(of: location, number: next),
            detail: "a part of the commit log is not here: segment \(next), which follows segment "
                + "\(last.header.number)",
            remedy: LogSegment.lossRemedy(location))
    }

    /// The end of one segment; a commit whose pages no root has does not count.
    private func end(
        of segment: LogSegment, _ root: Superblock, proven: LSN, _ start: inout LogAddress?,
        _ body: (ValidatedFrame, LogSegment) -> Void
    ) throws(StoreError) -> (end: LogPosition, durable: LSN) {
        var position = segment.header.start
        var unfinished: (before: LogPosition, lsn: LSN)?
        let result = try LogScan.recover(segment, proven: proven) { sealed throws(StoreError) in
            let header = sealed.header
            if header.kind == .root, header.lsn > root.lsn, unfinished == nil {
                unfinished = (position, header.lsn)
            }
            position = LogPosition(
                offset: position.offset + UInt64(header.frameByteCount), lsn: header.lsn,
                chain: header.chain)
            if header.lsn == root.lsn {
                start = LogAddress(segment: segment.header.number, position: position)
            }
            if header.lsn > root.lsn { body(sealed, segment) }
        }
        try result.checkWhole(path: segment.path)
        guard let unfinished else { return (result.end, result.durable) }
        // Its root would have been on disk before the next commit.
        guard result.end.lsn == unfinished.lsn else {
            throw .corrupt(location, "the pages of commit \(unfinished.lsn.rawValue) are missing")
        }
        return (unfinished.before, min(result.durable, unfinished.before.lsn))
    }

    /// Puts commits on disk that may not be there though the system shows them.
    func settle(_ extent: Extent, knownDurable: LSN) throws(StoreError) {
        guard max(extent.provenDurable, knownDurable) < extent.end.lsn,
            let segment = try segment(extent.end.segment)
        else { return }
        let from =
            extent.start.segment == extent.end.segment
            ? extent.start.position.offset : segment.header.start.offset
        try segment.rewrite(from: from, to: extent.end.position.offset)
        try segment.sync()
    }

    /// Ends the log behind a commit: what came after it was never acknowledged.
    func cut(after last: LSN, _ extent: Extent) throws(StoreError) -> LogAddress {
        guard let found = try frames(after: extent.start, through: last) else {
            throw .corrupt(location, "commit \(last.rawValue) is not in the commit log")
        }
        var end = found.end
        if end.segment < extent.end.segment, let next = try segment(end.segment + 1),
            next.header.base == end.lsn
        {
            end = LogAddress(segment: next.header.number, position: next.header.start)
        }
        guard let segment = try segment(end.segment) else {
            throw .corrupt(location, "a segment of the commit log is gone")
        }
        try segment.cut(at: end.position.offset)
        try segment.rewrite(from: segment.header.start.offset, to: end.position.offset)
        try segment.sync()
        return end
    }

    /// Makes what the system shows durable, as far as that can be had without writing.
    func syncAll() throws(StoreError) {
        for segment in try segments() { try segment.sync() }
    }
}
