import FirnValues

/// Integers, with or without null.
///
/// If they can be null, the first element is a number that no other element has, and an element with
/// that number is null.
package struct IntegerLeaf {
    /// The elements after the marker.
    package let values: [Int64]
    /// The number that means null.
    package let null: Int64?

    init(_ node: ArrayNode, isNullable: Bool) throws(RealmFileError) {
        var elements = try node.integers()
        guard isNullable else {
            values = elements
            null = nil
            return
        }
        guard let marker = elements.first else {
            throw .damaged("an array has no marker of null", at: node.position)
        }
        elements.removeFirst()
        values = elements
        null = marker
    }

    /// Returns a value; `nil` for null.
    func value(_ index: Int) -> Int64? {
        let value = values[index]
        return value == null ? nil : value
    }
}
