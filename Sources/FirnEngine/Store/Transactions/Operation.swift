package import FirnValues

/// One logical change.
///
/// A transaction is a stream of these: they build the overlay, and what is
/// derived from them (indexes, counts, zone maps) is never part of the stream.
package enum Operation: Hashable, Sendable {
    case addClass(ClassDefinition)
    /// A new object; one value per property, in the order of the schema.
    case create(ClassID, [Value])
    case set(ClassID, RowID, PropertyID, Value)
    case delete(ClassID, RowID)
}
