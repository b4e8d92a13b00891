package import FirnValues

/// One change inside a list, set or map.
package enum CollectionEdit: Hashable, Sendable {
    // Lists.
    case append(Value)
    case insert(Int, Value)
    case replace(Int, Value)
    case remove(Int)
    case move(from: Int, to: Int)
    // Sets.
    case add(Value)
    case discard(Value)
    // Maps.
    case put(String, Value)
    case drop(String)
    // All containers.
    case clear
}

extension EditedCollection {
    /// Applies a change made by a transaction.
    ///
    /// - Returns: Whether the collection changed; a set may already have the value.
    /// - Throws: `invalidValue` for a position that the collection does not have.
    /// - Complexity: O(log n)
    mutating func apply(_ edit: CollectionEdit) throws(StoreError) -> Bool {
        switch edit {
        case .append(let value): append(CollectionEntry(value))
        case .insert(let index, let value):
            try check(index, upTo: count)
            insert(CollectionEntry(value), at: index)
        case .replace(let index, let value):
            try check(index, upTo: count - 1)
            guard try entry(at: index).value != value else { return false }
            replace(at: index, with: CollectionEntry(value))
        case .remove(let index):
            try check(index, upTo: count - 1)
            remove(at: index)
        case .move(let source, let target):
            try check(source, upTo: count - 1)
            try check(target, upTo: count - 1)
            guard source != target else { return false }
            try move(from: source, to: target)
        case .add(let value): return try add(value)
        case .discard(let value): return try discard(value)
        case .put(let key, let value): return try put(value, forKey: key)
        case .drop(let key): return try drop(key)
        case .clear:
            guard count > 0 else { return false }
            removeAll()
        }
        return true
    }

    /// Adds a value to a set, unless the set contains it.
    mutating func add(_ value: Value) throws(StoreError) -> Bool {
        let position = try position(of: value)
        guard !position.isFound else { return false }
        insert(CollectionEntry(value), at: position.index)
        return true
    }

    /// Removes a value from a set, if the set contains it.
    mutating func discard(_ value: Value) throws(StoreError) -> Bool {
        let position = try position(of: value)
        guard position.isFound else { return false }
        remove(at: position.index)
        return true
    }

    /// Sets the value for a key of a map.
    mutating func put(_ value: Value, forKey key: String) throws(StoreError) -> Bool {
        let position = try position(ofKey: key)
        let entry = CollectionEntry(key: key, value)
        guard position.isFound else {
            insert(entry, at: position.index)
            return true
        }
        guard try self.entry(at: position.index) != entry else { return false }
        replace(at: position.index, with: entry)
        return true
    }

    /// Removes a key from a map, if the map contains it.
    mutating func drop(_ key: String) throws(StoreError) -> Bool {
        let position = try position(ofKey: key)
        guard position.isFound else { return false }
        remove(at: position.index)
        return true
    }

    private func check(_ index: Int, upTo last: Int) throws(StoreError) {
        guard index >= 0, index <= last else {
            throw StoreError(
                .invalidValue, path: path,
                detail: "there is no position \(index) in a list of \(count)")
        }
    }
}
