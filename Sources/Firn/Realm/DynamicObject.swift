/// An object whose class the program need not declare: its properties are known by their names.
///
///     for dog in realm.dynamicObjects("Dog").filter("age > 3") {
///         print(dog.name ?? "no name", dog["age"] as? Int ?? 0)
///     }
///
/// Every class of the file can be used this way, also those that were made with `firn`, and classes
/// that the program declares. Values have the types that the program would declare: `Int` for integers of
/// all widths, ``List``, ``MutableSet`` and ``Map`` for collections, and dynamic objects for links.
///
/// Dynamic objects come out of a realm; ``Realm/dynamicCreate(_:value:update:)`` makes them.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// Makes an object that is of no class; a realm cannot store it.
    public required init() { super.init() }

    /// No: it stands for objects of all classes.
    public override class func shouldIncludeInDefaultSchema() -> Bool { false }

    /// The value of a property by its name; `nil` if it has none.
    ///
    /// Setting it needs a write transaction.
    ///
    /// - Parameter member: a property of the class in the file; the program stops for another name, and
    ///   for a value of another type.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }
}

/// An object of the file as a migration sees it.
public typealias MigrationObject = DynamicObject
