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
    /// - Returns: where the next frame goes.
    /// - Throws: ``StoreError`` with `limitExceeded` if the segment would become too long,
    ///   `diskFull`, and what writing can throw. Nothing counts as appended then: the next call
    ///   with the same offset writes over it. A failed sync of the growth poisons the handle.
    func append(
        _ bytes: [UInt8], at offset: UInt64, byteCountMaximum: UInt64
    ) throws(StoreError) -> UInt64 {
        try checkWritable()
        let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
        guard !overflow, end <= byteCountMaximum else {
            throw StoreError(
                .limitExceeded, path: path, detail: "the segment of the commit log is full")
        }
        if end > state.withLock({ $0.byteCount }) { try grow(to: end) }
        do throws(PlatformError) {
            try file.write(bytes, at: offset)
        } catch {
            throw StoreError(error, doing: "write the commit log")
        }
        return end
    }

    /// Makes room that a commit can be synced in without syncing a size.
    private func grow(to end: UInt64) throws(StoreError) {
        let old: UInt64
        do throws(PlatformError) {
            old = try file.status().size
            try fill(to: end)
        } catch {
            throw StoreError(error, doing: "make the commit log longer")
        }
        if state.withLock({ $0.byteCount }) > old { try sync() }
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
