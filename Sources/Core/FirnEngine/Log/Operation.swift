package import FirnValues

/// One logical change.
///
/// A transaction is a stream of operations, which build the overlay. Derived data (indexes, counts,
/// zone maps) is never part of the stream.
package enum Operation: Hashable, Sendable {
    case schema(SchemaChange)
    /// A new object with an identity that was never used before, and one value per property in the
    /// order of the schema.
    case create(ClassID, RowID, [Value])
    case set(ClassID, RowID, PropertyID, Value)
    /// A change inside a collection.
    case edit(ClassID, RowID, PropertyID, CollectionEdit)
    case delete(ClassID, RowID)
    /// A new name for a version.
    case freeze(Freeze)
    case dropFreeze(String)
    /// The author and the note of the commit; always the first operation.
    case annotate(Annotation)
}

/// One change to the schema.
package enum SchemaChange: Hashable, Sendable {
    case addClasses([ClassDefinition])
    case renameClass(ClassID, String)
    case removeClass(ClassID)
    /// A new property; existing objects get the value, or nil or an empty collection.
    case addProperty(ClassID, ClassDefinition.Property, defaultValue: Value?)
    case renameProperty(ClassID, PropertyID, String)
    case removeProperty(ClassID, PropertyID)
    case setKey(ClassID, PropertyID?)
    case addInverse(ClassID, ClassDefinition.Inverse)
    case removeInverse(ClassID, String)
    /// The version number that a program gives its classes.
    case setModelVersion(UInt64)
}
