/// The fields of one row in raw memory that grows: appending one costs a comparison and a store.
struct FieldList: ~Copyable {
    private(set) var start: UnsafeMutablePointer<FieldSlice>
    private(set) var count = 0
    private var capacity = 64

    init() { start = .allocate(capacity: 64) }

    deinit { start.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ field: FieldSlice) {
        if count == capacity { grow() }
        (start + count).initialize(to: field)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<FieldSlice>.allocate(capacity: capacity * 2)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }
}

/// The fields of the current row; valid until the reader goes on.
struct RowView {
    let fields: UnsafePointer<FieldSlice>
    let start: UnsafePointer<UInt8>
    let count: Int
    /// The line that the row begins on.
    let line: UInt64

    @inline(__always)
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(index < count)
        return UnsafeBufferPointer(
            start: start + fields[index].start, count: fields[index].length)
    }

    /// Whether the field is empty and did not stand in quotes.
    @inline(__always)
    func isNull(_ index: Int) -> Bool {
        precondition(index < count)
        return fields[index].length == 0 && !fields[index].isQuoted
    }
}
