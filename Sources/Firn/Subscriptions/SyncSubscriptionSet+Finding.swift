import FirnEngine

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
