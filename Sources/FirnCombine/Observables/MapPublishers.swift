public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of maps.
extension Map {
    /// Says whenever the map has changed; nothing happens to a map that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Map> { observable(nil).willChange }

    /// Gives the map as it is, and anew whenever it has changed.
    ///
    /// The program stops for a map that is frozen or in no realm when somebody subscribes.
    public var collectionPublisher: RealmPublishers.Value<Map> { observable(nil).value }

    /// Gives the map as it is, and anew whenever it has changed.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Map> {
        observable(keyPaths).value
    }

    /// Gives the map as it is, and then each change.
    ///
    /// The program stops for a map that is frozen or in no realm when somebody subscribes.
    public var changesetPublisher: RealmPublishers.MapChangeset<Map> {
        observable(nil).changeset
    }

    /// Gives the map as it is, and then each change.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func changesetPublisher(
        keyPaths: [String]?
    ) -> RealmPublishers.MapChangeset<Map> { observable(keyPaths).changeset }

    fileprivate func observable(_ keyPaths: [String]?) -> Observable<RealmMapChange<Map>> {
        Observable(source: self) { self.observe(keyPaths: keyPaths, on: $0, $1) }
    }
}

extension Map: ObservableObject {}

/// Gives a map as it is, and anew whenever it has changed.
///
/// - Parameters:
///   - map: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of values that are objects are observed, as of `observe`.
public func valuePublisher<Key, Value>(
    _ map: Map<Key, Value>, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Map<Key, Value>> { map.observable(keyPaths).value }

/// Gives a map as it is, and then each change.
///
/// - Parameters:
///   - map: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of values that are objects are observed, as of `observe`.
public func changesetPublisher<Key, Value>(
    _ map: Map<Key, Value>, keyPaths: [String]? = nil
) -> RealmPublishers.MapChangeset<Map<Key, Value>> { map.observable(keyPaths).changeset }
