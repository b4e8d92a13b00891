import Foundation

/// What adding and making objects does with a field, as functions that know its type.
///
/// A function of ``PersistedField`` looks up types in tables of the runtime at each call, because it
/// is generic; these were made for one type each.
struct FieldAccess: Sendable {
    /// What the database is to store for the value of an unmanaged object.
    let stored: @Sendable (UnsafeMutableRawPointer, _LinkEncoder) -> _StoredValue
    /// Lets go of the value of an object that is in the database from now on; `nil` if it holds
    /// nothing that could be let go of.
    let release: (@Sendable (UnsafeMutableRawPointer) -> Void)?
    /// Gives the property of an object another value, whether managed or not; `false` if it is of
    /// another kind.
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

    /// Inlined, so that the functions are made for the type where the caller names it.
    @inline(__always)
    init<Value: _Persistable>(_ type: Value.Type) {
        stored = { field, links in Persisted<Value>.stored(field, links) }
        // Besides the value a field holds something only while it records, and then is never added.
        if _isPOD(Value.self) {
            release = nil
        } else {
            release = { field in Persisted<Value>.release(field) }
        }
        set = { field, object, value in Persisted<Value>.set(field, of: object, to: value) }
    }

    /// Of the types that most properties have, by type.
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
