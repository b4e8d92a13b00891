import FirnValues

/// The frame that maps integers to small codes: `value = base + step * code`.
///
///     zigzag base | varint step >= 1 | varint largest code | u8 width
///
/// Invariant: `base + step * maxCode` fits Int64, so that values ascend with codes.
struct IntegerFrame: Equatable {
    var base: Int64
    var step: UInt64
    var maxCode: UInt64
    /// The number of bits of a code on disk, at least the number of bits of `maxCode`.
    var width: Int

    init(base: Int64, step: UInt64, maxCode: UInt64) {
        self.base = base
        self.step = step
        self.maxCode = maxCode
        width = BitPacking.width(of: maxCode)
    }

    @inline(__always)
    func value(_ code: UInt64) -> Int64 { base &+ Int64(bitPattern: step &* code) }

    func write(to writer: inout ByteWriter) {
        writer.zigzag(base)
        writer.varint(step)
        writer.varint(maxCode)
        writer.u8(UInt8(truncatingIfNeeded: width))
    }

    /// Reads a frame whose values must all be in `range`.
    init(from reader: inout ByteReader, in range: ClosedRange<Int64>) throws(CodecError) {
        let start = reader.offset
        base = try reader.zigzag()
        step = try reader.varint()
        maxCode = try reader.varint()
        width = Int(try reader.u8())
        guard step >= 1, width <= 64, BitPacking.width(of: maxCode) <= width,
            range.contains(base),
            UInt64(bitPattern: range.upperBound &- base) / step >= maxCode
        else { throw CodecError(.corrupt, "frame of integers is not valid", at: start) }
    }
}
