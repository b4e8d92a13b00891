import FirnEngine
import Foundation

/// Changing subscriptions, in the block of ``SyncSubscriptionSet/update(_:onComplete:)``; the program stops
/// elsewhere.
extension SyncSubscriptionSet {
    /// Adds subscriptions.
    ///
    /// One whose name is taken changes the subscription of that name, and one without a name and with the
    /// query of another one without a name only says when it was updated.
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

    /// Removes a subscription; one that is gone already is left alone.
    public func remove(_ subscription: SyncSubscription) {
        core.edit(.remove(subscription.record.id))
    }

    /// Removes the subscription of a name, if there is one.
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

    /// Removes all subscriptions, or all without a name.
    public func removeAll(unnamedOnly: Bool = false) {
        core.edit(.removeAll(unnamedOnly: unnamedOnly))
    }

    /// Removes all subscriptions to queries of a class.
    public func removeAll<T: Object>(ofType type: T.Type) {
        core.edit(.removeClass(core.instance.binding(of: type).schema.name))
    }
}
