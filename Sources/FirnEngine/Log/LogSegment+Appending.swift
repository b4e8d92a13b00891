import FirnPlatform
import FirnValues

/// Writing frames.
extension LogSegment {
    /// Writes frames; nothing is on disk before ``sync()``.
    ///
    /// - Parameters:
    ///   - bytes: of whole frames, as ``Frame/write(to:chain:salt:)`` makes them.
    ///   - offset: behind the frame before.
    ///   - byteCountMaximum: the file does not grow beyond that.
    ///   - mayUseReserve: whether it may grow into its reserve on a full disk.
    /// - Returns: where the next frame goes.
    /// - Throws: ``StoreError`` with `limitExceeded` if the segment would become too long,
    ///   `diskFull`, and what writing can throw. Nothing counts as appended then: the next call
    ///   with the same offset writes over it. A failed sync of the growth poisons the handle.
    func append(
        _ bytes: [UInt8], at offset: UInt64, byteCountMaximum: UInt64,
        mayUseReserve: Bool = false
    ) throws(StoreError) -> UInt64 {
        try checkWritable()
        let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
        guard !overflow, end <= byteCountMaximum else {
            throw StoreError(
                .limitExceeded, path: path, detail: "the segment of the commit log is full")
        }
        if end > state.withLock({ $0.byteCount }) {
            try grow(to: end, mayUseReserve: mayUseReserve)
        }
        do throws(PlatformError) {
            try file.write(bytes, at: offset)
        } catch {
            throw StoreError(error, doing: "write the commit log")
        }
        return end
    }

    /// Makes room that a commit can be synced in without syncing a size.
    ///
    /// A process that died may have made the room, and have neither synced nor said it.
    private func grow(to end: UInt64, mayUseReserve: Bool) throws(StoreError) {
        try reload()
        guard end > state.withLock({ $0.byteCount }) else { return }
        do throws(PlatformError) {
            try growByStep(to: end)
        } catch {
            guard mayUseReserve, error.code == .diskFull else {
                throw StoreError(error, doing: "make the commit log longer")
            }
            try growIntoReserve(to: end)
        }
        try sync()
        try sayLength()
    }

    /// Makes the file longer by no more than needed, with blocks that it has already.
    private func growIntoReserve(to end: UInt64) throws(StoreError) {
        do throws(PlatformError) {
            try fill(to: end, stepByteCount: LogSegment.reserveStepByteCount)
        } catch {
            throw StoreError(error, doing: "make the commit log longer")
        }
    }

    /// Whether the file still has the use that this handle knows.
    ///
    /// The next use is written to the slot that does not count now, with a higher number.
    func isCurrent() throws(StoreError) -> Bool {
        let (header, slot) = state.withLock { ($0.header, $0.slot) }
        var number: UInt64 = 0
        do throws(PlatformError) {
            let count = try withUnsafeMutableBytes(of: &number) { bytes throws(PlatformError) in
                try file.read(
                    at: LogHeader.offset(ofCopy: 1 - slot) + UInt64(LogHeader.numberOffset),
                    into: bytes)
            }
            guard count == MemoryLayout<UInt64>.size else { return false }
        } catch {
            throw StoreError(error, doing: "read the commit log")
        }
        // Never the same, but for zeros beside segment 0.
        if UInt64(littleEndian: number) <= header.number { return true }
        // A damaged copy may say anything.
        let now = try reload()
        return now == header
    }

    /// The kind of content at a position, judged by its first bytes.
    enum Follower {
        case nothing
        /// Perhaps the frame that would follow there.
        case frame
        /// Another segment follows, or may.
        case segment
    }

    /// Looks at what is behind a frame; most of the time that is zeros.
    func follower(after position: LogPosition) throws(StoreError) -> Follower {
        // As many words as the header of a frame has.
        var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            0, 0, 0, 0, 0, 0, 0, 0
        )
        do throws(PlatformError) {
            let count = try withUnsafeMutableBytes(of: &words) { bytes throws(PlatformError) in
                try file.read(at: position.offset, into: bytes)
            }
            // No room for the mark either.
            guard count == FrameHeader.byteCount else { return .segment }
        } catch {
            throw StoreError(error, doing: "read the commit log")
        }
        // No frame and no mark begins with zeros.
        if words.0 == 0, words.1 == 0 { return .nothing }
        let salt = header.salt
        return withUnsafeBytes(of: words) { bytes in
            if bytes.elementsEqual(SegmentExtent.endMark(salt: salt)) { return .segment }
            guard let header = FrameHeader(bytes), header.lsn == position.lsn.next,
                header.previous == position.chain
            else { return .nothing }
            return .frame
        }
    }

    // MARK: Recovery

    /// Writes bytes again as they are, so that the next sync puts them on disk.
    ///
    /// A process that died may have had a failed sync: then the system shows frames that are not
    /// on disk and takes them for written.
    func rewrite(from start: UInt64, to end: UInt64) throws(StoreError) {
        try checkWritable()
        let chunk = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(min(end - min(start, end), LogSegment.growthByteCount)), alignment: 16)
        defer { chunk.deallocate() }
        var offset = start
        while offset < end {
            let count = Int(min(end - offset, UInt64(chunk.count)))
            let part = UnsafeMutableRawBufferPointer(rebasing: chunk[..<count])
            let readCount: Int
            do throws(PlatformError) {
                readCount = try file.read(at: offset, into: part)
                if readCount == count {
                    try file.write(UnsafeRawBufferPointer(part), at: offset)
                }
            } catch {
                throw StoreError(error, doing: "write the commit log again")
            }
            guard readCount == count else {
                throw .corrupt(path, "the commit log was cut off while it was read")
            }
            offset += UInt64(count)
        }
    }

    /// Makes sure that no frame stands at an offset, where the log ends.
    func cut(at offset: UInt64) throws(StoreError) {
        try checkWritable()
        do throws(PlatformError) {
            let size = try file.status().size
            guard offset < size else { return }
            let count = min(UInt64(FrameHeader.byteCount), size - offset)
            try file.write([UInt8](repeating: 0, count: Int(count)), at: offset)
        } catch {
            throw StoreError(error, doing: "cut the commit log")
        }
    }
}
