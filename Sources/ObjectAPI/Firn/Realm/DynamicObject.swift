/// An object whose class need not be declared in the program.
///
/// Its properties are accessed by name.
///
///     for dog in realm.dynamicObjects("Dog").filter("age > 3") {
///         print(dog.name ?? "no name", dog["age"] as? Int ?? 0)
///     }
///
/// Every class of the file can be used in this way, including classes that were created with `firn`
/// and classes that the program declares. Values have the types that the program would declare:
/// `Int8`, `Int16` and `Int32` for integers of these widths and `Int` for others, ``List``,
/// ``MutableSet`` and ``Map`` for collections, and dynamic objects for links.
///
/// Dynamic objects are read from a realm. ``Realm/dynamicCreate(_:value:update:)`` creates them.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// Creates an object without a class, which cannot be stored in a realm.
    public required init() { super.init() }

    /// Returns `false`, because dynamic objects represent objects of any class.
    public override class func shouldIncludeInDefaultSchema() -> Bool { false }

    /// The value of a property by its name, or `nil` if the property has no value.
    ///
    /// Setting a value requires a write transaction.
    ///
    /// - Parameter member: The name of a property of the class in the file. The program stops if
    ///   the property does not exist or if the value has a different type.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }
}

/// An object of the file as seen by a migration.
public typealias MigrationObject = DynamicObject
