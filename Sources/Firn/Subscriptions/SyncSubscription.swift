import FirnEngine
public import Foundation

/// A query that a file keeps under a name, or without one; see ``SyncSubscriptionSet``.
public struct SyncSubscription {
    let set: SubscriptionSetCore
    let record: SubscriptionRecord

    /// What it is called; `nil` if it has no name.
    public var name: String? { record.name }

    /// When it was added.
    public var createdAt: Date { Date(record.createdAt) }

    /// When it was added, or its query was given last.
    public var updatedAt: Date { Date(record.updatedAt) }

    /// Gives the subscription another query, in ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameters:
    ///   - type: the class that it asks for; the program stops for another one.
    ///   - query: the condition.
    public func updateQuery<T: Object>(
        toType type: T.Type, where query: (Query<T>) -> Query<Bool>
    ) {
        updateQuery(type, .condition(query(Query()).node))
    }

    /// Gives the subscription another query, in ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameters:
    ///   - type: the class that it asks for; the program stops for another one.
    ///   - predicateFormat: in the query language; the program stops if it is wrong.
    ///   - args: for `%@`, `%K` and `$0`, `$1` and so on in it.
    public func updateQuery<T: Object>(
        toType type: T.Type, where predicateFormat: String, _ args: Any...
    ) {
        updateQuery(type, .text(predicateFormat, args))
    }

    /// Gives the subscription the query for all objects of its class, in
    /// ``SyncSubscriptionSet/update(_:onComplete:)``.
    ///
    /// - Parameter type: the class that it asks for; the program stops for another one.
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
    /// The query in the query language, behind its name.
    public var description: String { (record.name.map { "\($0): " } ?? "") + record.query }
}
