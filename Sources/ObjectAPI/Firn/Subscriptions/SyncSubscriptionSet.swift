import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues
import Foundation

/// The queries that a file stores, each with or without a name.
///
///     let subscriptions = realm.subscriptions
///     subscriptions.update {
///         subscriptions.append(QuerySubscription<Dog>(name: "puppies") { $0.age < 2 })
///     }
///     print(subscriptions.count, subscriptions.state)
///
/// Without an upstream, a subscription is a durable name of a query. It hides no objects, and its
/// objects are available immediately. With an upstream, the file holds the objects of the server
/// that its subscriptions select; see the module FirnUpstream.
///
/// Names are unique: appending a query under an existing name changes the subscription of that
/// name. Each query of a class can be subscribed to once without a name, and additionally with
/// names.
///
/// A set is a snapshot that was read by ``Realm/subscriptions`` or left by its own last update.
/// When a newer set exists, its state is ``SyncSubscriptionState/superseded``.
public struct SyncSubscriptionSet {
    let core: SubscriptionSetCore

    init(_ core: SubscriptionSetCore) { self.core = core }

    /// The number of subscriptions.
    public var count: Int { core.list.records.count }

    /// The state of the set.
    ///
    /// - Complexity: O(log versions)
    public var state: SyncSubscriptionState { core.state }

    /// The error in reading the set or writing its last update, without errors of an upstream.
    package var updateError: Realm.Error? { core.failure }

    /// Whether the subscriptions of the file have ever been updated.
    package var wasEverChanged: Bool { core.wasEverChanged }

    /// The error in reading the set or writing its last update, or `nil` if neither failed.
    public var error: (any Error)? {
        guard case .error(let error) = state else { return nil }
        return error
    }
}

extension Realm {
    /// The subscriptions of the file in its newest version or, for a frozen realm, in that version.
    ///
    /// - Complexity: O(subscriptions)
    public var subscriptions: SyncSubscriptionSet {
        instance.checkConfinement()
        return SyncSubscriptionSet(SubscriptionSetCore(instance))
    }
}

// MARK: Updating

extension SyncSubscriptionSet {
    /// Runs code that edits subscriptions, and makes all edits durable in one transaction.
    ///
    /// The method waits for other writers. The program stops in a write transaction of the realm,
    /// or in another update.
    ///
    /// - Parameters:
    ///   - block: A closure that calls ``append(_:)``, ``removeAll(unnamedOnly:)`` and so on, on
    ///     any set of this realm. It does not run if the subscriptions cannot be read.
    ///   - onComplete: A closure that receives `nil`, or the ``Realm/Error`` because of which
    ///     nothing was changed. The same result is available in ``state``. It is called before this
    ///     method returns or, with an upstream, on any thread when the objects have come.
    public func update(
        _ block: () -> Void, onComplete: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let instance = core.instance
        let result = Result { () throws(Realm.Error) in
            let update = try instance.newSubscriptionUpdate()
            instance.run(update, block)
            return try instance.file.commit(update.committed)
        }
        let error = core.finish(result)
        guard let onComplete else { return }
        guard error == nil, let session = instance.file.upstream.session else {
            return onComplete(error)
        }
        Task {
            let result = await Result(catching: { try await session.waitForCycle(seconds: nil) })
            onComplete(result.failure)
        }
    }

    /// Runs code that edits subscriptions, without blocking the actor.
    ///
    /// All edits become durable in one transaction. With an upstream, the method returns when the
    /// objects of the subscriptions have come.
    ///
    /// - Parameter block: A closure as in ``update(_:onComplete:)``. If it throws, nothing is
    ///   changed.
    /// - Throws: An error that the block throws, or ``Realm/Error``. In each case, nothing was
    ///   changed. With an upstream, also the error that ended the replication afterwards.
    public nonisolated(nonsending) func update(_ block: () throws -> Void) async throws {
        let update = try core.instance.newSubscriptionUpdate()
        try core.instance.run(update, block)
        try await commit(update.committed)
        try await core.instance.file.upstream.session?.waitForCycle(seconds: nil)
    }

    /// Makes edits durable, without waiting for their objects.
    nonisolated(nonsending) func commit(_ update: CommittedUpdate) async throws {
        let file = core.instance.file
        let outcome = await Realm.inBackground {
            Result { () throws(Realm.Error) in try file.commit(update) }
        }
        if let error = core.finish(try outcome.get()) { throw error }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension RealmInstance {
    func newSubscriptionUpdate() throws(Realm.Error) -> SubscriptionUpdate {
        do {
            return try beginSubscriptionUpdate()
        } catch {
            throw Realm.Error(error)
        }
    }
}

/// Finding subscriptions.
extension SyncSubscriptionSet {
    /// Returns the subscription with a name, or `nil` if there is none.
    public func first(named name: String) -> SyncSubscription? {
        core.list.first(named: name).map(subscription)
    }

    /// Returns the first subscription to a query, with any name, or `nil` if there is none.
    public func first<T: Object>(
        ofType type: T.Type, where query: (Query<T>) -> Query<Bool>
    ) -> SyncSubscription? {
        first(type, .condition(query(Query()).node))
    }

    /// Returns the first subscription to a query, with any name, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - type: The class of the query.
    ///   - predicateFormat: A condition in the query language. The program stops if it is invalid.
    ///   - args: The arguments for `%@`, `%K`, `$0`, `$1` and so on in the condition.
    public func first<T: Object>(
        ofType type: T.Type, where predicateFormat: String, _ args: Any...
    ) -> SyncSubscription? {
        first(type, .text(predicateFormat, args))
    }

    private func first<T: Object>(
        _ type: T.Type, _ query: SubscribedQuery
    ) -> SyncSubscription? {
        let instance = core.instance
        return core.list.first(
            instance.binding(of: type).schema.name, query.text(type, in: instance)
        ).map(subscription)
    }

    private func subscription(_ record: SubscriptionRecord) -> SyncSubscription {
        SyncSubscription(set: core, record: record)
    }
}

extension SyncSubscriptionSet: Sequence {
    /// Returns an iterator over the subscriptions in the order in which they were added.
    public func makeIterator() -> AnyIterator<SyncSubscription> {
        AnyIterator(core.list.records.map(subscription).makeIterator())
    }

    /// Returns the subscription at a position, or `nil` if there is none.
    public subscript(position: Int) -> SyncSubscription? {
        let records = core.list.records
        return records.indices.contains(position) ? subscription(records[position]) : nil
    }

    /// The subscription that was added first, or `nil` if there is none.
    public var first: SyncSubscription? { core.list.records.first.map(subscription) }

    /// The subscription that was added last, or `nil` if there is none.
    public var last: SyncSubscription? { core.list.records.last.map(subscription) }
}

/// Editing subscriptions.
///
/// These methods must be called in the block of ``SyncSubscriptionSet/update(_:onComplete:)``. The
/// program stops otherwise.
extension SyncSubscriptionSet {
    /// Adds subscriptions.
    ///
    /// A subscription whose name is taken replaces the query of that name. An unnamed subscription
    /// to the same query as another unnamed one only updates its date.
    public func append<T: Object>(_ subscriptions: QuerySubscription<T>...) {
        let instance = core.instance
        for subscription in subscriptions {
            let className = instance.binding(of: T.self).schema.name
            core.edit(
                .put(
                    .init(Foundation.UUID()), name: subscription.name, className: className,
                    query: subscription.query.text(T.self, in: instance)))
        }
    }

    /// Removes a subscription if it still exists.
    public func remove(_ subscription: SyncSubscription) {
        core.edit(.remove(subscription.record.id))
    }

    /// Removes the subscription with a name if it exists.
    public func remove(named name: String) { core.edit(.removeNamed(name)) }

    /// Removes the subscription that ``first(ofType:where:)`` finds, if there is one.
    public func remove<T: Object>(
        ofType type: T.Type, where query: (Query<T>) -> Query<Bool>
    ) {
        remove(type, .condition(query(Query()).node))
    }

    /// Removes the subscription that ``first(ofType:where:_:)`` finds, if there is one.
    public func remove<T: Object>(
        ofType type: T.Type, where predicateFormat: String, _ args: Any...
    ) {
        remove(type, .text(predicateFormat, args))
    }

    private func remove<T: Object>(_ type: T.Type, _ query: SubscribedQuery) {
        let instance = core.instance
        core.edit(
            .removeQuery(
                className: instance.binding(of: type).schema.name,
                query: query.text(type, in: instance)))
    }

    /// Removes all subscriptions, or all unnamed ones.
    public func removeAll(unnamedOnly: Bool = false) {
        core.edit(.removeAll(unnamedOnly: unnamedOnly))
    }

    /// Removes all subscriptions to queries of a class.
    public func removeAll<T: Object>(ofType type: T.Type) {
        core.edit(.removeClass(core.instance.binding(of: type).schema.name))
    }
}
