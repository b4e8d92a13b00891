import FirnCodec
package import FirnEngine
package import FirnValues

/// Passes the values of an import to the store's bulk loader.
///
/// The builders are unmanaged references, because reference counting would cost more than
/// appending; `target` keeps them alive.
package final class BulkSink: RowSink {
    private let target: any BulkRowTarget
    private let columnCount: Int
    private let columns: UnsafeMutablePointer<Unmanaged<ColumnBuilder>>

    package init(_ target: any BulkRowTarget) {
        self.target = target
        columnCount = target.columns.count
        columns = .allocate(capacity: max(1, columnCount))
        for (index, column) in target.columns.enumerated() {
            (columns + index).initialize(to: Unmanaged.passUnretained(column))
        }
    }

    deinit { columns.deallocate() }

    @inline(__always)
    private func builder(_ column: Int) -> Unmanaged<ColumnBuilder> {
        precondition(column >= 0 && column < columnCount)
        return columns[column]
    }

    @inline(__always)
    package func appendNull(column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.appendNull() }
    }

    @inline(__always)
    package func append(int value: Int64, column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.append(int: value) }
    }

    @inline(__always)
    package func append(double value: Double, column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.append(double: value) }
    }

    @inline(__always)
    package func append(bool value: Bool, column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.append(bool: value) }
    }

    @inline(__always)
    package func append(date value: Timestamp, column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.append(date: value) }
    }

    @inline(__always)
    package func append(utf8: UnsafeBufferPointer<UInt8>, column: Int) {
        builder(column)._withUnsafeGuaranteedRef { $0.append(utf8: utf8) }
    }

    @inline(__always)
    package func endRow() throws(StoreError) { try target.endRow() }
}
