import FirnCodec
package import FirnQuery
import FirnValues

/// The values of one column of a batch in raw memory.
package struct RawColumn {
    var form = ColumnForm.int
    /// Whether the values are text with a format-specific representation.
    package fileprivate(set) var isText = false
    var hasNulls = false
    fileprivate(set) var nulls: UnsafeMutablePointer<UInt64>
    /// Integers, booleans and seconds; for doubles, the bit patterns.
    fileprivate(set) var numbers: UnsafeMutablePointer<Int64>
    fileprivate(set) var nanoseconds: UnsafeMutablePointer<Int32>
    fileprivate(set) var offsets: UnsafeMutablePointer<UInt32>
    fileprivate(set) var bytes: UnsafeMutablePointer<UInt8>

    @inline(__always)
    package func isNull(_ row: Int) -> Bool {
        hasNulls && nulls[row >> 6] >> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
    }

    @inline(__always)
    func double(_ row: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: numbers[row]))
    }

    @inline(__always)
    package func text(_ row: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(offsets[row])
        return UnsafeBufferPointer(start: bytes + start, count: Int(offsets[row &+ 1]) &- start)
    }
}

/// The vectors of a batch, copied into raw memory that exists as long as the writer.
///
/// Rows are written across columns, and arrays of arrays cost a retain and two checks per value;
/// the copy costs eight bytes per value, while the batch is still in the cache.
///
/// Invariant: every pointer of `columns[i]` has room for `capacities[i]`.
package final class RawBatch {
    package let columnCount: Int
    package let columns: UnsafeMutablePointer<RawColumn>
    package private(set) var rowCount = 0
    private let resultColumns: [ResultColumn]
    /// Whether JSON has 64-bit integers as strings.
    private let quotesInt64: Bool
    private var capacities: [Capacity]

    private struct Capacity {
        var rows = 0
        var bytes = 0
    }

    package init(_ columns: [ResultColumn], quotesInt64: Bool = false) {
        columnCount = columns.count
        resultColumns = columns
        self.quotesInt64 = quotesInt64
        capacities = Array(repeating: Capacity(), count: columns.count)
        self.columns = .allocate(capacity: max(1, columnCount))
        for index in columns.indices {
            (self.columns + index).initialize(to: RawColumn(rows: 0, bytes: 0))
        }
    }

    deinit {
        for index in 0..<columnCount { columns[index].free() }
        columns.deinitialize(count: columnCount)
        columns.deallocate()
    }

    /// Copies the values of a batch.
    package func load(_ batch: ResultBatch) {
        precondition(batch.vectors.count == columnCount, "one vector per column")
        rowCount = batch.rowCount
        for (index, vector) in batch.vectors.enumerated() {
            precondition(vector.count == batch.rowCount, "one value per row")
            ensureRoom(index, rows: vector.count, bytes: vector.bytes.count)
            columns[index].form = ColumnForm(
                vector.kind, of: resultColumns[index], quotesInt64: quotesInt64)
            columns[index].copy(vector)
        }
    }

    private func ensureRoom(_ index: Int, rows: Int, bytes: Int) {
        guard rows > capacities[index].rows || bytes > capacities[index].bytes else { return }
        let rows = max(rows, capacities[index].rows)
        let bytes = max(bytes, capacities[index].bytes)
        columns[index].free()
        columns[index] = RawColumn(rows: rows, bytes: bytes)
        capacities[index] = Capacity(rows: rows, bytes: bytes)
    }
}

extension RawColumn {
    fileprivate init(rows: Int, bytes: Int) {
        nulls = .allocate(capacity: rows / 64 + 1)
        numbers = .allocate(capacity: rows + 1)
        nanoseconds = .allocate(capacity: rows + 1)
        offsets = .allocate(capacity: rows + 1)
        self.bytes = .allocate(capacity: bytes + 1)
        offsets[0] = 0
    }

    fileprivate func free() {
        nulls.deallocate()
        numbers.deallocate()
        nanoseconds.deallocate()
        offsets.deallocate()
        bytes.deallocate()
    }

    fileprivate mutating func copy(_ vector: ColumnVector) {
        copyNulls(vector)
        isText = form.isText
        switch form {
        case .bool, .int, .wideInt: copy(vector.ints, to: numbers, count: vector.count)
        case .double, .fixed, .rounded, .float:
            precondition(vector.doubles.count >= vector.count)
            for row in 0..<vector.count {
                numbers[row] = Int64(bitPattern: vector.doubles[row].bitPattern)
            }
        case .date, .dateOnly:
            copy(vector.ints, to: numbers, count: vector.count)
            copy(vector.nanoseconds, to: nanoseconds, count: vector.count)
        case .string, .json, .data, .uuid, .objectID, .decimal128:
            copy(vector.offsets, to: offsets, count: vector.count + 1)
            precondition(Int(offsets[vector.count]) <= vector.bytes.count)
            copy(vector.bytes, to: bytes, count: vector.bytes.count)
        }
    }

    private mutating func copyNulls(_ vector: ColumnVector) {
        hasNulls = !vector.nulls.isEmpty && vector.count > 0
        guard hasNulls else { return }
        let words = (vector.count + 63) / 64
        nulls.update(repeating: 0, count: words)
        copy(vector.nulls, to: nulls, count: min(words, vector.nulls.count))
    }

    private func copy<T>(_ array: [T], to target: UnsafeMutablePointer<T>, count: Int) {
        precondition(array.count >= count, "a vector is shorter than its count")
        array.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { target.update(from: base, count: count) }
        }
    }
}
