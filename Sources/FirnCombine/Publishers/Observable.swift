import Dispatch
import Firn

/// The change that `observe` tells of something.
protocol ObservedChange {
    associatedtype Source: ThreadConfined
    /// What changed, as it is now; `nil` if it was deleted.
    var source: Source? { get }
    /// Whether it only says how things are.
    var isInitial: Bool { get }
    var failure: (any Error)? { get }
}

/// Something to observe, and what `observe` makes of it: the publishers of it.
struct Observable<Change: ObservedChange> {
    typealias Source = Change.Source

    let source: Source
    let observe: (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken

    /// Nothing happens to what is frozen or in no realm.
    var willChange: RealmPublishers.WillChange<Source> {
        RealmPublishers.WillChange(
            observation: Observation { queue, block in
                guard source.realm != nil, !source.isFrozen else { return nil }
                return observe(queue) { change in
                    if change.failure != nil { return block(.end) }
                    if !change.isInitial { block(change.source == nil ? .last(()) : .value(())) }
                }
            })
    }

    var value: RealmPublishers.Value<Source> {
        RealmPublishers.Value(
            observation: Observation { queue, block in
                observe(queue) { change in
                    if let failure = change.failure { return block(.failure(failure)) }
                    block(change.source.map { .value($0) } ?? .end)
                }
            })
    }

    var changeset: RealmPublishers.Changeset<Change> {
        RealmPublishers.Changeset(
            observation: Observation { queue, block in
                observe(queue) { change in
                    block(change.source == nil ? .last(change) : .value(change))
                }
            })
    }
}

extension ObjectChange: ObservedChange where T: ThreadConfined {
    var source: T? {
        if case .change(let object, _) = self { object } else { nil }
    }

    var isInitial: Bool { false }

    var failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension RealmCollectionChange: ObservedChange where CollectionType: ThreadConfined {
    var source: CollectionType? {
        switch self {
        case .initial(let collection), .update(let collection, _, _, _):
            collection.isInvalidated ? nil : collection
        case .error: nil
        }
    }

    var isInitial: Bool { if case .initial = self { true } else { false } }

    var failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension RealmMapChange: ObservedChange {
    var source: Collection? {
        switch self {
        case .initial(let map), .update(let map, _, _, _): map.isInvalidated ? nil : map
        case .error: nil
        }
    }

    var isInitial: Bool { if case .initial = self { true } else { false } }

    var failure: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension SectionedResultsChange: ObservedChange where CollectionType: ThreadConfined {
    var source: CollectionType? {
        switch self {
        case .initial(let sections), .update(let sections, _, _, _, _, _):
            sections.isInvalidated ? nil : sections
        }
    }

    var isInitial: Bool { if case .initial = self { true } else { false } }

    var failure: (any Error)? { nil }
}
