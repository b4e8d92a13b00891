import Dispatch
import Firn

/// Something to observe, and what `observe` makes of it: the publishers of it.
struct Observable<Change: _RealmChange> {
    typealias Source = Change._Source

    let source: Source
    let observe: (DispatchQueue?, @escaping (Change) -> Void) -> NotificationToken

    /// Nothing happens to what is frozen or in no realm.
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
                    block(change._source == nil ? .last(change) : .value(change))
                }
            })
    }
}
