import FirnValues

/// The fields of a frame before its payload.
///
/// The offset and the length of a frame are multiples of 8. Little-endian:
///
///      0  u32 length     bytes of the payload as stored here
///      4  u32 flags      "FRN" in the upper three bytes; 1: root, 2: the payload is LZ4 blocks
///      8  u32 count      operations in the payload
///     12  u32 raw        bytes of the payload when it is not compressed
///     16  u64 lsn        the version that this commit made
///     24  u64 durable    the version that was known to be on disk when this was written
///     32  u64 previous   chain hash of the previous commit
///     40  u64 chain      chain hash of this commit; 0 in the history, where it is computed
///     48  i64 time       nanoseconds since 1970
///     56  u64 writer     a random number per open handle
///     64  payload, zeros to a multiple of 8
///      -  u64 seal       XXH64 of everything before, seeded with the salt of the segment; with 0
///                        in the history
///
/// The chain hash is the identity of a commit and does not depend on how its bytes are stored. The
/// seal distinguishes a frame from other bytes in its place: torn bytes, damage, and complete
/// frames of an earlier use of the segment, which had another salt.
struct FrameHeader: Hashable, Sendable {
    static let byteCount = 64
    static let sealByteCount = 8
    static let alignment = 8
    /// The smallest size of a frame in bytes.
    static let frameByteCountMinimum = byteCount + sealByteCount
    private static let marker: UInt32 = 0x4E52_4600
    private static let rootFlag: UInt32 = 1
    private static let compressedFlag: UInt32 = 2

    var kind: Frame.Kind
    var isCompressed: Bool
    /// The size in bytes of the payload as stored.
    var payloadByteCount: Int
    var operationCount: Int
    var rawByteCount: Int
    var lsn: LSN
    var durable: LSN
    var previous: ChainHash
    var chain: ChainHash
    var time: Int64
    var writer: UInt64

    /// The size in bytes of header, payload, padding and seal.
    var frameByteCount: Int {
        let aligned = (payloadByteCount + FrameHeader.alignment - 1) & ~(FrameHeader.alignment - 1)
        return FrameHeader.byteCount + aligned + FrameHeader.sealByteCount
    }

    /// Reads a header, or returns `nil` if the bytes do not begin a frame.
    ///
    /// The fields are not trusted before the seal is verified, but they never exceed the limits of
    /// a frame.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= FrameHeader.byteCount else { return nil }
        let flags = bytes.word32(4)
        guard flags & ~0xFF == FrameHeader.marker, flags & 0xFF < 4 else { return nil }
        kind = flags & FrameHeader.rootFlag == 0 ? .operations : .root
        isCompressed = flags & FrameHeader.compressedFlag != 0
        payloadByteCount = Int(bytes.word32(0))
        operationCount = Int(bytes.word32(8))
        rawByteCount = Int(bytes.word32(12))
        lsn = LSN(bytes.word64(16))
        durable = LSN(bytes.word64(24))
        previous = ChainHash(bytes.word64(32))
        chain = ChainHash(bytes.word64(40))
        time = Int64(bitPattern: bytes.word64(48))
        writer = bytes.word64(56)
        guard isPossible else { return nil }
    }

    init(_ frame: Frame, chain: ChainHash) {
        kind = frame.kind
        isCompressed = false
        payloadByteCount = frame.operations.byteCount
        operationCount = frame.operations.count
        rawByteCount = frame.operations.byteCount
        lsn = frame.lsn
        durable = frame.durable
        previous = frame.previous
        self.chain = chain
        time = frame.time
        writer = frame.writer
    }

    private var isPossible: Bool {
        guard rawByteCount <= RecordedOperations.byteCountMaximum, operationCount <= rawByteCount
        else { return false }
        if isCompressed {
            return kind == .operations && payloadByteCount < rawByteCount
                && Blocks.isPossible(rawByteCount: rawByteCount, storedByteCount: payloadByteCount)
        }
        return payloadByteCount == rawByteCount
            && (kind == .operations || rawByteCount <= Annotation.byteCountMaximum)
    }

    /// Writes the header to the start of a buffer that has room for it.
    func store(to bytes: UnsafeMutableRawBufferPointer) {
        let flags =
            FrameHeader.marker | (kind == .root ? FrameHeader.rootFlag : 0)
            | (isCompressed ? FrameHeader.compressedFlag : 0)
        bytes.store(UInt32(truncatingIfNeeded: payloadByteCount), at: 0)
        bytes.store(flags, at: 4)
        bytes.store(UInt32(truncatingIfNeeded: operationCount), at: 8)
        bytes.store(UInt32(truncatingIfNeeded: rawByteCount), at: 12)
        bytes.store(lsn.rawValue, at: 16)
        bytes.store(durable.rawValue, at: 24)
        bytes.store(previous.rawValue, at: 32)
        bytes.store(chain.rawValue, at: 40)
        bytes.store(UInt64(bitPattern: time), at: 48)
        bytes.store(writer, at: 56)
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a little-endian word; the caller has checked the bounds.
    @inline(__always)
    fileprivate func word32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    fileprivate func word64(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func store(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value.littleEndian))
    }
}
