import FirnCodec
import FirnValues

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
