public import Firn

extension ObjectChange: _RealmChange where T: ThreadConfined {
    /// The changed object in its current state, or `nil` if it was deleted.
    public var _source: T? {
        if case .change(let object, _) = self { object } else { nil }
    }

    /// Returns `false`, because no change to an object describes its initial state.
    public var _isInitial: Bool { false }

    /// Whether the object was deleted, which publishers indicate only by completing.
    public var _isDeletion: Bool {
        if case .deleted = self { true } else { false }
    }

    /// The error that ends the observation, or `nil` if this is not an error.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns the same change to the frozen object.
    public func _frozen() -> ObjectChange {
        guard case .change(let object, let properties) = self else { return self }
        return .change(object.freeze(), properties)
    }

    /// Returns a carrier that hands over the change.
    public func _carrier() -> _Carrier<ObjectChange> {
        guard case .change(let object, let properties) = self else { return _Carrier(free: self) }
        return _Carrier(of: object) { .change($0, properties) }
    }
}

extension RealmCollectionChange: _RealmChange where CollectionType: ThreadConfined {
    /// The changed collection in its current state, or `nil` if it was deleted.
    public var _source: CollectionType? {
        switch self {
        case .initial(let collection), .update(let collection, _, _, _):
            collection.isInvalidated ? nil : collection
        case .error: nil
        }
    }

    /// A Boolean value that indicates whether the change describes the initial state.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// The error that ends the observation, or `nil` if this is not an error.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns the same change to the frozen collection, unless the collection was deleted.
    public func _frozen() -> RealmCollectionChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// Returns a carrier that hands over the change.
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
    /// The changed map in its current state, or `nil` if it was deleted.
    public var _source: Collection? {
        switch self {
        case .initial(let map), .update(let map, _, _, _): map.isInvalidated ? nil : map
        case .error: nil
        }
    }

    /// A Boolean value that indicates whether the change describes the initial state.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// The error that ends the observation, or `nil` if this is not an error.
    public var _failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns the same change to the frozen map, unless the map was deleted.
    public func _frozen() -> RealmMapChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// Returns a carrier that hands over the change.
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
    /// The changed sections in their current state, or `nil` if they were deleted.
    public var _source: CollectionType? {
        switch self {
        case .initial(let sections), .update(let sections, _, _, _, _, _):
            sections.isInvalidated ? nil : sections
        }
    }

    /// A Boolean value that indicates whether the change describes the initial state.
    public var _isInitial: Bool { if case .initial = self { true } else { false } }

    /// Returns `nil`, because a database that cannot be read stops the program.
    public var _failure: (any Error)? { nil }

    /// Returns the same change to the frozen sections, unless the sections were deleted.
    public func _frozen() -> SectionedResultsChange {
        guard let source = _source else { return self }
        return with(source.freeze())
    }

    /// Returns a carrier that hands over the change.
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
