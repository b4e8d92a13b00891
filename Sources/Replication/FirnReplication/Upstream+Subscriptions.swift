import FirnEngine
package import FirnQuery
import FirnSyntax
package import FirnValues

extension Upstream {
    /// Returns a query in canonical form, if the server can evaluate it exactly.
    ///
    /// - Throws: ``UpstreamError`` with `notPushable`, `schema` or `unsupported`.
    package func subscription(_ text: String) throws(UpstreamError) -> BoundQuery {
        let snapshot = try snapshot()
        let query: BoundQuery
        do { query = try snapshot.bound(text) } catch {
            switch error {
            case .store(let error): throw UpstreamError(error)
            case .query(let error): throw UpstreamError(.schema, error.message)
            }
        }
        let type = try SyncedClass(query.classSchema, in: snapshot.schema)
        try PredicateSQL.check(
            try PredicateSQL.predicate(of: query), of: type, in: snapshot.schema)
        return query
    }

    /// Returns the classes that the condition of a query reads, and that have no subscription.
    ///
    /// The server decides by all their rows, but the file does not have them: links to them are nil.
    package func unsubscribedClasses(readBy query: BoundQuery) throws(UpstreamError) -> [String] {
        let snapshot = try snapshot().snapshot
        let subscribed = try UpstreamError.converting { () throws(StoreError) in
            TextSet(try StoredSubscriptions(snapshot, path: path).list.records.map(\.className))
        }
        return TextSet(
            try PredicateSQL.predicate(of: query).linkPaths.flatMap(\.links).map(\.target.name)
        ).filter { !subscribed.contains($0) }.sorted()
    }

    /// Adds a subscription without a name; the next cycle reads its objects.
    package func subscribe(_ query: BoundQuery, id: FirnValues.UUID) throws(UpstreamError) {
        _ = try record()
        try edit(
            .put(
                id, name: nil, className: query.classSchema.name, query: query.description))
    }

    /// Removes the subscriptions to a query.
    ///
    /// - Returns: Whether there was one.
    package func unsubscribe(_ query: BoundQuery) throws(UpstreamError) -> Bool {
        let old = try subscriptions()
        try edit(.removeQuery(className: query.classSchema.name, query: query.description))
        return try subscriptions() != old
    }

    /// Returns the queries of all subscriptions, in the order in which they were added.
    package func subscriptions() throws(UpstreamError) -> [String] {
        let snapshot = try snapshot().snapshot
        return try UpstreamError.converting { () throws(StoreError) in
            try StoredSubscriptions(snapshot, path: path).list.records.map(\.query)
        }
    }

    private func edit(_ edit: SubscriptionEdit) throws(UpstreamError) {
        let now = try snapshot().now
        try UpstreamError.converting { () throws(StoreError) in
            try store.write { transaction throws(StoreError) in
                _ = try StoredSubscriptions.apply([edit], now: now, in: transaction, path: path)
            }
        }
    }
}
