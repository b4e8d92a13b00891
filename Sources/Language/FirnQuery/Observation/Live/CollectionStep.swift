import FirnEngine
import FirnValues

/// One collection in two versions, and the known edits between them.
struct CollectionStep {
    let old: CollectionView
    let new: CollectionView
    /// The edits; `nil` if other changes occurred, so that the two versions must be compared.
    let edits: [CollectionEdit]?

    /// Returns the changes to a list.
    ///
    /// A replaced element is a modification. Without edits, equal elements count as the same.
    func listChanges() throws(StoreError) -> ChangeSet {
        if let edits, let changes = ChangeSet(edits, ofListOf: old.count),
            old.count - changes.deletions.count + changes.insertions.count == new.count
        {
            return changes
        }
        return .difference(
            from: try old.elements(in: 0..<old.count), to: try new.elements(in: 0..<new.count))
    }

    func setChanges() throws(StoreError) -> ChangeSet {
        guard let values = edits?.setValues else {
            return .difference(
                from: try old.elements(in: 0..<old.count),
                to: try new.elements(in: 0..<new.count))
        }
        // Numbers of several kinds may be the same element.
        var deletions: Set<Int> = []
        var insertions: Set<Int> = []
        for value in values {
            switch (try old.position(of: value), try new.position(of: value)) {
            case (let index?, nil): deletions.insert(index)
            case (nil, let index?): insertions.insert(index)
            // The element is in both versions, or in neither because it was added and removed.
            case (.some, .some), (nil, nil): break
            }
        }
        return ChangeSet(deletions: Array(deletions), insertions: Array(insertions))
    }

    /// Returns the changes to a map.
    ///
    /// Setting a value is a modification. Without edits, only a different value is.
    func mapChanges() throws(StoreError) -> MapChangeSet {
        guard let keys = edits?.mapKeys else { return try comparedMaps() }
        var deletions: [String] = []
        var insertions: [String] = []
        var modifications: [String] = []
        for key in keys {
            switch (try old.element(forKey: key), try new.element(forKey: key)) {
            case (.some, nil): deletions.append(key)
            case (nil, .some): insertions.append(key)
            case (.some, .some): modifications.append(key)
            case (nil, nil): break
            }
        }
        return MapChangeSet(
            deletions: deletions, insertions: insertions, modifications: modifications)
    }

    private func comparedMaps() throws(StoreError) -> MapChangeSet {
        var before: TextMap<Value> = [:]
        for (key, value) in try old.entries() { before[key] = value }
        var insertions: [String] = []
        var modifications: [String] = []
        for (key, value) in try new.entries() {
            guard let was = before.removeValue(forKey: key) else {
                insertions.append(key)
                continue
            }
            if was != value { modifications.append(key) }
        }
        return MapChangeSet(
            deletions: Array(before.keys), insertions: insertions, modifications: modifications)
    }
}

extension [CollectionEdit] {
    /// The values that may have been added to or removed from a set, without duplicates.
    ///
    /// The result is `nil` if the set was cleared.
    fileprivate var setValues: Set<Value>? {
        var values: Set<Value> = []
        for edit in self {
            switch edit {
            case .add(let value), .discard(let value): values.insert(value)
            default: return nil
            }
        }
        return values
    }

    /// The keys that were set or removed, without duplicates; `nil` if the map was cleared.
    fileprivate var mapKeys: TextSet? {
        var keys: TextSet = []
        for edit in self {
            switch edit {
            case .put(let key, _), .drop(let key): keys.insert(key)
            default: return nil
            }
        }
        return keys
    }
}
