import FirnCodec
import FirnValues

/// A frame as it stands in a segment or in the history, found whole.
///
/// The bytes belong to whoever read them and must not be used for longer.
struct ValidatedFrame {
    let header: FrameHeader
    /// The payload as it is stored.
    let payload: UnsafeRawBufferPointer

    /// Checks the seal of the frame at the start of some bytes.
    ///
    /// - Parameter header: was read from the start of the same bytes.
    /// - Returns: `nil` if the bytes end inside of the frame, or are not what was sealed.
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

    /// The commit itself.
    ///
    /// - Throws: ``CodecError`` if the payload was sealed, but is none.
    func frame() throws(CodecError) -> Frame {
        Frame(
            kind: header.kind, lsn: header.lsn, durable: header.durable,
            previous: header.previous, time: header.time, writer: header.writer,
            operations: RecordedOperations(
                bytes: try decompressed() ?? Array(payload), count: header.operationCount))
    }

    /// The operations of a frame that is compressed; `nil` if they stand in ``payload``.
    func decompressed() throws(CodecError) -> [UInt8]? {
        guard header.isCompressed else { return nil }
        var reader = ByteReader(payload)
        let bytes = try Blocks.read(header.rawByteCount, from: &reader)
        try reader.finish()
        return bytes
    }
}
