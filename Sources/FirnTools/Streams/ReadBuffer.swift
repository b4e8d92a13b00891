import FirnPlatform

/// The part of the input that is at hand: the current row and what was read behind it.
///
///     base ... rowStart ......... position ......... end ... capacity
///              the current row    not looked at      free
///
/// Only what lies before `rowStart` is given up when more is read, so memory is bounded by the
/// longest row plus one chunk.
struct ReadBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var end = 0
    var rowStart = 0
    /// How many bytes of the input lie before `base`.
    private(set) var bytesBefore: UInt64 = 0
    private(set) var isAtEnd = false

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Reads more behind the current row.
    ///
    /// - Returns: how far everything from the row on has moved towards the beginning; `nil` if
    ///   the input has ended.
    mutating func refill(from source: any ByteSource) throws(PlatformError) -> Int? {
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

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: end)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
