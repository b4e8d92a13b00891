import FirnValues

/// The fields of one row in growable raw memory: appending a field costs a comparison and a store.
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

    mutating func removeLast() {
        precondition(count > 0)
        count &-= 1
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

/// The fields of the current row, which are valid until the reader advances.
struct RowView {
    let fields: UnsafePointer<FieldSlice>
    let start: UnsafePointer<UInt8>
    let count: Int
    /// The first line of the row.
    let line: UInt64

    @inline(__always)
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(index < count)
        return UnsafeBufferPointer(
            start: start + fields[index].start, count: fields[index].length)
    }

    /// Returns whether the field is empty and not quoted.
    @inline(__always)
    func isNull(_ index: Int) -> Bool {
        precondition(index < count)
        return fields[index].length == 0 && !fields[index].isQuoted
    }
}
