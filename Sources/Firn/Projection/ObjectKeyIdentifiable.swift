import FirnEngine
import FirnValues

/// An object or a projection that is told from others by a number, as lists on a screen want it.
///
///     class Dog: Object, ObjectKeyIdentifiable {
///         @Persisted var name = ""
///     }
///
/// A class that has an `id` of its own is identified by that.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// What no other object of the file has.
    ///
    /// It stays the same as long as the object exists, in all processes, versions and realms of the file,
    /// also after the object was deleted or invalidated. An unmanaged object has another one, for as long as
    /// it is in memory and unmanaged.
    public var id: UInt64 { identity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// That of the object.
    public var id: UInt64 { rootObject.identity }
}

extension ObjectBase {
    fileprivate final var identity: UInt64 {
        guard let access else {
            // No managed object has the highest bit.
            return UInt64(UInt(bitPattern: ObjectIdentifier(self))) | 1 << 63
        }
        // Classes are few: their numbers stand above those of the rows until a class has had 2^40.
        let classID = UInt64(access.binding.schema.id.rawValue)
        return (access.row.rawValue ^ classID << 40) & ~(1 << 63)
    }
}
