import FirnEngine
import FirnValues

/// What becomes of the objects in a value that is encoded for the database.
public struct _LinkEncoder {
    private enum Way {
        case refused
        case lookedUp(LinkLookup)
        case added(ObjectAdding)
    }

    private let way: Way

    /// Objects are looked up, and none is added.
    init(_ lookup: LinkLookup) { way = .lookedUp(lookup) }

    /// Objects that are unmanaged are added.
    init(_ adding: ObjectAdding) { way = .added(adding) }

    private init(_ way: Way) { self.way = way }

    /// For values that lead to no objects.
    static var refusing: _LinkEncoder { _LinkEncoder(.refused) }

    /// What the database stores for an object that a value leads to.
    func link(to object: ObjectBase) -> Value {
        switch way {
        case .refused: misuse("a link outside of a write transaction")
        case .lookedUp(let lookup): lookup.link(to: object)
        case .added(let adding): adding.link(to: object)
        }
    }

    /// What the database stores for a value.
    ///
    /// - Throws: ``StoreError`` if adding an object in it failed.
    func encoded(_ value: some RealmCollectionValue) throws(StoreError) -> Value {
        let stored = value._encode(self).value
        if case .added(let adding) = way { try adding.checkSuccess() }
        return stored
    }
}

/// Encodes values whose objects are in a realm already.
final class LinkLookup {
    private let instance: RealmInstance?
    /// Whether an object was asked for that is not there.
    private var isMissing = false

    private init(_ instance: RealmInstance?) { self.instance = instance }

    /// What the database stores for a value; `nil` if an object in it is not in the realm.
    ///
    /// - Parameter instance: `nil` for no realm, which has no objects.
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
