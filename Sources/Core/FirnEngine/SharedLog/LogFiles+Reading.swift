import FirnCodec
import FirnPlatform
import FirnValues

/// Reading frames across the boundary between segments.
extension LogFiles {
    /// Returns the position of the next frame after a commit, whether the frame exists or not.
    ///
    /// - Returns: `nil` if no segment has that commit or begins after it.
    func address(after lsn: LSN, chain: ChainHash) throws(StoreError) -> LogAddress? {
        // The newer segment is tried first, because it usually begins exactly there.
        guard let segment = try segments().last(where: { $0.header.base <= lsn }) else {
            return nil
        }
        let header = segment.header
        let progress = try LogScan.follow(segment, header, from: header.start, through: lsn) {
            (_) throws(StoreError) in
        }
        guard progress.end == .reached, progress.position.chain == chain else { return nil }
        return LogAddress(segment: header.number, position: progress.position)
    }

    /// Returns the commits after a position, up to one whose frame was announced.
    ///
    /// - Returns: `nil` if the log has moved on and no longer has all of them.
    func frames(
        after start: LogAddress, through last: LSN
    ) throws(StoreError) -> (frames: [Frame], end: LogAddress)? {
        var frames: [Frame] = []
        let end = try visit(after: start, through: last) { sealed, segment throws(StoreError) in
            frames.append(try decoded(sealed, segment))
        }
        return end.map { (frames, $0) }
    }

    /// Visits the commits after a position, up to one whose frame was announced.
    ///
    /// - Parameter body: Receives each frame, which is valid during the call.
    /// - Returns: The position after the last commit; `nil` if the log has moved on and no longer
    ///   has all of them. The frames already visited are valid nevertheless.
    func visit(
        after start: LogAddress, through last: LSN,
        _ body: (ValidatedFrame, LogSegment) throws(StoreError) -> Void
    ) throws(StoreError) -> LogAddress? {
        var address = start
        while address.lsn < last {
            guard let segment = try segment(address.segment) else { return nil }
            let progress = try LogScan.follow(
                segment, segment.header, from: address.position, through: last
            ) { sealed throws(StoreError) in try body(sealed, segment) }
            address.position = progress.position
            switch progress.end {
            case .reached: break
            case .recycled: return nil
            case .missing:
                // The next segment begins where this one ended.
                guard let next = try self.segment(after: address) else {
                    if try segment.reload().number != address.segment { return nil }
                    throw .corrupt(
                        segment.path, "commit \(address.lsn.rawValue + 1) is not in the commit log")
                }
                address = LogAddress(segment: next.header.number, position: next.header.start)
            }
        }
        return address
    }

    /// Returns the segment that begins where another one ends.
    private func segment(after address: LogAddress) throws(StoreError) -> LogSegment? {
        guard let next = try segment(address.segment + 1) else { return nil }
        func follows(_ header: LogHeader) -> Bool {
            header.number == address.segment + 1 && header.base == address.lsn
                && header.chain == address.chain
        }
        if follows(next.header) { return next }
        return try follows(next.reload()) ? next : nil
    }

    /// Returns the commits of the log after a root, up to a given commit.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if the log does not have them.
    func frames(
        since root: Superblock, through last: LSN
    ) throws(StoreError) -> [Frame] {
        guard last > root.lsn else { return [] }
        guard let start = try address(after: root.lsn, chain: root.chain),
            let found = try frames(after: start, through: last)
        else { throw notReaching(root) }
        return found.frames
    }

    func decoded(_ sealed: ValidatedFrame, _ segment: LogSegment) throws(StoreError) -> Frame {
        try decoding(sealed.frame()) { damaged(sealed, segment, $0) }
    }

    /// Passes the operations of a commit to a closure; they are valid during the call.
    func withOperations(
        of sealed: ValidatedFrame, _ segment: LogSegment,
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let bytes = try decoding(sealed.decompressed()) { damaged(sealed, segment, $0) }
        guard let bytes else { return try body(sealed.payload) }
        try bytes.withBytes(body)
    }

    private func damaged(
        _ sealed: ValidatedFrame, _ segment: LogSegment, _ error: CodecError
    ) -> StoreError {
        .corrupt(segment.path, "commit \(sealed.header.lsn.rawValue): \(error.reason)")
    }

    func notReaching(_ root: Superblock) -> StoreError {
        StoreError(
            .logMissing, path: location,
            detail: "the commit log beside it does not go on where the database ends, at commit "
                + "\(root.lsn.rawValue): one of the two was replaced by an older copy",
            remedy: "put the database and its -log0 and -log1 of the same moment back")
    }
}
