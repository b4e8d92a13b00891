public import Firn

extension ObjectChange: _RealmChange where T: ThreadConfined {
    /// What changed, as it is now; `nil` if it was deleted.
    public var _source: T? {
        if case .change(let object, _) = self { object } else { nil }
    }

    /// No change of an object says how it is at first.
    public var _isInitial: Bool { false }

    /// Why nothing more can be told; `nil` if that can.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// The same change of the frozen object.
    public func _frozen() -> ObjectChange {
        guard case .change(let object, let properties) = self else { return self }
        return .change(object.freeze(), properties)
    }

    /// What carries it to another place.
    public func _carrier() -> _Carrier<ObjectChange> {
        guard case .change(let object, let properties) = self else { return _Carrier(free: self) }
        return _Carrier(of: object) { .change($0, properties) }
    }
}

extension RealmCollectionChange: _RealmChange where CollectionType: ThreadConfined {
    /// What changed, as it is now; `nil` if it was deleted.
    public var _source: CollectionType? {
        switch self {
        case .initial(let collection), .update(let collection, _, _, _):
            collection.isInvalidated ? nil : collection
        case .error: nil
        }
    }

    /// Whether it only says how things are.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// Why nothing more can be told; `nil` if that can.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// The same change of the frozen collection, unless that was deleted.
    public func _frozen() -> RealmCollectionChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// What carries it to another place.
    public func _carrier() -> _Carrier<RealmCollectionChange> {
        switch self {
        case .initial(let collection), .update(let collection, _, _, _):
            _Carrier(of: collection) { with($0) }
        case .error: _Carrier(free: self)
        }
    }

    private func with(_ collection: CollectionType) -> RealmCollectionChange {
        guard case .update(_, let deletions, let insertions, let modifications) = self else {
            return .initial(collection)
        }
        return .update(
            collection, deletions: deletions, insertions: insertions, modifications: modifications)
    }
}

extension RealmMapChange: _RealmChange {
    /// What changed, as it is now; `nil` if it was deleted.
    public var _source: Collection? {
        switch self {
        case .initial(let map), .update(let map, _, _, _): map.isInvalidated ? nil : map
        case .error: nil
        }
    }

    /// Whether it only says how things are.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// Why nothing more can be told; `nil` if that can.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// The same change of the frozen map, unless that was deleted.
    public func _frozen() -> RealmMapChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// What carries it to another place.
    public func _carrier() -> _Carrier<RealmMapChange> {
        switch self {
        case .initial(let map), .update(let map, _, _, _): _Carrier(of: map) { with($0) }
        case .error: _Carrier(free: self)
        }
    }

    private func with(_ map: Collection) -> RealmMapChange {
        guard case .update(_, let deletions, let insertions, let modifications) = self else {
            return .initial(map)
        }
        return .update(
            map, deletions: deletions, insertions: insertions, modifications: modifications)
    }
}

extension SectionedResultsChange: _RealmChange where CollectionType: ThreadConfined {
    /// What changed, as it is now; `nil` if it was deleted.
    public var _source: CollectionType? {
        switch self {
        case .initial(let sections), .update(let sections, _, _, _, _, _):
            sections.isInvalidated ? nil : sections
        }
    }

    /// Whether it only says how things are.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// Nothing: a database that cannot be read stops the program.
    public var _failure: (any Error)? { nil }

    /// The same change of the frozen sections, unless those were deleted.
    public func _frozen() -> SectionedResultsChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// What carries it to another place.
    public func _carrier() -> _Carrier<SectionedResultsChange> {
        switch self {
        case .initial(let sections), .update(let sections, _, _, _, _, _):
            _Carrier(of: sections) { with($0) }
        }
    }

    private func with(_ sections: CollectionType) -> SectionedResultsChange {
        guard
            case .update(
                _, let deletions, let insertions, let modifications, let inserted, let deleted) =
                self
        else { return .initial(sections) }
        return .update(
            sections, deletions: deletions, insertions: insertions, modifications: modifications,
            sectionsToInsert: inserted, sectionsToDelete: deleted)
    }
}
