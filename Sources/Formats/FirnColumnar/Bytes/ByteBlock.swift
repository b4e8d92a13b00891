/// Bytes in raw memory, with readable zeros after them.
///
/// The zeros let decoders load whole words at the end.
final class ByteBlock {
    /// The number of bytes that may be read after the last one.
    static let paddingBytes = 16

    let capacity: Int
    private(set) var count: Int
    let base: UnsafeMutableRawPointer

    init(capacity: Int) {
        self.capacity = capacity
        count = capacity
        base = .allocate(byteCount: capacity + ByteBlock.paddingBytes, alignment: 16)
        (base + capacity).initializeMemory(
            as: UInt8.self, repeating: 0, count: ByteBlock.paddingBytes)
    }

    deinit { base.deallocate() }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
    var writable: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: capacity)
    }
}
