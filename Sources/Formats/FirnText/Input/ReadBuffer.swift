package import FirnPlatform
import FirnValues

/// The buffered part of the input: the current row and the bytes read after it.
///
///     base ... rowStart ......... position ......... end ... capacity
///              the current row    not examined     free
///
/// Only bytes before `rowStart` are discarded when more is read, so memory is bounded by the
/// longest row plus one chunk.
package struct ReadBuffer: ~Copyable {
    package private(set) var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package private(set) var end = 0
    package var rowStart = 0
    /// The number of bytes of the input before `base`.
    package private(set) var bytesBefore: UInt64
    private(set) var isAtEnd = false

    package init(capacity: Int, bytesBefore: UInt64 = 0) {
        self.bytesBefore = bytesBefore
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Reads more bytes after the current row.
    ///
    /// - Returns: the distance by which the row and the bytes after it moved towards the beginning;
    ///   `nil` if the input has ended.
    package mutating func refill(from source: any ByteSource) throws(PlatformError) -> Int? {
        guard !isAtEnd else { return nil }
        let moved = rowStart
        if moved > 0 {
            base.update(from: base + rowStart, count: end - rowStart)
            end -= rowStart
            bytesBefore += UInt64(moved)
            rowStart = 0
        }
        if end == capacity { grow() }
        let room = UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
        let count = try source.read(into: room)
        guard count > 0 else {
            isAtEnd = true
            return moved == 0 ? nil : moved
        }
        end += min(count, room.count)
        return moved
    }

    /// Reads the beginning of the input, and returns the length of its byte order mark: 3, or 0.
    package mutating func byteOrderMarkLength(from source: any ByteSource) throws(PlatformError)
        -> Int
    {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while end < mark.count, !isAtEnd { _ = try refill(from: source) }
        guard end >= mark.count else { return 0 }
        return mark.indices.allSatisfy { base[$0] == mark[$0] } ? mark.count : 0
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: end)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
