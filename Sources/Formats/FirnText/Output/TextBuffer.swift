import FirnValues

/// The pending bytes of a result: growable raw memory, so that appending a value costs a comparison
/// and a store.
///
/// It is public because the compiler inlines no package function into another module.
///
/// Invariant: `length <= capacity`, and the first `length` bytes are initialised.
public struct TextBuffer: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var length = 0

    /// The number of pending bytes.
    @inlinable public var count: Int { length }

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: The bytes that it can hold before it grows.
    @inlinable
    public init(capacity: Int = 160 << 10) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    @inlinable
    deinit { start.deallocate() }

    /// The bytes appended since the last ``removeAll()``.
    @inlinable
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Removes the bytes and keeps the memory.
    @inlinable
    public mutating func removeAll() { length = 0 }

    /// Removes the bytes after the first `count`.
    mutating func truncate(to count: Int) {
        precondition(count <= self.count)
        length = count
    }

    /// Replaces a byte with another one, in all bytes after the first `start`.
    package mutating func replace(_ byte: UInt8, by other: UInt8, from start: Int) {
        for index in min(start, count)..<count where self.start[index] == byte {
            self.start[index] = other
        }
    }

    /// Reserves `extra` bytes after the last byte; ``commit(_:)`` sets the number of bytes written
    /// there.
    @inlinable @inline(__always)
    mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < extra { grow(extra) }
        return start + count
    }

    /// Commits the first `written` bytes of the space from ``reserve(_:)``.
    @inlinable @inline(__always)
    mutating func commit(_ written: Int) { length &+= written }

    /// Appends a byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        length &+= 1
    }

    /// Appends the bytes at an address.
    @inlinable @inline(__always)
    public mutating func append(_ pointer: UnsafePointer<UInt8>, count added: Int) {
        reserve(added).update(from: pointer, count: added)
        length &+= added
    }

    /// Appends a text of the program.
    @inlinable
    public mutating func append(_ text: StaticString) {
        append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Appends the UTF-8 bytes of a text.
    @inlinable
    public mutating func append(string text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if let base = utf8.baseAddress { append(base, count: utf8.count) }
        }
    }

    /// Appends bytes.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { append(base, count: buffer.count) }
        }
    }

    /// Appends a byte a number of times.
    @inlinable
    public mutating func append(_ byte: UInt8, repeated times: Int) {
        guard times > 0 else { return }
        reserve(times).update(repeating: byte, count: times)
        length &+= times
    }

    @inline(never) @usableFromInline
    mutating func grow(_ extra: Int) {
        let wanted = max(capacity * 2, count + extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity = wanted
    }
}
