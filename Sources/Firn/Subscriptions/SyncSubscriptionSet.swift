import FirnEngine
import FirnPlatform
import FirnQuery

/// The queries that a file keeps, each with or without a name.
///
///     let subscriptions = realm.subscriptions
///     subscriptions.update {
///         subscriptions.append(QuerySubscription<Dog>(name: "puppies") { $0.age < 2 })
///     }
///     print(subscriptions.count, subscriptions.state)
///
/// Without an upstream a subscription is a durable name of a query: it hides nothing, and what it asks
/// for is complete at once.
///
/// A name is there once at most: who appends a query under a name that is taken changes the subscription
/// of that name. Without a name each query of a class is there once at most; with a name and without one it
/// may be there twice.
///
/// A set is what ``Realm/subscriptions`` read, or what its own last update left. Another one that is older
/// than the newest is ``SyncSubscriptionState/superseded``.
public struct SyncSubscriptionSet {
    let core: SubscriptionSetCore

    init(_ core: SubscriptionSetCore) { self.core = core }

    /// How many subscriptions there are.
    public var count: Int { core.list.records.count }

    /// What has become of the set.
    ///
    /// - Complexity: O(log versions)
    public var state: SyncSubscriptionState { core.state }

    /// Why the set could not be read, or its last update not be written; `nil` if nothing failed.
    public var error: (any Error)? {
        guard case .error(let error) = state else { return nil }
        return error
    }
}

extension Realm {
    /// The subscriptions of the file, as the newest version has them; of a frozen realm, as its version
    /// has them.
    ///
    /// - Complexity: O(subscriptions)
    public var subscriptions: SyncSubscriptionSet {
        instance.checkConfinement()
        return SyncSubscriptionSet(SubscriptionSetCore(instance))
    }
}

// MARK: Updating

extension SyncSubscriptionSet {
    /// Runs code that changes subscriptions, and makes all that it did durable in one transaction.
    ///
    /// Other writers are waited for. Not in a write transaction of the realm, nor in another update: the
    /// program stops.
    ///
    /// - Parameters:
    ///   - block: uses ``append(_:)``, ``removeAll(unnamedOnly:)`` and so on, of any set of this realm. It does
    ///     not run if the subscriptions cannot be read.
    ///   - onComplete: is called before this returns, with `nil`, or with the ``Realm/Error`` because of which
    ///     nothing was changed. ``state`` says the same.
    public func update(_ block: () -> Void, onComplete: (((any Error)?) -> Void)? = nil) {
        let instance = core.instance
        let result = Result { () throws(StoreError) in
            let update = try instance.beginSubscriptionUpdate()
            instance.run(update, block)
            return try instance.file.commit(update.edits, now: update.now)
        }
        let error = core.finish(result)
        onComplete?(error)
    }

    /// Runs code that changes subscriptions, and makes all that it did durable in one transaction, without
    /// blocking the actor.
    ///
    /// - Parameters:
    ///   - block: as in ``update(_:onComplete:)``; if it throws, nothing is changed.
    ///   - actor: where the realm is used.
    /// - Throws: what the block throws, and ``Realm/Error``: nothing was changed then.
    public func update(
        _ block: () throws -> Void, _isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
        let update = try core.instance.newSubscriptionUpdate()
        try core.instance.run(update, block)
        let (file, edits, now) = (core.instance.file, update.edits, update.now)
        let outcome = await Realm.inBackground {
            Result { () throws(StoreError) in try file.commit(edits, now: now) }
        }
        if let error = core.finish(try outcome.get()) { throw error }
    }
}

extension RealmInstance {
    fileprivate func newSubscriptionUpdate() throws(Realm.Error) -> SubscriptionUpdate {
        do throws(StoreError) {
            return try beginSubscriptionUpdate()
        } catch {
            throw Realm.Error(error)
        }
    }
}
