import FirnCodec
import FirnValues

extension Frame {
    /// The frame as the history keeps it; several may stand one behind the other.
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(kind == .root ? 1 : 0)
        writer.u64(lsn.rawValue)
        writer.u64(previous.rawValue)
        writer.varint(UInt64(operations.count))
        writer.varint(UInt64(operations.bytes.count))
        writer.bytes(operations.bytes)
        return writer.bytes
    }

    func hash(fileID: UUID) -> ChainHash {
        ChainHash(
            encoded().withUnsafeBytes {
                Checksum.xxh64($0, seed: PageReference.seed(fileID: fileID, start: 0))
            })
    }

    /// Reads frames one behind the other to the end of the bytes.
    static func all(in bytes: [UInt8]) throws(CodecError) -> [Frame] {
        try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            var frames: [Frame] = []
            while !reader.isAtEnd {
                let kind: Frame.Kind = try reader.u8() == 1 ? .root : .operations
                let lsn = LSN(try reader.u64())
                let previous = ChainHash(try reader.u64())
                let count = try reader.count(max: reader.remaining)
                let length = try reader.count(max: reader.remaining)
                frames.append(
                    Frame(
                        kind: kind, lsn: lsn, durable: .zero, previous: previous, time: 0,
                        writer: 0,
                        operations: RecordedOperations(
                            bytes: Array(try reader.bytes(length)), count: count)))
            }
            return frames
        }
    }
}
