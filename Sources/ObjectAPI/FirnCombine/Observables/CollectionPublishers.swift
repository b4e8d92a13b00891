public import Firn
import FirnValues

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of collections, maps, sections and projected collections.
extension ChangeObservable where ObservedChange: _RealmChange, ObservedChange._Source == Self {
    /// A publisher that emits whenever the collection has changed.
    ///
    /// A frozen or unmanaged collection never emits.
    public var objectWillChange: RealmPublishers.WillChange<Self> { observable(nil).willChange }

    /// A publisher that emits the collection initially and whenever it has changed.
    ///
    /// The program stops on subscription if the collection is frozen or unmanaged.
    public var collectionPublisher: RealmPublishers.Value<Self> { observable(nil).value }

    /// Returns a publisher that emits the collection initially and whenever it has changed.
    ///
    /// - Parameter keyPaths: The properties of the objects to observe, as in `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        observable(keyPaths).value
    }

    /// A publisher that emits the initial collection and then each change.
    ///
    /// The program stops on subscription if the collection is frozen or unmanaged.
    public var changesetPublisher: RealmPublishers.Changeset<ObservedChange> {
        observable(nil).changeset
    }

    /// Returns a publisher that emits the initial collection and then each change.
    ///
    /// - Parameter keyPaths: The properties of the objects to observe, as in `observe`.
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

/// Returns a publisher that emits a collection initially and whenever it has changed.
///
/// - Parameters:
///   - collection: A managed collection that is not frozen. The program stops on subscription
///     otherwise.
///   - keyPaths: The properties of the objects to observe, as in `observe`.
public func valuePublisher<T: ChangeObservable>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T>
where T.ObservedChange: _RealmChange, T.ObservedChange._Source == T {
    collection.observable(keyPaths).value
}

/// Returns a publisher that emits the initial collection and then each change.
///
/// - Parameters:
///   - collection: A managed collection that is not frozen. The program stops on subscription
///     otherwise.
///   - keyPaths: The properties of the objects to observe, as in `observe`.
public func changesetPublisher<T: ChangeObservable>(
    _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Changeset<T.ObservedChange>
where T.ObservedChange: _RealmChange, T.ObservedChange._Source == T {
    collection.observable(keyPaths).changeset
}
