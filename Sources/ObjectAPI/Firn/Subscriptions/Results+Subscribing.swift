import FirnEngine
import FirnQuery
import FirnValues
public import Foundation

extension Results {
    /// Stores the query in the file, with or without a name.
    ///
    ///     let puppies = try await realm.objects(Dog.self).where { $0.age < 2 }
    ///         .subscribe(name: "puppies")
    ///
    /// If the subscription already exists, nothing is written. If the name belongs to another
    /// query, that query is replaced.
    ///
    /// - Parameters:
    ///   - name: A name that is unique in the file, or the name of the subscription to replace.
    ///   - waitForSync: When to wait for the objects of an upstream. Without an upstream all
    ///     objects are available, and nothing is waited for.
    ///   - timeout: The time in seconds after which to stop waiting, or `nil` to wait as long as it
    ///     takes. The subscription stays.
    /// - Returns: These results, whose ``unsubscribe()`` removes the subscription.
    /// - Throws: ``Realm/Error`` with `timedOut` if the objects did not come in time. Any other
    ///   ``Realm/Error`` that is thrown before waiting changed nothing.
    @discardableResult
    public nonisolated(nonsending) func subscribe(
        name: String? = nil, waitForSync: WaitForSyncMode = .onCreation,
        timeout: TimeInterval? = nil
    ) async throws -> Results {
        let chain = core.chain(for: "subscribe()")
        let set = SyncSubscriptionSet(SubscriptionSetCore(core.instance))
        let className = chain.objectClass.name
        let query = chain.subscribedText
        let isNew =
            set.core.list.match(name: name, className: className, query: query)?.query != query
        if isNew {
            let update = try core.instance.newSubscriptionUpdate()
            core.instance.run(update) {
                set.core.edit(
                    .put(
                        .init(Foundation.UUID()), name: name, className: className, query: query))
            }
            try await set.commit(update.committed)
        }
        if let error = set.core.failure { throw error }
        chain.subscription = set.core.list.match(name: name, className: className, query: query)?.id
        if waitForSync == .always || waitForSync == .onCreation && isNew {
            try await core.instance.file.upstream.session?.waitForCycle(seconds: timeout)
            // The objects came in a version that this realm may not show yet.
            try core.instance.refreshUnlessWriting()
        }
        return Results(chain)
    }

    /// Removes the subscription to these results.
    ///
    /// The method removes the subscription that
    /// ``subscribe(name:waitForSync:timeout:)`` created or found. If there is none, it
    /// removes the unnamed subscription to the same query, if that exists.
    ///
    /// The program stops in a write transaction of the realm, or in an update of subscriptions. If
    /// the file cannot be written, the subscription remains in ``Realm/subscriptions``.
    public func unsubscribe() {
        let chain = core.chain(for: "unsubscribe()")
        let set = SyncSubscriptionSet(SubscriptionSetCore(core.instance))
        let id =
            chain.subscription
            ?? set.core.list.match(
                name: nil, className: chain.objectClass.name, query: chain.subscribedText)?.id
        chain.subscription = nil
        guard let id else { return }
        set.update { set.core.edit(.remove(id)) }
    }
}
