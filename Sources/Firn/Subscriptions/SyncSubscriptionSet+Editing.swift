import FirnEngine
import Foundation

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
