import FirnCodec
import FirnEngine
import FirnValues

/// Hands the values of an import to the store's bulk loader.
final class BulkSink: RowSink {
    private let loader: BulkLoader
    private let columns: [ColumnBuilder]

    init(_ loader: BulkLoader) {
        self.loader = loader
        columns = loader.columns
    }

    @inline(__always)
    func appendNull(column: Int) { columns[column].appendNull() }

    @inline(__always)
    func append(int value: Int64, column: Int) { columns[column].append(int: value) }

    @inline(__always)
    func append(double value: Double, column: Int) { columns[column].append(double: value) }

    @inline(__always)
    func append(bool value: Bool, column: Int) { columns[column].append(bool: value) }

    @inline(__always)
    func append(date value: Timestamp, column: Int) { columns[column].append(date: value) }

    @inline(__always)
    func append(utf8: UnsafeBufferPointer<UInt8>, column: Int) {
        columns[column].append(utf8: utf8)
    }

    @inline(__always)
    func endRow() throws(StoreError) { try loader.endRow() }
}
