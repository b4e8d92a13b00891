import FirnCodec
import FirnValues

/// The encoding of the history as a blob.
///
/// Records are preceded by their length, so that a reader skips fields that a later writer of the
/// same format appended to them.
///
///     history := count, { length, root }, count, { length, chunk }, count, { version dropped },
///                freezes
///     root    := version, lsn, u64 chain, file bytes, u8 1 if there is a catalog, [reference]
///     chunk   := first lsn, commits, raw bytes, reference, count,
///                { lsn of a commit that wrote pages - that before, or first lsn }
///
/// Numbers are varints. The freezes are a ``FreezeIndex``; format 1 stores them in the catalog.
extension History {
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(UInt64(roots.count))
        for root in roots { writer.record { root.write(to: &$0) } }
        writer.varint(UInt64(chunks.count))
        for chunk in chunks { writer.record { chunk.write(to: &$0) } }
        writer.varint(UInt64(dropped.count))
        for version in dropped { writer.varint(version.rawValue) }
        freezes.write(to: &writer)
        return writer.bytes
    }

    /// Reads the result of ``encoded()``.
    ///
    /// - Parameter superblock: The superblock of the root to which the history belongs. No entry
    ///   may be newer than it or lie outside the file.
    init(decoding bytes: [UInt8], for superblock: Superblock) throws(CodecError) {
        self = try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            var history = History()
            try history.readRoots(from: &reader, superblock)
            try history.readChunks(from: &reader, superblock)
            for _ in 0..<(try reader.recordCount(max: History.rootCountMaximum)) {
                let version = RootVersion(try reader.varint())
                guard version < superblock.rootVersion else {
                    throw CodecError(.corrupt, "a dropped root of later", at: reader.offset)
                }
                history.dropped.append(version)
            }
            if superblock.format != FileFormat.withFreezesInCatalog {
                history.freezes = try FreezeIndex(from: &reader, endUnit: superblock.endUnit)
            }
            return history
        }
    }

    private mutating func readRoots(
        from reader: inout ByteReader, _ superblock: Superblock
    ) throws(CodecError) {
        for _ in 0..<(try reader.recordCount(max: History.rootCountMaximum)) {
            var body = try reader.recordBody()
            let root = try KeptRoot(from: &body)
            guard root.version < superblock.rootVersion, root.lsn <= superblock.lsn,
                roots.last.map({ $0.version < root.version && $0.lsn <= root.lsn }) ?? true
            else { throw CodecError(.corrupt, "kept roots out of order", at: reader.offset) }
            roots.append(root)
        }
    }

    private mutating func readChunks(
        from reader: inout ByteReader, _ superblock: Superblock
    ) throws(CodecError) {
        let endUnit = superblock.fileByteCount / UInt64(Extent.unitByteCount)
        var starts: Set<UInt64> = []
        for _ in 0..<(try reader.recordCount(max: .max)) {
            var body = try reader.recordBody()
            let chunk = try Chunk(from: &body)
            guard chunk.last <= superblock.lsn, chunks.last.map({ $0.last < chunk.first }) ?? true
            else { throw CodecError(.corrupt, "commits out of order", at: reader.offset) }
            guard chunk.reference.extent.end <= endUnit,
                starts.insert(chunk.reference.start).inserted
            else { throw CodecError(.corrupt, "commits in an impossible place", at: reader.offset) }
            chunks.append(chunk)
        }
    }
}

extension History.KeptRoot {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.varint(version.rawValue)
        writer.varint(lsn.rawValue)
        writer.u64(chain.rawValue)
        writer.varint(fileByteCount)
        writer.u8(catalog == nil ? 0 : 1)
        catalog?.write(to: &writer)
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        version = RootVersion(try reader.varint())
        lsn = LSN(try reader.varint())
        chain = ChainHash(try reader.u64())
        fileByteCount = try reader.varint()
        guard fileByteCount >= UInt64(Superblock.headerByteCount),
            fileByteCount <= Extent.maximumFileByteCount
        else { throw CodecError(.corrupt, "a root of an impossible size", at: reader.offset) }
        catalog = try reader.u8() == 0 ? nil : PageReference(from: &reader)
    }
}

extension History.Chunk {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.varint(first.rawValue)
        writer.varint(last.rawValue - first.rawValue + 1)
        writer.varint(byteCount)
        reference.write(to: &writer)
        writer.varint(UInt64(barriers.count))
        var before = first.rawValue
        for barrier in barriers {
            writer.varint(barrier.rawValue - before)
            before = barrier.rawValue
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let start = try reader.varint()
        let count = try reader.varint()
        let (end, overflow) = start.addingReportingOverflow(count &- 1)
        guard start > 0, count > 0, !overflow, end < .max else {
            throw CodecError(.corrupt, "impossible commit numbers", at: reader.offset)
        }
        first = LSN(start)
        last = LSN(end)
        byteCount = try reader.varint()
        guard byteCount <= UInt64(Blob.maximumRawByteCount) else {
            throw CodecError(.corrupt, "too many bytes of commits", at: reader.offset)
        }
        reference = try PageReference(from: &reader)
        var barriers: [LSN] = []
        var before = start
        for _ in 0..<(try reader.recordCount(max: .max)) {
            let (next, overflow) = before.addingReportingOverflow(try reader.varint())
            guard !overflow, next <= end, barriers.isEmpty || next > before else {
                throw CodecError(.corrupt, "commits out of order", at: reader.offset)
            }
            barriers.append(LSN(next))
            before = next
        }
        self.barriers = barriers
    }
}

extension ByteWriter {
    /// Writes bytes preceded by their length.
    mutating func record(_ write: (inout ByteWriter) -> Void) {
        var body = ByteWriter()
        write(&body)
        varint(UInt64(body.count))
        bytes(body.bytes)
    }
}

extension ByteReader {
    /// Reads the number of records that follow, each of at least one byte.
    mutating func recordCount(max maximum: Int) throws(CodecError) -> Int {
        try count(max: min(maximum, remaining))
    }

    mutating func recordBody() throws(CodecError) -> ByteReader {
        ByteReader(try bytes(try count(max: remaining)))
    }
}
