import FirnEngine
import FirnQuery
import FirnValues
public import Foundation

/// A query that a file stores with or without a name, as part of a ``SyncSubscriptionSet``.
public struct SyncSubscription {
    let set: SubscriptionSetCore
    let record: SubscriptionRecord

    /// The name of the subscription, or `nil` if it has none.
    public var name: String? { record.name }

    /// The date at which the subscription was added.
    public var createdAt: Date { Date(record.createdAt) }

    /// The date at which the subscription was added or its query was last set.
    public var updatedAt: Date { Date(record.updatedAt) }

    /// Replaces the query of the subscription, in ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameters:
    ///   - type: The class of the subscription. The program stops if the class is different.
    ///   - query: The condition.
    public func updateQuery<T: Object>(
        toType type: T.Type, where query: (Query<T>) -> Query<Bool>
    ) {
        updateQuery(type, .condition(query(Query()).node))
    }

    /// Replaces the query of the subscription, in ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameters:
    ///   - type: The class of the subscription. The program stops if the class is different.
    ///   - predicateFormat: A condition in the query language. The program stops if it is invalid.
    ///   - args: The arguments for `%@`, `%K`, `$0`, `$1` and so on in the condition.
    public func updateQuery<T: Object>(
        toType type: T.Type, where predicateFormat: String, _ args: Any...
    ) {
        updateQuery(type, .text(predicateFormat, args))
    }

    /// Replaces the query of the subscription by all objects of its class.
    ///
    /// This method must be called in ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameter type: The class of the subscription. The program stops if the class is
    ///   different.
    public func updateQuery<T: Object>(toType type: T.Type) { updateQuery(type, .all) }

    private func updateQuery<T: Object>(_ type: T.Type, _ query: SubscribedQuery) {
        let className = set.instance.binding(of: type).schema.name
        guard className == record.className else {
            misuse(
                "a subscription to \(record.className) cannot become one to \(className): remove it "
                    + "and append another one")
        }
        set.edit(.setQuery(record.id, query: query.text(type, in: set.instance)))
    }
}

extension SyncSubscription: CustomStringConvertible {
    /// The query in the query language, preceded by the name of the subscription.
    public var description: String { (record.name.map { "\($0): " } ?? "") + record.query }
}
