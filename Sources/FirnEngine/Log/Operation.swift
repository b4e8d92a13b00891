package import FirnValues

/// One logical change.
///
/// A transaction is a stream of these: they build the overlay, and what is
/// derived from them (indexes, counts, zone maps) is never part of the stream.
package enum Operation: Hashable, Sendable {
    case schema(SchemaChange)
    /// A new object with an identity that was never used; one value per property, in the order of
    /// the schema.
    case create(ClassID, RowID, [Value])
    case set(ClassID, RowID, PropertyID, Value)
    /// A change inside of a collection.
    case edit(ClassID, RowID, PropertyID, CollectionEdit)
    case delete(ClassID, RowID)
    /// A name for a version; none of that name exists.
    case freeze(Freeze)
    case dropFreeze(String)
}

/// One change of the schema.
package enum SchemaChange: Hashable, Sendable {
    case addClasses([ClassDefinition])
    case renameClass(ClassID, String)
    case removeClass(ClassID)
    /// Objects that exist get the value, or nil or empty.
    case addProperty(ClassID, ClassDefinition.Property, filling: Value?)
    case renameProperty(ClassID, PropertyID, String)
    case removeProperty(ClassID, PropertyID)
    case setKey(ClassID, PropertyID?)
    case addInverse(ClassID, ClassDefinition.Inverse)
    case removeInverse(ClassID, String)
    /// What a program calls the version of its classes.
    case setModelVersion(UInt64)
}
