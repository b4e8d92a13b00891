import FirnCodec
import FirnValues

/// Finds the first of several values that is not null.
enum Coalescing {
    static func values(_ vectors: [ColumnVector], _ kind: ValueTag, count: Int) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        for row in 0..<count {
            let value = vectors.lazy.filter { !$0.isNull(row) }.first?.value(at: row)
            result.append(converting: value ?? .null)
        }
        return result
    }
}
