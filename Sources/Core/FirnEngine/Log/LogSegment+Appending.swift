import FirnPlatform
import FirnValues

/// Writing frames.
extension LogSegment {
    /// Writes frames, which are not on disk before ``sync()``.
    ///
    /// - Parameters:
    ///   - bytes: Complete frames in the format of ``Frame/write(to:chain:salt:)``.
    ///   - offset: The end of the previous frame.
    ///   - byteCountMaximum: The size beyond which the file does not grow.
    /// - Returns: The offset of the next frame.
    /// - Throws: ``StoreError`` with `limitExceeded` if the segment would become too long,
    ///   `diskFull`, and the errors of writing. No frame counts as appended then: the next call
    ///   with the same offset overwrites it. A failed sync of the growth poisons the handle.
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
        try attempt(file.write(bytes, at: offset), to: "write the commit log")
        return end
    }

    /// Reserves space in which a commit can be synced without syncing a file size.
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

    /// Extends the file by no more than needed, using blocks that it already has.
    private func growIntoReserve(to end: UInt64) throws(StoreError) {
        try attempt(
            fill(to: end, stepByteCount: LogSegment.reserveStepByteCount),
            to: "make the commit log longer")
    }

    /// Whether the file still has the use that this handle knows.
    ///
    /// The next use is written to the slot that is not current now, with a higher number.
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
        // The numbers are never equal, except for zeros in the other slot of segment 0.
        if UInt64(littleEndian: number) <= header.number { return true }
        // A damaged copy may contain any number.
        let now = try reload()
        return now == header
    }

    /// The kind of content at a position, judged by its first bytes.
    enum Follower {
        case nothing
        /// Possibly the frame that would follow there.
        case frame
        /// Another segment follows, or may follow.
        case segment
    }

    /// Examines the bytes after a frame, which are usually zeros.
    func follower(after position: LogPosition) throws(StoreError) -> Follower {
        // As many words as a frame header has.
        var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            0, 0, 0, 0, 0, 0, 0, 0
        )
        do throws(PlatformError) {
            let count = try withUnsafeMutableBytes(of: &words) { bytes throws(PlatformError) in
                try file.read(at: position.offset, into: bytes)
            }
            // There is no room for the end mark either.
            guard count == FrameHeader.byteCount else { return .segment }
        } catch {
            throw StoreError(error, doing: "read the commit log")
        }
        // Neither a frame nor an end mark begins with zeros.
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

    /// Rewrites bytes unchanged, so that the next sync writes them to disk.
    ///
    /// A process that died may have had a failed sync. The system then shows frames that are not on
    /// disk and treats them as written.
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

    /// Ensures that no frame begins at the offset at which the log ends.
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
