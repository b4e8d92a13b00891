import FirnPlatform
import FirnValues

/// The durable record of the length of a segment and of its successor; see ``SegmentExtent``.
extension LogSegment {
    /// The extent of the current use; `nil` if an earlier build created it.
    var extent: SegmentExtent? { state.withLock { $0.extent } }

    /// Records the length of the file before a frame depends on it.
    ///
    /// The length itself is on disk; the record is durable with the next ``sync()``.
    func sayLength() throws(StoreError) {
        let reading = try LogHeaderReading.read(from: file)
        let (header, slot) = try reading.newest(path)
        let said = reading.extent(of: header, slot: slot)
        let byteCount = state.withLock { $0.byteCount }
        guard said?.fileByteCount ?? 0 < byteCount else { return note(said, header) }
        try write(SegmentExtent(fileByteCount: byteCount, next: said?.next ?? 0), reading)
    }

    /// Records durably that another segment follows.
    ///
    /// - Parameters:
    ///   - number: The number of that segment, which is on disk and has no frame yet.
    ///   - end: The end of the last frame. A mark there immediately stops a writer with an older
    ///     tail.
    func sayNext(_ number: UInt64, end: UInt64) throws(StoreError) {
        try checkWritable()
        let reading = try LogHeaderReading.read(from: file)
        let (header, slot) = try reading.newest(path)
        var said =
            reading.extent(of: header, slot: slot)
            ?? SegmentExtent(fileByteCount: header.fileByteCount, next: 0)
        // A process that died may have written the record and not the mark.
        if said.next != number {
            said.next = number
            try write(said, reading)
        }
        do throws(PlatformError) {
            if end + UInt64(FrameHeader.byteCount) <= (try file.status().size) {
                try file.write(SegmentExtent.endMark(salt: header.salt), at: end)
            }
        } catch {
            throw StoreError(error, doing: "write the commit log")
        }
        try sync()
    }

    /// Writes a record to the page of the slot that does not hold the newest record.
    private func write(_ extent: SegmentExtent, _ reading: LogHeaderReading) throws(StoreError) {
        let (header, slot) = try reading.newest(path)
        let copies = LogHeader.copies(ofSlot: slot)
        let old = copies.map { reading.extent(of: header, copy: $0) }
        // The copy without a record, or with the older one, is overwritten.
        let target =
            old.firstIndex { $0 == nil }
            ?? old.indices.first { index in
                old.allSatisfy { $0.flatMap { other in old[index]?.isNewer(than: other) } != true }
            } ?? 0
        try attempt(
            file.write(
                extent.record(salt: header.salt),
                at: SegmentExtent.offset(ofCopy: copies[target])), to: "write the commit log")
        note(extent, header)
    }

    private func note(_ extent: SegmentExtent?, _ header: LogHeader) {
        state.withLock { state in
            if state.header == header { state.extent = extent }
        }
    }

    /// Checks that the file still has its name and all frames.
    ///
    /// Data written to a file without a name is lost when its last user closes it.
    ///
    /// - Parameter end: The end of the last frame.
    func checkPresence(through end: UInt64) throws(StoreError) {
        let status = try attempt(file.status(), to: "look whether the commit log is still there")
        guard status.linkCount == 0 || status.size < end else { return }
        let what = status.linkCount == 0 ? "removed" : "emptied or cut off"
        throw StoreError(
            .logMissing, path: path, detail: "the commit log was \(what) while it was in use",
            remedy: "end all processes that have the database open, and put the file back, or "
                + "restore a copy of the database and its log")
    }

    /// Returns the remedy for a missing file of the log.
    ///
    /// - Parameter database: The path of the database.
    static func lossRemedy(_ database: String) -> String {
        "put the file of that name back that stood beside the database, or save what the database "
            + "has without it with: firn check \(database) --salvage OUT"
    }

    /// Checks that the file has not lost bytes at its end.
    ///
    /// - Parameter database: The path of the database.
    /// - Throws: ``StoreError`` with `corrupt` if the file is shorter than its recorded length.
    func checkLength(of database: String) throws(StoreError) {
        let byteCount = try attempt(file.status().size, to: "read the commit log")
        let said = max(header.fileByteCount, extent?.fileByteCount ?? 0)
        guard byteCount >= said else {
            throw StoreError(
                .corrupt, path: path,
                detail: "the commit log is cut off: \(byteCount) of \(said) bytes",
                remedy: LogSegment.lossRemedy(database))
        }
    }
}
