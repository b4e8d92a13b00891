import FirnValues

/// Codes in memory, one per row, in the narrowest of four widths that fits the largest code.
enum CodeArray {
    case u8(UnsafePointer<UInt8>)
    case u16(UnsafePointer<UInt16>)
    case u32(UnsafePointer<UInt32>)
    case u64(UnsafePointer<UInt64>)

    @inline(__always)
    subscript(row: Int) -> UInt64 {
        switch self {
        case .u8(let codes): UInt64(codes[row])
        case .u16(let codes): UInt64(codes[row])
        case .u32(let codes): UInt64(codes[row])
        case .u64(let codes): codes[row]
        }
    }

    /// Returns the memory size of `count` codes up to `maxCode`.
    static func byteCount(_ count: Int, maxCode: UInt64) -> Int {
        if maxCode <= UInt64(UInt8.max) { return PageMemory.size(count, of: UInt8.self) }
        if maxCode <= UInt64(UInt16.max) { return PageMemory.size(count, of: UInt16.self) }
        if maxCode <= UInt64(UInt32.max) { return PageMemory.size(count, of: UInt32.self) }
        return PageMemory.size(count, of: UInt64.self)
    }

    /// Unpacks codes, and checks that none exceeds `maxCode`.
    init(
        unpacking source: UnsafeRawPointer, width: Int, count: Int, maxCode: UInt64,
        into memory: PageMemory
    ) throws(CodecError) {
        if maxCode <= UInt64(UInt8.max) {
            self = .u8(try Self.unpack(source, width, count, UInt8(maxCode), memory))
        } else if maxCode <= UInt64(UInt16.max) {
            self = .u16(try Self.unpack(source, width, count, UInt16(maxCode), memory))
        } else if maxCode <= UInt64(UInt32.max) {
            self = .u32(try Self.unpack(source, width, count, UInt32(maxCode), memory))
        } else {
            self = .u64(try Self.unpack(source, width, count, maxCode, memory))
        }
    }

    private static func unpack<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ width: Int, _ count: Int, _ maxCode: T, _ memory: PageMemory
    ) throws(CodecError) -> UnsafePointer<T> {
        let lanes = memory.take(count, of: T.self)
        // Wider codes would be truncated silently, although they exceed `maxCode`.
        if width > T.bitWidth {
            try checkWide(source, width, count, UInt64(maxCode))
        }
        BitPacking.unpack(source, width: width, count: count, into: lanes)
        var largest: T = 0
        for index in 0..<count { largest = max(largest, lanes[index]) }
        guard largest <= maxCode else {
            throw CodecError(.corrupt, "code beyond the largest of its page")
        }
        return UnsafePointer(lanes)
    }

    private static func checkWide(
        _ source: UnsafeRawPointer, _ width: Int, _ count: Int, _ maxCode: UInt64
    ) throws(CodecError) {
        let wide = UnsafeMutablePointer<UInt64>.allocate(capacity: max(count, 1))
        defer { wide.deallocate() }
        BitPacking.unpack(source, width: width, count: count, into: wide)
        for index in 0..<count where wide[index] > maxCode {
            throw CodecError(.corrupt, "code beyond the largest of its page")
        }
    }
}

/// Codes with the frame that converts them to integers.
struct PackedCodes {
    let frame: IntegerFrame
    let array: CodeArray

    @inline(__always)
    subscript(row: Int) -> Int64 { frame.value(array[row]) }
}

/// Strings, or other bytes, stored contiguously: string i is `bytes[offsets[i] ..< offsets[i +
/// 1]]`.
struct StringTable {
    let count: Int
    let offsets: UnsafePointer<UInt32>
    let bytes: UnsafePointer<UInt8>

    var byteCount: Int { Int(offsets[count]) }

    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(offsets[index])
        return UnsafeBufferPointer(start: bytes + start, count: Int(offsets[index &+ 1]) &- start)
    }
}
