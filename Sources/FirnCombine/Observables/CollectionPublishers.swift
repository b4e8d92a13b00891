public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of `Results`, `List`, `MutableSet` and all other collections with an order.
extension RealmCollection {
    /// Says whenever the collection has changed; nothing happens to a collection that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Self> { observable(nil).willChange }

    /// Gives the collection as it is, and anew whenever it has changed.
    ///
    /// The program stops for a collection that is frozen or in no realm when somebody subscribes.
    public var collectionPublisher: RealmPublishers.Value<Self> { observable(nil).value }

    /// Gives the collection as it is, and anew whenever it has changed.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        observable(keyPaths).value
    }

    /// Gives the collection as it is, and then each change.
    ///
    /// The program stops for a collection that is frozen or in no realm when somebody subscribes.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
        observable(nil).changeset
    }

    /// Gives the collection as it is, and then each change.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func changesetPublisher(
        keyPaths: [String]?
    ) -> RealmPublishers.CollectionChangeset<Self> { observable(keyPaths).changeset }

    fileprivate func observable(_ keyPaths: [String]?) -> Observable<RealmCollectionChange<Self>> {
        Observable(source: self) { observe(keyPaths: keyPaths, on: $0, $1) }
    }
}

extension List: ObservableObject {
    /// See ``Firn/RealmCollection/objectWillChange``.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<List>
}

extension MutableSet: ObservableObject {
    /// See ``Firn/RealmCollection/objectWillChange``.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<MutableSet>
}

/// Gives a collection as it is, and anew whenever it has changed.
///
/// - Parameters:
///   - collection: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of the objects are observed, as of `observe`.
public func valuePublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> { collection.observable(keyPaths).value }

/// Gives a collection as it is, and then each change.
///
/// - Parameters:
///   - collection: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of the objects are observed, as of `observe`.
public func changesetPublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.CollectionChangeset<T> { collection.observable(keyPaths).changeset }
