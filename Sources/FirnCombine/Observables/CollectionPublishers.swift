public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of collections and maps, of sections, and of what a projection shows of a collection.
extension ChangeObservable where ObservedChange: _RealmChange, ObservedChange._Source == Self {
    /// Says whenever something has changed; nothing happens to what is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Self> { observable(nil).willChange }

    /// Gives the collection as it is, and anew whenever it has changed.
    ///
    /// The program stops for what is frozen or in no realm when somebody subscribes.
    public var collectionPublisher: RealmPublishers.Value<Self> { observable(nil).value }

    /// Gives the collection as it is, and anew whenever it has changed.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        observable(keyPaths).value
    }

    /// Gives the collection as it is, and then each change.
    ///
    /// The program stops for what is frozen or in no realm when somebody subscribes.
    public var changesetPublisher: RealmPublishers.Changeset<ObservedChange> {
        observable(nil).changeset
    }

    /// Gives the collection as it is, and then each change.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func changesetPublisher(
        keyPaths: [String]?
    ) -> RealmPublishers.Changeset<ObservedChange> { observable(keyPaths).changeset }

    fileprivate func observable(_ keyPaths: [String]?) -> Observable<ObservedChange> {
        Observable(source: self) { observe(keyPaths: keyPaths, on: $0, $1) }
    }
}

extension List: ObservableObject {
    /// See ``Firn/ChangeObservable/objectWillChange``.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<List>
}

extension MutableSet: ObservableObject {
    /// See ``Firn/ChangeObservable/objectWillChange``.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<MutableSet>
}

extension Map: ObservableObject {
    /// See ``Firn/ChangeObservable/objectWillChange``.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<Map>
}

/// Gives a collection as it is, and anew whenever it has changed.
///
/// - Parameters:
///   - collection: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of the objects are observed, as of `observe`.
public func valuePublisher<T: ChangeObservable>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T>
where T.ObservedChange: _RealmChange, T.ObservedChange._Source == T {
    collection.observable(keyPaths).value
}

/// Gives a collection as it is, and then each change.
///
/// - Parameters:
///   - collection: in a realm and not frozen; the program stops otherwise when somebody subscribes.
///   - keyPaths: which properties of the objects are observed, as of `observe`.
public func changesetPublisher<T: ChangeObservable>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Changeset<T.ObservedChange>
where T.ObservedChange: _RealmChange, T.ObservedChange._Source == T {
    collection.observable(keyPaths).changeset
}
