package import FirnCodec
package import FirnValues

/// The collections of one property in one row group.
///
/// The elements of all rows stand one behind the other, so that a question about elements is asked
/// of one column; large collections are elsewhere and read when asked for.
package struct CollectionColumn: Sendable {
    package let property: PropertySchema
    /// Inline elements of row i are `elements[starts[i]..<starts[i + 1]]`; there is one more start
    /// than rows.
    package let starts: [UInt32]
    package let elements: ColumnPage
    /// The keys of maps, parallel to the elements.
    package let keys: ColumnPage?

    package var rowCount: Int { starts.count - 1 }

    /// Rows whose elements are not inline, ascending.
    package var outOfLineRows: [UInt32] { [] }

    /// How many elements a row has.
    package func count(at row: Int) -> Int { Int(starts[row + 1] - starts[row]) }

    /// Appends the collections of rows, large ones included, to a vector of kind list, set or map.
    package func append(
        _ rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        preconditionFailure("contract")
    }

    /// One collection as a value; links are ``Value/link(_:)``.
    package func value(at row: Int) throws(StoreError) -> Value {
        preconditionFailure("contract")
    }
}
