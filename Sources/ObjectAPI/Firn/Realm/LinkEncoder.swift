import FirnEngine
import FirnValues

/// The treatment of objects inside a value that is encoded for the database.
public struct _LinkEncoder {
    private enum Way {
        case refused
        case lookedUp(LinkLookup)
        case added(ObjectAdding)
    }

    private let way: Way

    /// Creates an encoder that looks up objects and does not add any.
    init(_ lookup: LinkLookup) { way = .lookedUp(lookup) }

    /// Creates an encoder that adds unmanaged objects.
    init(_ adding: ObjectAdding) { way = .added(adding) }

    private init(_ way: Way) { self.way = way }

    /// An encoder for values that contain no objects.
    static var refusing: _LinkEncoder { _LinkEncoder(.refused) }

    /// Returns the stored form of a link to an object.
    func link(to object: ObjectBase) -> Value {
        switch way {
        case .refused: misuse("a link outside of a write transaction")
        case .lookedUp(let lookup): lookup.link(to: object)
        case .added(let adding): adding.link(to: object)
        }
    }

    /// Returns the stored form of a value.
    ///
    /// - Throws: ``StoreError`` if an object inside the value could not be added.
    func encoded(_ value: some RealmCollectionValue) throws(StoreError) -> Value {
        let stored = value._encode(self).value
        if case .added(let adding) = way { try adding.checkSuccess() }
        return stored
    }
}

/// An encoder of values whose objects are already in a realm.
final class LinkLookup {
    private let instance: RealmInstance?
    /// Whether an object was requested that is not in the realm.
    private var isMissing = false

    private init(_ instance: RealmInstance?) { self.instance = instance }

    /// Returns the stored form of a value, or `nil` if an object in it is not in the realm.
    ///
    /// - Parameter instance: The realm, or `nil` for none, which contains no objects.
    static func value(
        of value: some RealmCollectionValue, in instance: RealmInstance?
    ) -> Value? {
        let lookup = LinkLookup(instance)
        let stored = value._encode(_LinkEncoder(lookup)).value
        return lookup.isMissing ? nil : stored
    }

    fileprivate func link(to object: ObjectBase) -> Value {
        if let instance, let access = object.access, access.instance === instance {
            return .link(access.reference)
        }
        isMissing = true
        return .null
    }
}
