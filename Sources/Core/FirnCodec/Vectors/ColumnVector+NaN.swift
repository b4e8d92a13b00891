package import FirnValues

extension ValueTag {
    /// Whether a value of the kind can be NaN.
    package var hasNaN: Bool {
        switch self {
        case .double, .float, .decimal128, .any: true
        default: false
        }
    }
}

extension ColumnVector {
    /// Returns whether the value of a row is NaN.
    package func isNaN(_ row: Int) -> Bool {
        switch kind {
        case .double, .float: doubles[row].isNaN
        case .decimal128, .any: value(at: row).isNotANumber
        default: false
        }
    }

    /// The rows whose values are not NaN, or `nil` if none is.
    ///
    /// - Complexity: O(rows)
    package var rowsWithoutNaN: [UInt32]? {
        guard kind.hasNaN, (0..<count).contains(where: isNaN) else { return nil }
        return (0..<count).filter { !isNaN($0) }.map { UInt32(truncatingIfNeeded: $0) }
    }
}
