import FirnQuery

/// A query to subscribe to; see ``SyncSubscriptionSet/append(_:)``.
///
///     realm.subscriptions.update {
///         realm.subscriptions.append(
///             QuerySubscription<Dog>(name: "puppies") { $0.age < 2 },
///             QuerySubscription<Cat>(name: "old cats", where: "age > %@", 12))
///     }
public struct QuerySubscription<T: Object> {
    let name: String?
    let query: SubscribedQuery

    /// Names a query.
    ///
    /// - Parameters:
    ///   - name: one that no other subscription of the file has, or the one to take the place of.
    ///   - query: the condition; `nil`: all objects of the class.
    public init(name: String? = nil, query: ((Query<T>) -> Query<Bool>)? = nil) {
        self.name = name
        self.query = query.map { .condition($0(Query()).node) } ?? .all
    }

    /// Names a query.
    ///
    /// - Parameters:
    ///   - name: as in ``init(name:query:)``.
    ///   - predicateFormat: in the query language; the program stops if it is wrong when it is appended.
    ///   - args: for `%@`, `%K` and `$0`, `$1` and so on in it.
    public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
        self.name = name
        query = .text(predicateFormat, args)
    }
}

/// A query of a program that is not yet one of a file.
enum SubscribedQuery {
    case all
    case condition(QueryNode)
    case text(String, [Any])

    /// The query in canonical form, for objects of a class.
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
    /// The query in canonical form, which is the same for the same conditions in one filter or in several.
    ///
    /// The program stops if it begins with another collection.
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
    /// What must hold all together.
    fileprivate var conditions: [BoundPredicate] {
        if case .and(let conditions) = self { return conditions }
        return [self]
    }
}
