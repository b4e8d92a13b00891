import FirnEngine

/// Finding subscriptions.
extension SyncSubscriptionSet {
    /// The subscription of a name; `nil` if there is none.
    public func first(named name: String) -> SyncSubscription? {
        core.list.first(named: name).map(subscription)
    }

    /// The first subscription to a query, whatever its name is; `nil` if there is none.
    public func first<T: Object>(
        ofType type: T.Type, where query: (Query<T>) -> Query<Bool>
    ) -> SyncSubscription? {
        first(type, .condition(query(Query()).node))
    }

    /// The first subscription to a query, whatever its name is; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - type: the class that it asks for.
    ///   - predicateFormat: in the query language; the program stops if it is wrong.
    ///   - args: for `%@`, `%K` and `$0`, `$1` and so on in it.
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
    /// Goes through the subscriptions in the order in which they were added.
    public func makeIterator() -> AnyIterator<SyncSubscription> {
        AnyIterator(core.list.records.map(subscription).makeIterator())
    }

    /// The subscription at a position; `nil` if there is none.
    public subscript(position: Int) -> SyncSubscription? {
        let records = core.list.records
        return records.indices.contains(position) ? subscription(records[position]) : nil
    }

    /// The one that was added first; `nil` if there is none.
    public var first: SyncSubscription? { core.list.records.first.map(subscription) }

    /// The one that was added last; `nil` if there is none.
    public var last: SyncSubscription? { core.list.records.last.map(subscription) }
}
