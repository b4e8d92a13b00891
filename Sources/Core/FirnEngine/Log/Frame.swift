import FirnCodec
import FirnValues

/// A commit as stored in the log and in the history.
struct Frame: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The payload is operations; see ``RecordedOperations``.
        case operations
        /// The commit wrote pages, which only the root of this version contains. The payload is
        /// empty, or the ``Annotation`` of the commit.
        case root
    }

    var kind: Kind
    var lsn: LSN
    /// The newest version known to be on disk when the frame was written.
    var durable: LSN
    /// The hash of the previous commit.
    var previous: ChainHash
    /// Nanoseconds since 1970.
    var time: Int64
    /// The handle that committed: a random number per open handle.
    var writer: UInt64
    /// Only the annotation, if any, in a frame of kind ``Kind/root``.
    var operations: RecordedOperations
}

/// The encoding of frames; ``FrameHeader`` shows the layout.
extension Frame {
    /// The size of a payload above which it is compressed, if that saves an eighth.
    static let compressedByteCountMinimum = 4096

    /// Returns the hash that identifies the commit.
    ///
    /// It covers the content and, through the previous commit, the whole history before it. It
    /// covers neither the storage format nor what was durable at that time.
    func hash(fileID: UUID) -> ChainHash {
        var seed = PageReference.seed(fileID: fileID, start: 0)
        operations.bytes.withUnsafeBytes { seed = Checksum.xxh64($0, seed: seed) }
        var header = FrameHeader(self, chain: .origin)
        header.durable = .zero
        let hash = withUnsafeTemporaryAllocation(
            byteCount: FrameHeader.byteCount, alignment: FrameHeader.alignment
        ) { buffer in
            header.store(to: buffer)
            return Checksum.xxh64(UnsafeRawBufferPointer(buffer), seed: seed)
        }
        return ChainHash(hash)
    }

    /// Appends the frame in the format of a segment.
    ///
    /// - Parameters:
    ///   - chain: The result of ``hash(fileID:)``.
    ///   - salt: The salt of the segment.
    /// - Precondition: The operations are at most ``RecordedOperations/byteCountMaximum`` bytes
    ///   long.
    func write(to bytes: inout [UInt8], chain: ChainHash, salt: UInt64) {
        precondition(
            operations.byteCount <= RecordedOperations.byteCountMaximum,
            "a transaction too large for a frame")
        precondition(
            kind == .operations || operations.byteCount <= Annotation.byteCountMaximum,
            "a root has no operations")
        var header = FrameHeader(self, chain: chain)
        let start = bytes.count
        bytes.reserveCapacity(start + header.frameByteCount)
        bytes.append(contentsOf: repeatElement(0, count: FrameHeader.byteCount))
        let payload = operations.bytes
        if kind == .operations, payload.count > Frame.compressedByteCountMinimum {
            payload.withUnsafeBytes { Blocks.append($0, level: .fast, to: &bytes) }
            header.payloadByteCount = bytes.count - start - FrameHeader.byteCount
            header.isCompressed = header.payloadByteCount <= payload.count - payload.count / 8
            if !header.isCompressed {
                bytes.removeLast(header.payloadByteCount)
                header.payloadByteCount = payload.count
            }
        }
        if !header.isCompressed { bytes.append(contentsOf: payload) }
        let end = start + header.frameByteCount - FrameHeader.sealByteCount
        bytes.append(
            contentsOf: repeatElement(0, count: end + FrameHeader.sealByteCount - bytes.count))
        bytes.withUnsafeMutableBytes { buffer in
            header.store(to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            let covered = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
            let seal = Checksum.xxh64(covered, seed: salt)
            buffer.storeBytes(of: seal.littleEndian, toByteOffset: end, as: UInt64.self)
        }
    }

    // MARK: The history

    /// Returns the frame in the format of the history; such frames can be concatenated.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, chain: .origin, salt: 0)
        return bytes
    }

    /// Reads the result of ``encoded()`` and expects no further bytes.
    init(decoding bytes: [UInt8]) throws(CodecError) {
        self = try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            let frame = try Frame(from: &reader)
            try reader.finish()
            return frame
        }
    }

    /// Reads the next frame.
    init(from reader: inout ByteReader) throws(CodecError) {
        let rest = UnsafeRawBufferPointer(rebasing: reader.source[reader.offset...])
        guard let header = FrameHeader(rest), let sealed = ValidatedFrame(header, in: rest, salt: 0)
        else { throw CodecError(.corrupt, "not a commit", at: reader.offset) }
        _ = try reader.bytes(header.frameByteCount)
        self = try sealed.frame()
    }

    /// Reads consecutive frames to the end of the bytes.
    static func all(in bytes: [UInt8]) throws(CodecError) -> [Frame] {
        try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            var frames: [Frame] = []
            while !reader.isAtEnd { frames.append(try Frame(from: &reader)) }
            return frames
        }
    }
}

/// A frame in a segment or in the history whose seal is valid.
///
/// The bytes belong to the code that read them and must not outlive its buffer.
struct ValidatedFrame {
    let header: FrameHeader
    /// The payload as stored.
    let payload: UnsafeRawBufferPointer

    /// Checks the seal of the frame at the start of some bytes.
    ///
    /// - Parameter header: The header read from the start of the same bytes.
    /// - Returns: `nil` if the bytes end inside the frame, or if the seal does not match.
    @inline(__always)
    init?(_ header: FrameHeader, in bytes: UnsafeRawBufferPointer, salt: UInt64) {
        let end = header.frameByteCount - FrameHeader.sealByteCount
        guard bytes.count >= header.frameByteCount else { return nil }
        let covered = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        let seal = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
        guard Checksum.xxh64(covered, seed: salt) == seal else { return nil }
        self.header = header
        payload = UnsafeRawBufferPointer(
            rebasing: bytes[
                FrameHeader.byteCount..<FrameHeader.byteCount + header.payloadByteCount])
    }

    /// Returns the decoded commit.
    ///
    /// - Throws: ``CodecError`` if the sealed payload is not a valid commit.
    func frame() throws(CodecError) -> Frame {
        Frame(
            kind: header.kind, lsn: header.lsn, durable: header.durable,
            previous: header.previous, time: header.time, writer: header.writer,
            operations: RecordedOperations(
                bytes: try decompressed() ?? Array(payload), count: header.operationCount))
    }

    /// Returns the operations of a compressed frame, or `nil` if ``payload`` holds them
    /// uncompressed.
    func decompressed() throws(CodecError) -> [UInt8]? {
        guard header.isCompressed else { return nil }
        var reader = ByteReader(payload)
        let bytes = try Blocks.read(header.rawByteCount, from: &reader)
        try reader.finish()
        return bytes
    }
}
