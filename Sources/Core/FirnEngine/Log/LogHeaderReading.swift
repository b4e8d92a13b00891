import FirnPlatform
import FirnValues

/// The four copies of a segment header as they are in the file now.
struct LogHeaderReading {
    let copies: [LogHeader.CopyState]
    /// The bytes of the header, which are fewer than its length if the file is shorter.
    private let bytes: [UInt8]

    static func read(from file: any File) throws(StoreError) -> LogHeaderReading {
        let bytes = try attempt(
            file.bytes(at: 0, count: LogHeader.byteCount), to: "read the header of the commit log")
        let copies = bytes.withUnsafeBytes { bytes in
            (0..<LogHeader.copyCount).map { copy -> LogHeader.CopyState in
                let start = copy * LogHeader.pageByteCount
                let end = start + LogHeader.recordByteCount
                guard end <= bytes.count else { return .foreign }
                return LogHeader.state(
                    of: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), copy: copy)
            }
        }
        return LogHeaderReading(copies: copies, bytes: bytes)
    }

    /// Whether the file is long enough for all copies.
    private var isComplete: Bool { bytes.count == LogHeader.byteCount }

    /// Whether the header holds only zeros and possibly a torn record.
    private var isBlank: Bool {
        let bytes = bytes + [UInt8](repeating: 0, count: LogHeader.byteCount - bytes.count)
        let zeros = [UInt8](
            repeating: 0, count: LogHeader.pageByteCount - LogHeader.recordByteCount)
        return (0..<LogHeader.copyCount).allSatisfy { copy in
            let record = copy * LogHeader.pageByteCount
            let start = record + LogHeader.recordByteCount
            // A torn record lacks its beginning or its end.
            let isTorn = LogHeader.magic.indices.allSatisfy { index in
                bytes[record + index] & ~LogHeader.magic[index] == 0
            }
            return isTorn && bytes[start..<start + zeros.count] == zeros[...]
        }
    }

    /// The newest header that has a valid copy, and its slot.
    var newest: (header: LogHeader, slot: Int)? {
        var best: (header: LogHeader, slot: Int)?
        for (copy, state) in copies.enumerated() {
            guard case .valid(let header) = state else { continue }
            if let best, best.header.number >= header.number { continue }
            best = (header, copy & 1)
        }
        return best
    }

    /// Returns the current header.
    ///
    /// - Throws: ``StoreError`` with `formatTooNew` or `corrupt`.
    func newest(_ path: String) throws(StoreError) -> (header: LogHeader, slot: Int) {
        for case .newer(let format) in copies {
            throw StoreError(
                .formatTooNew, path: path,
                detail: "commit log of format \(format), this build reads up to format "
                    + "\(LogHeader.currentFormat)",
                remedy: "use a newer firn")
        }
        guard isComplete, let newest else {
            throw .corrupt(
                path, "no copy of the header of the commit log is whole, or the file is cut off")
        }
        return newest
    }

    /// Returns the extent of one use of the segment, from the page of a copy.
    func extent(of header: LogHeader, copy: Int) -> SegmentExtent? {
        let start = copy * LogHeader.pageByteCount + SegmentExtent.offset
        guard start + SegmentExtent.byteCount <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { bytes in
            SegmentExtent(
                UnsafeRawBufferPointer(rebasing: bytes[start..<start + SegmentExtent.byteCount]),
                salt: header.salt)
        }
    }

    /// Returns the newest extent of a use of the segment.
    func extent(of header: LogHeader, slot: Int) -> SegmentExtent? {
        LogHeader.copies(ofSlot: slot).compactMap { extent(of: header, copy: $0) }
            .max { $1.isNewer(than: $0) }
    }

    /// Whether the file can be removed without loss.
    ///
    /// It either belongs to the database with this id, or names no database and is empty or a
    /// damaged segment.
    func isLeftover(of fileID: UUID) -> Bool {
        if let newest { return newest.header.fileID == fileID }
        return isBlank || copies.contains(.damaged)
    }
}
