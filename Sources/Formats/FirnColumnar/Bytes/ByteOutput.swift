import FirnValues

/// A growing buffer in raw memory.
final class ByteOutput {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 4096) {
        self.capacity = max(64, capacity)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    func removeAll() { count = 0 }

    /// Makes room for more bytes and returns the address of the first.
    @inline(__always)
    func room(_ byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > capacity - count { grow(byteCount) }
        return base + count
    }

    /// Counts bytes that were written into the reserved room.
    @inline(__always)
    func advance(_ byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= capacity - count)
        count += byteCount
    }

    @inline(never)
    private func grow(_ byteCount: Int) {
        let larger = max(capacity * 2, count + byteCount)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        memory.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = memory
        capacity = larger
    }

    @inline(__always)
    func append(byte: UInt8) {
        room(1).storeBytes(of: byte, as: UInt8.self)
        count += 1
    }

    /// Appends a number, little-endian.
    @inline(__always)
    func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        room(MemoryLayout<T>.size).storeBytes(of: value.littleEndian, as: T.self)
        count += MemoryLayout<T>.size
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        room(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    func append(zeros byteCount: Int) {
        guard byteCount > 0 else { return }
        room(byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        count += byteCount
    }

    /// Appends a number with 7 bits per byte, lowest bits first.
    func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(byte: UInt8(rest))
    }

    func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Overwrites a number at an offset.
    func store(_ value: UInt32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= count)
        (base + offset).storeBytes(of: value.littleEndian, as: UInt32.self)
    }
}
