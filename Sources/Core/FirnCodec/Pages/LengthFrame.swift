import FirnValues

/// The lengths of strings as small codes: `length = base + code`.
///
/// Values of equal length therefore take no bits.
///
///     varint base | u8 width
///
/// Null rows have code 0 and length 0.
struct LengthFrame: Equatable {
    var base: Int
    var width: Int

    init(_ lengths: ClosedRange<Int>) {
        base = lengths.lowerBound
        width = BitPacking.width(of: UInt64(lengths.upperBound - lengths.lowerBound))
    }

    func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(base))
        writer.u8(UInt8(truncatingIfNeeded: width))
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        base = try reader.count(max: CodecLimits.pageRawBytesMax)
        width = Int(try reader.u8())
        guard width <= 32 else {
            throw CodecError(.corrupt, "width beyond its limit", at: reader.offset - 1)
        }
    }
}
