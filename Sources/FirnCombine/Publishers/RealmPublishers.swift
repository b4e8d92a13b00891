public import Dispatch
public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The publishers of what happens to realms and to what comes out of them.
///
///     cancellable = changesetPublisher(realm.objects(Dog.self))
///         .freeze()
///         .receive(on: queue)
///         .sink { change in show(change) }
///
/// With OpenCombine, on Linux, the scheduler of a queue is `queue.ocombine`.
///
/// They are what `observe` tells, and keep its rules: values come where the realm is used, and nothing comes
/// from inside of a write transaction. Nothing is lost for a subscriber that asks for less than there is: of
/// changes it gets all, one after the other, and of values the newest. What is not frozen is live: a collection
/// that waited is as it is when it arrives.
public enum RealmPublishers {
    /// Says whenever something has changed.
    ///
    /// In spite of the name, which the protocol `ObservableObject` gives it, after that has happened.
    public struct WillChange<Source>: _ObservingPublisher {
        /// What it gives.
        public typealias Output = Void
        /// How it can fail.
        public typealias Failure = Never

        /// What begins when somebody subscribes.
        public var _observation: _Observation<Void>

        /// Begins to observe for a subscriber.
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Void, S.Failure == Never {
            _observation.publish(to: subscriber, keepsAll: false) { _ in .finished }
        }
    }

    /// Gives something anew whenever it has changed, and a collection also at first.
    ///
    /// Finishes when what is observed is deleted.
    public struct Value<Source: ThreadConfined>: _ObservingPublisher {
        /// What it gives.
        public typealias Output = Source
        /// How it can fail.
        public typealias Failure = any Error

        /// What begins when somebody subscribes.
        public var _observation: _Observation<Source>

        /// Begins to observe for a subscriber.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Source, S.Failure == any Error {
            _observation.publish(to: subscriber, keepsAll: false) { .failure($0) }
        }
    }

    /// Gives what has changed of something.
    ///
    /// Finishes when what is observed is deleted, or the database cannot be read any more, which it says
    /// before.
    public struct Changeset<Change>: _ObservingPublisher {
        /// What it gives.
        public typealias Output = Change
        /// How it can fail.
        public typealias Failure = Never

        /// What begins when somebody subscribes.
        public var _observation: _Observation<Change>

        /// Begins to observe for a subscriber.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Change, S.Failure == Never {
            _observation.publish(to: subscriber, keepsAll: true) { _ in .finished }
        }
    }

    /// Says whenever a realm shows another version, or could; see ``Firn/Realm/objectWillChange``.
    public typealias RealmWillChange = WillChange<Realm>
    /// Gives the changes of an object or a projection.
    public typealias ObjectChangeset<T> = Changeset<ObjectChange<T>>
    /// Gives the changes of a collection.
    public typealias CollectionChangeset<Collection> = Changeset<RealmCollectionChange<Collection>>
    /// Gives the changes of a map.
    public typealias MapChangeset<Collection: RealmKeyedCollection> =
        Changeset<RealmMapChange<Collection>>
    /// Gives the changes of sections.
    public typealias SectionedResultsChangeset<Sections> =
        Changeset<SectionedResultsChange<Sections>>
    /// Gives the changes of one section.
    public typealias SectionChangeset<Section> = Changeset<SectionedResultsChange<Section>>
}

// MARK: Tokens

/// A publisher that observes something for each subscriber.
public protocol _ObservingPublisher: Publisher {
    /// What begins when somebody subscribes.
    var _observation: _Observation<Output> { get set }
}

extension _ObservingPublisher {
    /// Lets the object have the token of the observation, to say `realm.write(withoutNotifying: [token])`.
    ///
    /// - Parameters:
    ///   - object: gets the token when somebody subscribes.
    ///   - keyPath: the property that is to have it.
    public func saveToken<T: AnyObject>(
        on object: T, at keyPath: ReferenceWritableKeyPath<T, NotificationToken?>
    ) -> Self {
        var publisher = self
        publisher._observation.keep = { object[keyPath: keyPath] = $0 }
        return publisher
    }

    fileprivate func observing(on queue: DispatchQueue) -> Self {
        var publisher = self
        publisher._observation.queue = queue
        return publisher
    }
}

extension RealmPublishers.Value {
    /// Lets the values come on a serial queue, those of a realm of that queue.
    public func subscribe(on queue: DispatchQueue) -> RealmPublishers.Value<Source> {
        observing(on: queue)
    }
}

extension RealmPublishers.Changeset {
    /// Lets the changes come on a serial queue, those of a realm of that queue.
    public func subscribe(on queue: DispatchQueue) -> RealmPublishers.Changeset<Change> {
        observing(on: queue)
    }
}
