package import FirnEngine
package import FirnValues

/// Receives the values of an import, column by column within each row; the store's bulk loader
/// implements it.
package protocol RowSink: AnyObject {
    func appendNull(column: Int)
    func append(int value: Int64, column: Int)
    func append(double value: Double, column: Int)
    func append(bool value: Bool, column: Int)
    func append(date value: Timestamp, column: Int)
    /// - Parameter utf8: valid UTF-8, only during the call.
    func append(utf8: UnsafeBufferPointer<UInt8>, column: Int)
    /// Completes a row, after every column has received one value.
    func endRow() throws(StoreError)
}
