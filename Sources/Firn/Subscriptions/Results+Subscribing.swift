import FirnEngine
public import Foundation

/// What can be subscribed to as it stands: ``Results``.
public protocol RealmSubscribable {
    /// Keeps the query in the file; see ``Results/subscribe(name:waitForSync:timeout:_isolation:)``.
    func subscribe(
        name: String?, waitForSync: WaitForSyncMode, timeout: TimeInterval?,
        _isolation actor: isolated (any Actor)?
    ) async throws -> Self
    /// Forgets the query; see ``Results/unsubscribe()``.
    func unsubscribe()
}

extension Results: RealmSubscribable where Element: RealmFetchable {
    /// Keeps the query in the file, under a name or without one.
    ///
    ///     let puppies = try await realm.objects(Dog.self).where { $0.age < 2 }
    ///         .subscribe(name: "puppies")
    ///
    /// If it is there already, nothing is written; if the name has another query, that is replaced.
    ///
    /// - Parameters:
    ///   - name: one that no other subscription of the file has, or the one to take the place of.
    ///   - waitForSync: makes no difference without an upstream: all is there already.
    ///   - timeout: likewise.
    ///   - actor: where the realm is used.
    /// - Returns: these results, which ``unsubscribe()`` forgets the subscription of.
    /// - Throws: ``Realm/Error``; nothing was changed then.
    @discardableResult
    public func subscribe(
        name: String? = nil, waitForSync: WaitForSyncMode = .onCreation,
        timeout: TimeInterval? = nil, _isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Results {
        let chain = core.chain(for: "subscribe()")
        let set = SyncSubscriptionSet(SubscriptionSetCore(core.instance))
        let className = chain.objectClass.name
        let query = chain.subscribedText
        if set.core.list.match(name: name, className: className, query: query)?.query != query {
            try await set.update {
                set.core.edit(
                    .put(
                        .init(Foundation.UUID()), name: name, className: className, query: query))
            }
        }
        if let error = set.core.failure { throw error }
        chain.subscription = set.core.list.match(name: name, className: className, query: query)?.id
        return Results(chain)
    }

    /// Forgets the subscription that ``subscribe(name:waitForSync:timeout:_isolation:)`` made or found, or
    /// else the one to the same query that has no name, if there is one.
    ///
    /// Not in a write transaction of the realm, nor in an update: the program stops. If the file cannot be
    /// written, the subscription stays among ``Realm/subscriptions``.
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
