import FirnEngine
import FirnValues

/// Divides rows in any order into slices whose values fit into memory.
///
/// Each slice reads all pages of its rows again, so slices grow while their values are small.
struct BatchSlices {
    private static let rowCountMin = 64
    private static let rowCountMax = 1 << 20
    /// The share of the memory of a statement that the values of a slice may take, as a divisor.
    private static let memoryShare = 8

    private let byteCountMax: Int
    /// The number of rows of the next slice.
    private var rowCount = BatchSlices.rowCountMin

    /// - Parameter statementByteCount: the memory of the statement.
    init(of statementByteCount: Int) { byteCountMax = statementByteCount / Self.memoryShare }

    /// Visits the slices of a batch; rows of a single row group form one slice.
    ///
    /// - Parameter visit: returns the size of the values in bytes, or `nil` to end.
    /// - Returns: whether all were visited.
    mutating func visit(
        _ batch: RowBatch, _ visit: (BatchRows) throws(StoreError) -> Int?
    ) throws(StoreError) -> Bool {
        switch batch {
        case .run(let run): return try visit(.group(run.group, run.rows)) != nil
        case .scattered(var rest):
            while !rest.isEmpty {
                guard let byteCount = try visit(BatchRows(rest.prefix(rowCount))) else {
                    return false
                }
                rest = rest.dropFirst(rowCount)
                if byteCount > byteCountMax {
                    rowCount = max(1, rowCount / 2)
                } else if byteCount <= byteCountMax / 2 {
                    rowCount = min(Self.rowCountMax, 2 * rowCount)
                }
            }
            return true
        }
    }
}
