package import FirnCodec
import FirnValues

extension LargeCollection {
    /// Appends elements to a vector of their kind, and the keys of maps to a vector of strings.
    ///
    /// Elements that are links become the row ids of their targets.
    ///
    /// - Throws: ``StoreError`` with `corrupt` for an element of another kind than the vector, or
    ///   `limitExceeded` if the vector would exceed its size limit.
    /// - Complexity: O(elements + log n)
    package func append(
        _ range: Range<Int>, values: inout ColumnVector, keys: inout ColumnVector?
    ) throws(StoreError) {
        try forEach(in: range) { entry throws(StoreError) in
            try entry.append(to: &values, keys: &keys, path: path)
            return true
        }
    }
}

extension EditedCollection {
    /// Appends elements to vectors, like ``LargeCollection/append(_:values:keys:)``.
    func append(
        _ range: Range<Int>, values: inout ColumnVector, keys: inout ColumnVector?
    ) throws(StoreError) {
        try forEach(in: range) { entry throws(StoreError) in
            try entry.append(to: &values, keys: &keys, path: path)
            return true
        }
    }
}
