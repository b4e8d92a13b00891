package import FirnValues

extension ByteWriter {
    /// Writes values contiguously, each as ``Value/writeTagged(to:depth:)`` does.
    ///
    /// Most values are short scalars. They are assembled in a buffer, so that the bytes grow only
    /// once.
    package mutating func taggedValues(
        _ values: [Value], depth: Int
    ) throws(CodecError) {
        var next = 0
        while next < values.count {
            next = writeSmallScalars(values, from: next)
            guard next < values.count else { return }
            try values[next].writeTagged(to: &self, depth: depth)
            next += 1
        }
    }

    /// Writes scalars until one does not fit the buffer or is of another kind.
    ///
    /// - Returns: the index of the first value that was not written.
    private mutating func writeSmallScalars(_ values: [Value], from first: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: SmallBuffer.byteCount, alignment: 8) { buffer in
            var scalars = SmallBuffer(buffer)
            var next = first
            while next < values.count, scalars.append(values[next]) { next += 1 }
            bytes(UnsafeRawBufferPointer(rebasing: buffer[..<scalars.count]))
            return next
        }
    }
}

/// A fixed-size buffer for scalars in the form of ``Value/writeScalar(to:)``.
private struct SmallBuffer {
    static let byteCount = 1024
    /// The maximum size of a scalar that is not a text: a tag and two numbers of ten bytes.
    private static let scalarByteCount = 21

    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// Appends a value if there is room and its kind is a common scalar.
    ///
    /// - Returns: whether the value was appended.
    mutating func append(_ value: Value) -> Bool {
        guard count + SmallBuffer.scalarByteCount <= buffer.count else { return false }
        switch value {
        case .null: put(value.tag.rawValue)
        case .bool(let truth):
            put(value.tag.rawValue)
            put(truth ? 1 : 0)
        case .int(let number):
            put(value.tag.rawValue)
            zigzag(number)
        case .double(let number):
            put(value.tag.rawValue)
            buffer.storeBytes(
                of: number.bitPattern.littleEndian, toByteOffset: count, as: UInt64.self)
            count += 8
        case .date(let time):
            put(value.tag.rawValue)
            zigzag(time.seconds)
            varint(UInt64(time.nanoseconds))
        case .string(var text):
            return text.withUTF8 { utf8 in
                guard utf8.count <= buffer.count - count - SmallBuffer.scalarByteCount else {
                    return false
                }
                put(ValueTag.string.rawValue)
                varint(UInt64(utf8.count))
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(utf8))
                count += utf8.count
                return true
            }
        default: return false
        }
        return true
    }

    private mutating func put(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private mutating func zigzag(_ value: Int64) {
        varint(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }
}
