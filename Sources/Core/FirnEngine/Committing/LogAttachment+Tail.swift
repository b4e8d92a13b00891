import FirnPlatform
import FirnValues

/// The search for the end of the log by the process that holds the writer lock.
///
/// The shared memory states the position of the tail but is not trusted: another program may have
/// written to the file or restored an older copy. A frame written at a wrong position would replace
/// an acknowledged one. The tail must therefore carry a valid proof, must not contradict what this
/// process knows, must lie where the frames of the log end, and must not be followed by another
/// frame.
extension LogAttachment {
    /// Returns the version at the tail, whether it is on disk or not.
    ///
    /// - Parameter settlesSegment: Whether the caller completes an unfinished switch of segments,
    ///   so that another segment may follow.
    /// - Returns: `nil` if the log was closed meanwhile.
    /// - Throws: ``StoreError`` with `poisoned` if the shared memory contradicts what this process
    ///   knows.
    func newestHead(settlesSegment: Bool = false) throws(StoreError) -> LogHead? {
        guard let tail = region.wholeTail else { throw contradiction }
        let verified = knownTail
        if let verified, tail != verified, !tail.mayFollow(verified) { throw contradiction }
        let root = region.root
        let head: LogHead
        if let known = versionChain.withLock({ $0.newest }), known.lsn == tail.lsn,
            known.rootVersion >= root
        {
            head = known
        } else {
            let found = try advancing.withLock { () throws(StoreError) in
                try advance(through: tail.lsn, isDurable: false)
            }
            guard let found else { return nil }
            head = found
        }
        if tail != verified {
            guard tail.isEnd(of: head.address) else { throw contradiction }
            verifiedTail.withLock { $0 = tail }
        }
        return try adoptingFrames(after: tail, head, settlesSegment: settlesSegment)
    }

    /// The tail that this process last wrote or found.
    var knownTail: SharedLogState.Tail? { verifiedTail.withLock { $0 } }

    /// The newest tail, for callers that do not hold the writer lock.
    var announcedTail: SharedLogState.Tail {
        let known = knownTail
        guard let tail = region.wholeTail else { return known ?? region.tail }
        guard let known, known.lsn > tail.lsn else { return tail }
        return known
    }

    /// Ensures that no segment follows the segment of the tail.
    func checkLastSegment() throws(StoreError) {
        let tail = try checkedTail()
        let segment = try log.segment(of: tail)
        try segment.reload()
        guard segment.header.number == tail.segment, segment.extent?.next ?? 0 == 0 else {
            throw contradiction
        }
    }

    /// Returns the tail that ``newestHead()`` found, if the shared memory still has it.
    func checkedTail() throws(StoreError) -> SharedLogState.Tail {
        guard let tail = region.wholeTail, tail == knownTail else { throw contradiction }
        return tail
    }

    /// Publishes a tail that this process wrote.
    func move(to tail: SharedLogState.Tail) {
        region.write(tail)
        verifiedTail.withLock { $0 = tail }
    }

    /// Adopts complete frames after the tail.
    ///
    /// They are frames of a writer that died before it moved the tail, or acknowledged frames if
    /// the shared memory is older than the log. A commit that wrote pages counts only with its
    /// root, which a writer that died may not have published.
    private func adoptingFrames(
        after tail: SharedLogState.Tail, _ head: LogHead, settlesSegment: Bool
    ) throws(StoreError) -> LogHead {
        let segment = try log.segment(of: tail)
        try segment.checkPresence(through: tail.end)
        guard try segment.isCurrent() else { throw contradiction }
        switch try segment.follower(after: tail.address.position) {
        case .nothing: return head
        case .segment:
            if !settlesSegment { try checkLastSegment() }
            return head
        case .frame: break
        }
        guard let next = tail.lsn.next else { return head }
        var last = tail.address.position
        var isAdoptable = true
        let progress = try LogScan.follow(
            segment, segment.header, from: last, through: LSN(.max)
        ) { sealed throws(StoreError) in
            if isAdoptable, sealed.header.kind == .root {
                isAdoptable = false
                // With its root, the commit was acknowledged.
                guard try store.readSuperblock().newest.lsn < sealed.header.lsn else {
                    throw contradiction
                }
            }
            guard isAdoptable else { return }
            last = LogPosition(
                offset: last.offset + UInt64(sealed.header.frameByteCount),
                lsn: sealed.header.lsn, chain: sealed.header.chain)
        }
        guard progress.end == .missing else { throw contradiction }
        guard last.lsn >= next else { return head }
        let end = SharedLogState.Tail(
            LogAddress(segment: tail.segment, position: last), salt: tail.salt)
        move(to: end)
        // Another segment may follow at the new end.
        if !settlesSegment, try segment.follower(after: last) == .segment {
            try checkLastSegment()
        }
        return try advancing.withLock { () throws(StoreError) in
            try advance(through: last.lsn, isDurable: false)
        } ?? head
    }

    private var contradiction: StoreError { store.contradiction }
}

extension Store {
    /// Poisons this handle and returns the error; the log has every acknowledged commit.
    var contradiction: StoreError {
        let error = StoreError(
            .corrupt, path: LogFiles.regionPath(location),
            detail: "what the processes that use the database share was overwritten, or an older "
                + "copy of it was put back",
            remedy: StoreError.reopeningEverywhere)
        poison(error)
        return error
    }
}

extension SharedLogState.Tail {
    /// Whether the log can have advanced from another tail to this one.
    fileprivate func mayFollow(_ other: SharedLogState.Tail) -> Bool {
        if lsn > other.lsn { return segment >= other.segment }
        // The start of the next segment.
        return lsn == other.lsn && chain == other.chain && segment > other.segment
            && end == UInt64(LogHeader.byteCount)
    }

    /// Whether this tail is the end of the frames that end at an address.
    fileprivate func isEnd(of address: LogAddress) -> Bool {
        guard lsn == address.lsn, chain == address.chain else { return false }
        if segment == address.segment { return end == address.position.offset }
        return segment == address.segment + 1 && end == UInt64(LogHeader.byteCount)
    }
}
