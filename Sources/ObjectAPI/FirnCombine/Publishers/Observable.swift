import Dispatch
import Firn
import FirnValues

/// A source with its `observe` method, from which publishers are made.
struct Observable<Change: _RealmChange> {
    typealias Source = Change._Source

    let source: Source
    let observe: (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken

    /// A publisher that never emits if the source is frozen or unmanaged.
    var willChange: RealmPublishers.WillChange<Source> {
        RealmPublishers.WillChange(
            _observation: _Observation { queue, block in
                guard source.realm != nil, !source.isFrozen else { return nil }
                return observe(queue) { change in
                    if change._failure != nil { return block(.end) }
                    if !change._isInitial { block(change._source == nil ? .last(()) : .value(())) }
                }
            })
    }

    var value: RealmPublishers.Value<Source> {
        RealmPublishers.Value(
            _observation: _Observation { queue, block in
                observe(queue) { change in
                    if let failure = change._failure { return block(.failure(failure)) }
                    block(change._source.map { .value($0) } ?? .end)
                }
            })
    }

    var changeset: RealmPublishers.Changeset<Change> {
        RealmPublishers.Changeset(
            _observation: _Observation { queue, block in
                observe(queue) { change in
                    if change._isDeletion { return block(.end) }
                    block(change._source == nil ? .last(change) : .value(change))
                }
            })
    }
}
