import FirnPlatform
import FirnValues

/// Scanning and repairing a log that no process has open.
extension LogFiles {
    /// The commits that a log holds after a root.
    struct Extent: Hashable, Sendable {
        /// The position after the commit of the root.
        let start: LogAddress
        /// The position after the last commit that counts.
        let end: LogAddress
        /// The newest commit that was certainly on disk when the last one was written.
        let provenDurable: LSN
    }

    /// Finds the end of the log.
    ///
    /// - Parameter body: Receives each commit after the root, valid during the call; the last one
    ///   may be a commit that does not count.
    /// - Throws: ``StoreError`` with `corrupt` if a commit that was on disk is no longer readable,
    ///   and `logMissing` if the log belongs to another file or another time.
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
        var address = LogAddress(segment: first.header.number, position: first.header.start)
        var proven = first.header.base
        if address.lsn == root.lsn { start = address }
        for segment in segments where segment.header.number >= first.header.number {
            if segment.header.number != address.segment {
                // The segment begins where the previous one ended, which was synced at that time.
                guard segment.header.number == address.segment + 1,
                    segment.header.base == address.lsn, segment.header.chain == address.chain
                else {
                    throw .corrupt(
                        segment.path, "it does not go on where the other segment of the log ends")
                }
                address = LogAddress(segment: segment.header.number, position: segment.header.start)
            }
            let next = segments.first { $0.header.number == segment.header.number + 1 }
            let found = try end(
                of: segment, root, proven: next?.header.base ?? root.lsn, &start, body)
            address.position = found.end
            proven = max(proven, found.durable)
        }
        guard let start, start.chain == root.chain else { throw notReaching(root) }
        return Extent(start: start, end: address, provenDurable: proven)
    }

    /// Checks that the log has all segments and bytes that it recorded.
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

    /// Returns the end of one segment; a commit whose pages no root contains does not count.
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
        // The root of that commit would have been on disk before the next commit.
        guard result.end.lsn == unfinished.lsn else {
            throw .corrupt(location, "the pages of commit \(unfinished.lsn.rawValue) are missing")
        }
        return (unfinished.before, min(result.durable, unfinished.before.lsn))
    }

    /// Rewrites commits that the system shows but that may not be on disk.
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

    /// Ends the log after a commit; the later commits were never acknowledged.
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

    /// Makes the visible content durable, as far as that is possible without writing.
    func syncAll() throws(StoreError) {
        for segment in try segments() { try segment.sync() }
    }
}
