import FirnValues

/// The pending bytes of a result: growable raw memory, so that appending a value costs a comparison
/// and a store.
///
/// Invariant: `count <= capacity`, and the first `count` bytes are initialised.
package struct TextBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of pending bytes.
    private(set) var count = 0

    package init(capacity: Int = 160 << 10) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// The bytes appended since the last ``removeAll()``.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Removes the bytes and keeps the memory.
    package mutating func removeAll() { count = 0 }

    /// Removes the bytes after the first `count`.
    mutating func truncate(to count: Int) {
        precondition(count <= self.count)
        self.count = count
    }

    /// Replaces a byte by another one, in all bytes after the first `start`.
    mutating func replace(_ byte: UInt8, by other: UInt8, from start: Int) {
        for index in min(start, count)..<count where self.start[index] == byte {
            self.start[index] = other
        }
    }

    /// Reserves `extra` bytes after the last byte; ``commit(_:)`` sets the number of bytes written
    /// there.
    @inline(__always)
    mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < extra { grow(extra) }
        return start + count
    }

    /// Commits the first `written` bytes of the space from ``reserve(_:)``.
    @inline(__always)
    mutating func commit(_ written: Int) { count &+= written }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count &+= 1
    }

    @inline(__always)
    package mutating func append(_ pointer: UnsafePointer<UInt8>, count length: Int) {
        reserve(length).update(from: pointer, count: length)
        count &+= length
    }

    package mutating func append(_ text: StaticString) {
        append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    package mutating func append(string text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if let base = utf8.baseAddress { append(base, count: utf8.count) }
        }
    }

    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { append(base, count: buffer.count) }
        }
    }

    package mutating func append(_ byte: UInt8, repeated times: Int) {
        guard times > 0 else { return }
        reserve(times).update(repeating: byte, count: times)
        count &+= times
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let wanted = max(capacity * 2, count + extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity = wanted
    }
}
