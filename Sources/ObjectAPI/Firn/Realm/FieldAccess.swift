import Foundation

/// The type-specific functions that add and create objects need for a field.
///
/// A generic function of ``PersistedField`` looks up types in tables of the runtime on every call.
/// These functions are specialized for one type each.
struct FieldAccess: Sendable {
    /// Returns the stored form of the value of an unmanaged object.
    let stored: @Sendable (UnsafeMutableRawPointer, _LinkEncoder) -> _StoredValue
    /// Releases the value of an object that has been added to the database, or `nil` if not needed.
    let release: (@Sendable (UnsafeMutableRawPointer) -> Void)?
    /// Sets the property of an object, whether managed or not.
    ///
    /// Returns `false` if the value has a different type.
    let set: @Sendable (UnsafeMutableRawPointer, ObjectBase, Any) -> Bool

    init(
        stored: @escaping @Sendable (UnsafeMutableRawPointer, _LinkEncoder) -> _StoredValue,
        release: (@Sendable (UnsafeMutableRawPointer) -> Void)?,
        set: @escaping @Sendable (UnsafeMutableRawPointer, ObjectBase, Any) -> Bool
    ) {
        self.stored = stored
        self.release = release
        self.set = set
    }

    /// Inlined, so that the functions are specialized where the caller names the type.
    @inline(__always)
    init<Value: _Persistable>(_ type: Value.Type) {
        stored = { field, links in Persisted<Value>.stored(field, links) }
        // Only a recording field holds anything besides its value, and it is never added. A collection
        // now represents the property.
        if _isPOD(Value.self) || Value._isReference {
            release = nil
        } else {
            release = { field in Persisted<Value>.release(field) }
        }
        set = { field, object, value in Persisted<Value>.set(field, of: object, to: value) }
    }

    /// The functions for the most common types of properties, by type.
    static let specialized: [ObjectIdentifier: FieldAccess] = {
        var all: [ObjectIdentifier: FieldAccess] = [:]
        add(Bool.self, to: &all)
        add(Int.self, to: &all)
        add(Int8.self, to: &all)
        add(Int16.self, to: &all)
        add(Int32.self, to: &all)
        add(Int64.self, to: &all)
        add(Float.self, to: &all)
        add(Double.self, to: &all)
        add(String.self, to: &all)
        add(Data.self, to: &all)
        add(Date.self, to: &all)
        add(Foundation.UUID.self, to: &all)
        add(ObjectId.self, to: &all)
        add(Decimal128.self, to: &all)
        return all
    }()

    @inline(__always)
    private static func add<Value: _SingleValue & _OptionalCapable>(
        _ type: Value.Type, to all: inout [ObjectIdentifier: FieldAccess]
    ) {
        all[ObjectIdentifier(type)] = FieldAccess(type)
        all[ObjectIdentifier(Value?.self)] = FieldAccess(Value?.self)
    }
}
