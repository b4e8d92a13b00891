import FirnValues

/// A subscription as the file has it.
struct SubscriptionRecord: Hashable, Sendable {
    /// What stays the same when everything else is changed.
    let id: FirnValues.UUID
    var name: String?
    /// The class that the query asks for, as the file calls it.
    var className: String
    /// The query in canonical form, with its class.
    var query: String
    let createdAt: Timestamp
    var updatedAt: Timestamp
}

/// What is done to a set of subscriptions.
///
/// Edits are values, so that they can be done again to a set that somebody else has changed meanwhile.
enum SubscriptionEdit: Hashable, Sendable {
    /// Adds a subscription, or changes the one that takes its place.
    case put(FirnValues.UUID, name: String?, className: String, query: String)
    case setQuery(FirnValues.UUID, query: String)
    case remove(FirnValues.UUID)
    case removeNamed(String)
    case removeQuery(className: String, query: String)
    case removeAll(unnamedOnly: Bool)
    case removeClass(String)
}

/// The subscriptions of a set, in the order in which they were added.
///
/// A name is there once at most; without a name there is each query of a class once at most.
struct SubscriptionList: Hashable, Sendable {
    private(set) var records: [SubscriptionRecord] = []

    init(_ records: [SubscriptionRecord] = []) { self.records = records }

    func first(named name: String) -> SubscriptionRecord? {
        records.first { $0.name == name }
    }

    func first(_ className: String, _ query: String) -> SubscriptionRecord? {
        records.first { $0.className == className && $0.query == query }
    }

    /// What a subscription that is added takes the place of: the one of its name, or without a name the one
    /// of its query that has none either.
    func match(name: String?, className: String, query: String) -> SubscriptionRecord? {
        guard let name else {
            return records.first {
                $0.name == nil && $0.className == className && $0.query == query
            }
        }
        return first(named: name)
    }

    /// Does what an edit says; what it names but is not there is left alone.
    mutating func apply(_ edit: SubscriptionEdit, now: Timestamp) {
        switch edit {
        case .put(let id, let name, let className, let query):
            guard let known = match(name: name, className: className, query: query) else {
                records.append(
                    SubscriptionRecord(
                        id: id, name: name, className: className, query: query, createdAt: now,
                        updatedAt: now))
                return
            }
            change(known.id, now) { record in
                record.className = className
                record.query = query
            }
        case .setQuery(let id, let query): change(id, now) { $0.query = query }
        case .remove(let id): records.removeAll { $0.id == id }
        case .removeNamed(let name): records.removeAll { $0.name == name }
        case .removeQuery(let className, let query):
            if let found = first(className, query) { records.removeAll { $0.id == found.id } }
        case .removeAll(let unnamedOnly): records.removeAll { !unnamedOnly || $0.name == nil }
        case .removeClass(let className): records.removeAll { $0.className == className }
        }
    }

    private mutating func change(
        _ id: FirnValues.UUID, _ now: Timestamp, _ body: (inout SubscriptionRecord) -> Void
    ) {
        guard let index = records.firstIndex(where: { $0.id == id }) else { return }
        body(&records[index])
        records[index].updatedAt = now
    }
}
