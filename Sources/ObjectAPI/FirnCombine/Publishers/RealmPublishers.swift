public import Dispatch
public import Firn
import FirnValues

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of changes to realms and their contents.
///
///     cancellable = changesetPublisher(realm.objects(Dog.self))
///         .freeze()
///         .receive(on: queue)
///         .sink { change in show(change) }
///
/// With OpenCombine, on Linux, the scheduler of a queue is `queue.ocombine`.
///
/// The publishers are based on `observe` and follow its rules: values are delivered where the realm
/// is used, and never during a write transaction. A subscriber with limited demand misses nothing:
/// it receives all changes, one after the other, and the newest of all values. Values that are not
/// frozen are live: a collection that waited for demand is delivered in its current state.
public enum RealmPublishers {
    /// A publisher that emits whenever its source has changed.
    ///
    /// The name comes from the protocol `ObservableObject`, but the publisher emits after the
    /// change.
    public struct WillChange<Source>: _ObservingPublisher {
        /// The type of the published values.
        public typealias Output = Void
        /// The type of the failure, which never occurs.
        public typealias Failure = Never

        /// The observation that begins on subscription.
        public var _observation: _Observation<Void>

        /// Starts observing for a subscriber.
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Void, S.Failure == Never {
            _observation.publish(to: subscriber, keepsAll: false) { _ in .finished }
        }
    }

    /// A publisher that emits its source whenever it has changed.
    ///
    /// Collections are also published initially.
    ///
    /// The publisher finishes when its source is deleted.
    public struct Value<Source: ThreadConfined>: _ObservingPublisher {
        /// The type of the published values.
        public typealias Output = Source
        /// The type of the failure.
        public typealias Failure = any Error

        /// The observation that begins on subscription.
        public var _observation: _Observation<Source>

        /// Starts observing for a subscriber.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Source, S.Failure == any Error {
            _observation.publish(to: subscriber, keepsAll: false) { .failure($0) }
        }
    }

    /// A publisher of the changes to its source.
    ///
    /// The publisher finishes when its source is deleted. It also finishes when the database can no
    /// longer be read, after publishing the error.
    public struct Changeset<Change>: _ObservingPublisher {
        /// The type of the published values.
        public typealias Output = Change
        /// The type of the failure, which never occurs.
        public typealias Failure = Never

        /// The observation that begins on subscription.
        public var _observation: _Observation<Change>

        /// Starts observing for a subscriber.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Change, S.Failure == Never {
            _observation.publish(to: subscriber, keepsAll: true) { _ in .finished }
        }
    }

    /// A publisher that emits whenever a realm shows a different version, or could show one.
    ///
    /// See ``Firn/Realm/objectWillChange``.
    public typealias RealmWillChange = WillChange<Realm>
    /// A publisher of the changes to an object or a projection.
    public typealias ObjectChangeset<T> = Changeset<ObjectChange<T>>
    /// A publisher of the changes to a collection.
    public typealias CollectionChangeset<Collection> = Changeset<RealmCollectionChange<Collection>>
    /// A publisher of the changes to a map.
    public typealias MapChangeset<Collection: RealmKeyedCollection> =
        Changeset<RealmMapChange<Collection>>
    /// A publisher of the changes to sections.
    public typealias SectionedResultsChangeset<Sections> =
        Changeset<SectionedResultsChange<Sections>>
    /// A publisher of the changes to one section.
    public typealias SectionChangeset<Section> = Changeset<SectionedResultsChange<Section>>
}

// MARK: Tokens

/// A publisher that observes its source separately for each subscriber.
public protocol _ObservingPublisher: Publisher {
    /// The observation that begins on subscription.
    var _observation: _Observation<Output> { get set }
}

extension _ObservingPublisher {
    /// Returns a publisher that stores the token of the observation in an object.
    ///
    /// The token can be passed to `realm.write(withoutNotifying: [token])`.
    ///
    /// - Parameters:
    ///   - object: The object that receives the token on subscription.
    ///   - keyPath: The property that stores the token.
    public func saveToken<T: AnyObject>(
        on object: T, at keyPath: ReferenceWritableKeyPath<T, NotificationToken?>
    ) -> Self {
        var publisher = self
        publisher._observation.keep = { object[keyPath: keyPath] = $0 }
        return publisher
    }

    /// Returns a publisher that stores the token of the observation in an object.
    ///
    /// It is ``saveToken(on:at:)`` under the name that publishers of a realm have for it.
    public func saveToken<T: AnyObject>(
        on object: T, for keyPath: ReferenceWritableKeyPath<T, NotificationToken?>
    ) -> Self { saveToken(on: object, at: keyPath) }

    fileprivate func observing(on queue: DispatchQueue) -> Self {
        var publisher = self
        publisher._observation.queue = queue
        return publisher
    }
}

extension RealmPublishers.Value {
    /// Returns a publisher that delivers values on a serial queue, in a realm of that queue.
    public func subscribe(on queue: DispatchQueue) -> RealmPublishers.Value<Source> {
        observing(on: queue)
    }
}

extension RealmPublishers.Changeset {
    /// Returns a publisher that delivers changes on a serial queue, in a realm of that queue.
    public func subscribe(on queue: DispatchQueue) -> RealmPublishers.Changeset<Change> {
        observing(on: queue)
    }
}
