public import Firn

/// The publishers of what a projection shows of a collection.
extension ProjectedCollection {
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
