import FirnCodec
import FirnValues

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
        precondition(kind == .operations || operations.byteCount == 0, "a root has no operations")
        var header = FrameHeader(self, chain: chain)
        let start = bytes.count
        bytes.reserveCapacity(start + header.frameByteCount)
        bytes.append(contentsOf: repeatElement(0, count: FrameHeader.byteCount))
        let payload = operations.bytes
        if payload.count > Frame.compressedByteCountMinimum {
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
