package import FirnPlatform
package import FirnValues

/// The values of a column for some rows, in the layout of Arrow with wide lanes.
///
///     type                        lanes
///     bool, int, date, time       ints
///     timestamp                   ints, and nanoseconds if the unit says so
///     float, double               doubles
///     decimal                     decimals
///     string, binary, uuid        offsets (count + 1) into bytes
///     list                        offsets (count + 1) into children[0]
///     map                         offsets (count + 1) into children[0] (keys) and children[1]
///     struct                      children
///
/// The value of a null is any in the lanes, and empty in the types with offsets.
package final class ColumnarColumn {
    package let type: ColumnarType
    package var count = 0
    /// One bit per value, set if it is not null; empty if no value is null.
    package var validity: [UInt64] = []
    package var ints: [Int64] = []
    package var nanoseconds: [Int32] = []
    package var doubles: [Double] = []
    package var decimals: [Int128] = []
    package var offsets: [UInt32] = []
    package var bytes: [UInt8] = []
    package var children: [ColumnarColumn] = []

    package init(_ type: ColumnarType) {
        self.type = type
        switch type.lane {
        case .bytes, .elements: offsets = [0]
        default: break
        }
    }

    @inline(__always)
    package func isValid(_ row: Int) -> Bool {
        validity.isEmpty || validity[row >> 6] >> UInt64(row & 63) & 1 == 1
    }

    /// The number of nulls.
    package var nullCount: Int {
        guard !validity.isEmpty else { return 0 }
        var valid = 0
        for row in 0..<(count >> 6) { valid += validity[row].nonzeroBitCount }
        if count & 63 != 0 {
            valid += (validity[count >> 6] & (1 << UInt64(count & 63) - 1)).nonzeroBitCount
        }
        return count - valid
    }
}

/// Some rows of a table: one column per field.
package struct ColumnarBatch {
    package let rowCount: Int
    package let columns: [ColumnarColumn]

    package init(rowCount: Int, columns: [ColumnarColumn]) {
        self.rowCount = rowCount
        self.columns = columns
    }
}

/// A table that is read batch by batch.
package protocol ColumnarReader: AnyObject {
    var fields: [ColumnarField] { get }
    /// The texts that the writer of the file added to it.
    var metadata: TextMap<String> { get }
    /// The number of rows, if known before they are read.
    var rowCount: Int64? { get }
    /// Returns the next rows; `nil` at the end.
    func next() throws(ColumnarError) -> ColumnarBatch?
}

/// A table that is written batch by batch.
package protocol ColumnarWriter: AnyObject {
    func write(_ batch: ColumnarBatch) throws(ColumnarError)
    /// Writes the end of the table.
    func finish() throws(ColumnarError)
}

/// The destination of the bytes of a table.
package protocol ColumnarSink: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError)
}
