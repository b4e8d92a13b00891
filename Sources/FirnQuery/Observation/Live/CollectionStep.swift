import FirnEngine
import FirnValues

/// One collection in two versions, and what is known of the way between them.
struct CollectionStep {
    let old: CollectionView
    let new: CollectionView
    /// `nil` if more than edits happened: then the two are compared.
    let edits: [CollectionEdit]?

    /// What was put in the place of an element modifies it; without edits, elements that are equal
    /// are the same.
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
        // Numbers of several kinds may be one element.
        var deletions: Set<Int> = []
        var insertions: Set<Int> = []
        for value in values {
            switch (try old.position(of: value), try new.position(of: value)) {
            case (let place?, nil): deletions.insert(place)
            case (nil, let place?): insertions.insert(place)
            // It is where it was, or came and went.
            case (.some, .some), (nil, nil): break
            }
        }
        return ChangeSet(deletions: Array(deletions), insertions: Array(insertions))
    }

    /// A value that was put where it was is a modification; without edits only another value is.
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
        var before: [String: Value] = [:]
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
    /// The values that a set may have lost or got, each once; `nil` if it lost all at once.
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

    /// The keys that were put or dropped, each once; `nil` if all were dropped at once.
    fileprivate var mapKeys: Set<String>? {
        var keys: Set<String> = []
        for edit in self {
            switch edit {
            case .put(let key, _), .drop(let key): keys.insert(key)
            default: return nil
            }
        }
        return keys
    }
}
