import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues
import Foundation

/// The edits of a block that has ended.
struct CommittedUpdate: Sendable {
    /// The set after the edits.
    let list: SubscriptionList
    let edits: [SubscriptionEdit]
    let now: Timestamp
}

/// The edits of a running block of ``SyncSubscriptionSet/update(_:onComplete:)``.
final class SubscriptionUpdate {
    /// The set after the edits.
    private(set) var list: SubscriptionList
    private(set) var edits: [SubscriptionEdit] = []
    let now: Timestamp

    init(_ list: SubscriptionList, now: Timestamp) {
        self.list = list
        self.now = now
    }

    var committed: CommittedUpdate { CommittedUpdate(list: list, edits: edits, now: now) }

    func apply(_ edit: SubscriptionEdit) {
        edits.append(edit)
        list.apply(edit, now: now)
    }
}

extension RealmInstance {
    /// Reads the newest set for a block that edits it.
    func beginSubscriptionUpdate() throws(StoreError) -> SubscriptionUpdate {
        checkCanSubscribe()
        guard subscriptionUpdate == nil else {
            misuse("subscriptions are being updated already: updates do not nest")
        }
        let snapshot = try file.database.snapshot()
        let stored = try StoredSubscriptions(snapshot.snapshot, path: file.path)
        return SubscriptionUpdate(stored.list, now: snapshot.now)
    }

    /// Runs a block that edits subscriptions, without writing anything.
    func run(_ update: SubscriptionUpdate, _ block: () throws -> Void) rethrows {
        subscriptionUpdate = update
        defer { subscriptionUpdate = nil }
        try block()
        checkCanSubscribe()
    }

    private func checkCanSubscribe() {
        checkConfinement()
        guard !isFrozen, !file.configuration.readOnly else {
            misuse(
                "subscriptions of a realm that is frozen or opened for reading only cannot change")
        }
        guard transaction == nil else {
            misuse(
                "subscriptions are updated in a transaction of their own: do it outside of "
                    + "realm.write { }")
        }
    }
}

extension RealmFile {
    /// Makes edits durable, waiting for other writers unless there are no edits.
    ///
    /// - Returns: The resulting set.
    /// - Throws: ``Realm/Error``, also if the server cannot evaluate one of the subscriptions.
    func commit(_ update: CommittedUpdate) throws(Realm.Error) -> StoredSubscriptions {
        try upstream.session?.check(update.list, in: database)
        do { return try store(update) } catch { throw Realm.Error(error) }
    }

    private func store(_ update: CommittedUpdate) throws(StoreError) -> StoredSubscriptions {
        guard !update.edits.isEmpty else {
            return try StoredSubscriptions(try database.snapshot().snapshot, path: path)
        }
        let transaction = try beginWaiting()
        do {
            let stored = try StoredSubscriptions.apply(
                update.edits, now: update.now, in: transaction, path: path)
            _ = try transaction.commit()
            return stored
        } catch {
            transaction.rollback()
            throw error
        }
    }
}
