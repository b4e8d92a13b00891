import FirnValues

/// Memory that is released with its last slice.
final class PageBuffer {
    let start: UnsafeMutableRawPointer
    let count: Int

    /// Allocates memory that the caller fills.
    init(count: Int) {
        self.count = count
        start = .allocate(byteCount: max(count, 8), alignment: 8)
    }

    deinit { start.deallocate() }

    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}

/// A range of bytes of a page, which keeps the page in memory.
package struct ByteSlice {
    private let owner: PageBuffer
    private let start: UnsafeRawPointer
    package let count: Int

    /// All bytes of a buffer.
    init(_ owner: PageBuffer) {
        self.owner = owner
        start = UnsafeRawPointer(owner.start)
        count = owner.count
    }

    /// A range of a buffer, which must lie inside it.
    init(_ owner: PageBuffer, from offset: Int, count: Int) {
        precondition(offset >= 0 && count >= 0 && offset + count <= owner.count)
        self.owner = owner
        start = UnsafeRawPointer(owner.start + offset)
        self.count = count
    }

    private init(_ owner: PageBuffer, _ start: UnsafeRawPointer, _ count: Int) {
        self.owner = owner
        self.start = start
        self.count = count
    }

    /// Returns a part, which must lie inside this slice.
    func part(from offset: Int, count length: Int) -> ByteSlice {
        precondition(offset >= 0 && length >= 0 && offset + length <= count)
        return ByteSlice(owner, start + offset, length)
    }

    /// Returns the byte at an offset inside this slice.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count)
        return withExtendedLifetime(owner) { start.load(fromByteOffset: offset, as: UInt8.self) }
    }

    /// Returns a little-endian integer at an offset inside this slice.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ offset: Int, as type: Integer.Type) -> Integer {
        precondition(offset >= 0 && offset + MemoryLayout<Integer>.size <= count)
        return withExtendedLifetime(owner) {
            Integer(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: type))
        }
    }

    /// Calls a closure with the bytes, which it must not keep.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(owner) {
            body(
                UnsafeBufferPointer(
                    start: start.assumingMemoryBound(to: UInt8.self), count: count))
        }
    }

    /// A copy of the bytes.
    package var array: [UInt8] { withBytes { Array($0) } }

    /// The bytes as text; `nil` if they are not UTF-8.
    package var text: String? { withBytes { String(validating: $0, as: UTF8.self) } }
}

extension ByteSlice {
    /// No bytes.
    static var empty: ByteSlice { ByteSlice(PageBuffer(count: 0)) }
}
