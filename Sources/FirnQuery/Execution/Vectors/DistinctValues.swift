import FirnCodec
import FirnValues

/// The different values of each owner.
struct DistinctValues {
    private var seen = ByteKeySet()

    /// Adds values, and counts those that are new to their owner.
    mutating func add(_ values: ColumnVector, _ owners: [UInt32], _ counts: inout [Int]) {
        var ownerVector = ColumnVector(kind: .int)
        ownerVector.count = values.count
        ownerVector.ints = (0..<values.count).map { Int64(owners[$0]) }
        let hasNulls = !values.nulls.isEmpty
        ByteKeys([ownerVector, values], rowCount: values.count).visit { row, key in
            if hasNulls, values.isNull(row) { return }
            if seen.insert(key) { counts[Int(owners[row])] += 1 }
        }
    }
}
