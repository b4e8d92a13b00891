package import FirnValues

/// A subscription as stored in the file.
package struct SubscriptionRecord: Hashable, Sendable {
    /// The identifier, which never changes.
    package let id: FirnValues.UUID
    package var name: String?
    /// The class of the query, under its name in the file.
    package var className: String
    /// The query in canonical form, including its class.
    package var query: String
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
}

/// An edit of a set of subscriptions.
///
/// Edits are values, so that they can be repeated if another writer has changed the set.
package enum SubscriptionEdit: Hashable, Sendable {
    /// Adds a subscription, or changes the one that it replaces.
    case put(FirnValues.UUID, name: String?, className: String, query: String)
    /// Changes the query, and the class if it was renamed.
    case setQuery(FirnValues.UUID, className: String? = nil, query: String)
    case remove(FirnValues.UUID)
    case removeNamed(String)
    case removeQuery(className: String, query: String)
    case removeAll(unnamedOnly: Bool)
    case removeClass(String)
}

/// The subscriptions of a set, in the order in which they were added.
///
/// Names are unique. Without a name, each query of a class is unique.
package struct SubscriptionList: Hashable, Sendable {
    package private(set) var records: [SubscriptionRecord] = []

    package init(_ records: [SubscriptionRecord] = []) { self.records = records }

    package func first(named name: String) -> SubscriptionRecord? {
        records.first { $0.name == name }
    }

    package func first(_ className: String, _ query: String) -> SubscriptionRecord? {
        records.first { $0.className == className && $0.query == query }
    }

    /// Returns the subscription that an added subscription replaces.
    ///
    /// This is the subscription of the same name or, without a name, the unnamed one of the same
    /// query.
    package func match(name: String?, className: String, query: String) -> SubscriptionRecord? {
        guard let name else {
            return records.first {
                $0.name == nil && $0.className == className && $0.query == query
            }
        }
        return first(named: name)
    }

    /// Applies an edit.
    ///
    /// Subscriptions that do not exist are ignored.
    package mutating func apply(_ edit: SubscriptionEdit, now: Timestamp) {
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
        case .setQuery(let id, let className, let query):
            change(id, now) { record in
                if let className { record.className = className }
                record.query = query
            }
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
