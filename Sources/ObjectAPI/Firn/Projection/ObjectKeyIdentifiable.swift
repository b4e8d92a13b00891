import FirnEngine
import FirnValues

/// An object or projection that is identified by a number.
///
/// User interfaces use such identities for the elements of lists.
///
///     class Dog: Object, ObjectKeyIdentifiable {
///         @Persisted var name = ""
///     }
///
/// A class that declares its own `id` is identified by that property.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// The identity of the object, which is unique in its file.
    ///
    /// It does not change as long as the object exists, in all processes, versions and realms of
    /// the file, and remains valid after the object was deleted or invalidated. An unmanaged object
    /// has a different identity while it is in memory and unmanaged.
    public var id: UInt64 { identity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The identity of the object.
    public var id: UInt64 { rootObject.identity }
}

extension ObjectBase {
    fileprivate final var identity: UInt64 {
        guard let access else {
            // Managed objects never have the highest bit set.
            return UInt64(UInt(bitPattern: ObjectIdentifier(self))) | 1 << 63
        }
        // There are few classes, so their numbers stay above those of rows until a class has had
        // 2^40 rows.
        let classID = UInt64(access.binding.schema.id.rawValue)
        return (access.row.rawValue ^ classID << 40) & ~(1 << 63)
    }
}
