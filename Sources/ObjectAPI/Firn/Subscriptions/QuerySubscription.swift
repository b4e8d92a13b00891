import FirnQuery

/// A query to subscribe to with ``SyncSubscriptionSet/append(_:)``.
///
///     realm.subscriptions.update {
///         realm.subscriptions.append(
///             QuerySubscription<Dog>(name: "puppies") { $0.age < 2 },
///             QuerySubscription<Cat>(name: "old cats", where: "age > %@", 12))
///     }
public struct QuerySubscription<T: Object> {
    let name: String?
    let query: SubscribedQuery

    /// Creates a subscription to a query.
    ///
    /// - Parameters:
    ///   - name: A name that is unique in the file, or the name of the subscription to replace.
    ///   - query: The condition, or `nil` for all objects of the class.
    public init(name: String? = nil, query: ((Query<T>) -> Query<Bool>)? = nil) {
        self.name = name
        self.query = query.map { .condition($0(Query()).node) } ?? .all
    }

    /// Creates a subscription to a query.
    ///
    /// - Parameters:
    ///   - name: The name, as in ``init(name:query:)``.
    ///   - predicateFormat: A condition in the query language. If it is invalid, the program stops
    ///     when the subscription is appended.
    ///   - args: The arguments for `%@`, `%K`, `$0`, `$1` and so on in the condition.
    public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
        self.name = name
        query = .text(predicateFormat, args)
    }
}

/// A query of a program that is not yet stored in a file.
enum SubscribedQuery {
    case all
    case condition(QueryNode)
    case text(String, [Any])

    /// Returns the query in canonical form, for objects of a class.
    func text<T: Object>(_ type: T.Type, in instance: RealmInstance) -> String {
        let all = ResultsCore(instance, instance.binding(of: type).schema, .all)
        switch self {
        case .all: return all.subscribedText
        case .condition(let node):
            return all.adding([all.filter(Query<Bool>(node).predicate(for: all))]).subscribedText
        case .text(let text, let arguments):
            return all.adding(all.stages(text, arguments)).subscribedText
        }
    }
}

extension ResultsCore {
    /// The query in canonical form.
    ///
    /// The form is the same whether conditions are in one filter or in several. The program stops
    /// if the query starts with another collection.
    var subscribedText: String {
        guard case .all = source else {
            misuse(
                "a subscription is a query over all objects of a class: begin with realm.objects()")
        }
        var joined: [BoundStage] = []
        for stage in stages {
            if case .filter(let second) = stage, case .filter(let first)? = joined.last {
                joined[joined.count - 1] = .filter(.and(first.conditions + second.conditions))
            } else {
                joined.append(stage)
            }
        }
        return BoundQuery(classSchema: objectClass, stages: joined, explain: false, text: "")
            .description
    }
}

extension BoundPredicate {
    /// The conditions that must all be satisfied.
    fileprivate var conditions: [BoundPredicate] {
        if case .and(let conditions) = self { return conditions }
        return [self]
    }
}
