import FirnValues

/// A row of the server while changes of a file are merged into it.
///
/// The rules, for a change at time `t`:
///
///     create   of a deleted object: only if `t` is later than the deletion
///              of an existing object: an update of all its properties
///     update   of a deleted object: nothing, since deletion wins
///              of a missing object without a record of its deletion: refused
///              of a value: if `t` is later than the last change of the property
///              of a counter: the difference that the file made is added
///              of a collection or an embedded object: merged with what others changed
///     delete   always; the deletion is remembered with its time
///     fill     of a property that was never set on the server
///     restore, existing
///              like create, with times also by arrival, and never refused for another value; links
///              that the state lacks stay
///
/// By arrival, times are not compared. If the first writer wins, an update is refused unless the
/// property still has the value that the file changed, and so are a creation of an object that
/// exists with other values, and an update of one that does not exist.
struct ServerRow {
    /// The texts of the columns by property; `nil` if there is no row.
    private(set) var texts: TextMap<[String?]>?
    /// The time of the last change to each column that differs from ``rowTime``.
    private(set) var times: TextMap<HybridTime>
    private(set) var rowTime: HybridTime
    /// The time of the deletion, if the object was deleted.
    private(set) var deletedAt: HybridTime?
    private(set) var isChanged = false
    /// Whether the time of the change that is being applied was limited.
    private var isLimited = false
    /// Whether there was a row before all changes.
    let existed: Bool
    /// The creations of objects that others had created with other values; both are in the change.
    private(set) var collisions: [Outgoing] = []

    init(
        texts: TextMap<[String?]>?, times: TextMap<HybridTime>, rowTime: HybridTime,
        deletedAt: HybridTime?
    ) {
        self.texts = texts
        self.times = times
        self.rowTime = rowTime
        self.deletedAt = deletedAt
        existed = texts != nil
    }

    /// Applies a change.
    ///
    /// - Throws: ``UpstreamError`` with `conflict` if the change came after another one, in a class
    ///   whose first writer wins, or if the sum of a counter is too large.
    mutating func apply(
        _ change: Outgoing, at time: HybridTime, in type: SyncedClass, _ rules: ConflictRules
    ) throws(UpstreamError) {
        isLimited = time != change.time
        switch change.kind {
        case .delete:
            deletedAt = max(deletedAt ?? time, time)
            texts = nil
            isChanged = true
        case .create, .restore, .existing:
            if texts != nil {
                noteCollision(change, in: type)
                return try update(change, at: time, in: type, rules)
            }
            let prevails = rules.mode == .arrival && !change.kind.isState
            if let deletedAt, !follows(time, deletedAt), !prevails { return }
            deletedAt = nil
            texts = TextMap(
                change.properties.map { ($0.name, $0.texts) }, uniquingKeysWith: { $1 })
            times = [:]
            rowTime = time
            isChanged = true
        case .update: try update(change, at: time, in: type, rules)
        case .fill: fill(change, in: type)
        }
    }

    /// Records the creation of an object that exists with other values.
    private mutating func noteCollision(_ change: Outgoing, in type: SyncedClass) {
        guard change.kind == .create, existed else { return }
        var collision = change
        collision.properties = change.properties.compactMap { property in
            let server = texts?[property.name]
            guard let column = type.column(named: property.name),
                !column.isEqual(server, property.texts)
            else { return nil }
            return PropertyText(name: property.name, texts: property.texts, base: server)
        }
        if !collision.properties.isEmpty { collisions.append(collision) }
    }

    /// Sets empty values without a time, because they were never set on the server.
    private mutating func fill(_ change: Outgoing, in type: SyncedClass) {
        guard texts != nil else { return }
        for property in change.properties {
            guard let column = type.column(named: property.name),
                times[column.main] == nil,
                column.isEqual(texts?[property.name] ?? column.emptyTexts, column.emptyTexts)
            else { continue }
            texts?[property.name] = property.texts
            isChanged = true
        }
    }

    private mutating func update(
        _ change: Outgoing, at time: HybridTime, in type: SyncedClass, _ rules: ConflictRules
    ) throws(UpstreamError) {
        guard var texts else {
            guard deletedAt != nil else {
                throw UpstreamError(
                    .conflict,
                    "\(change.className) \(change.key) is not on the server, which has no record of its "
                        + "deletion: a policy may hide it from this user")
            }
            guard rules.mode == .firstWriter else { return }
            throw UpstreamError(
                .conflict, "\(change.className) \(change.key) was deleted before it was changed")
        }
        for property in change.properties {
            guard let column = type.column(named: property.name), column.name != type.key.name
            else { continue }
            let last = times[column.main] ?? rowTime
            if let new = try merged(
                property, texts[property.name], column, change, rules)
            {
                texts[property.name] = new
            } else if isLater(time, last, change, rules) {
                guard let new = newTexts(property, texts[property.name], column, change) else {
                    continue
                }
                texts[property.name] = new
            } else {
                continue
            }
            times[column.main] = max(last, time)
            isChanged = true
        }
        self.texts = texts
    }

    /// Returns the texts that replace the texts of the server; `nil` if these stay.
    ///
    /// The links of a state to objects that its file does not have are nil, or missing in a list:
    /// nobody removed them, so the server keeps its own.
    private func newTexts(
        _ property: PropertyText, _ server: [String?]?, _ column: SyncedColumn, _ change: Outgoing
    ) -> [String?]? {
        guard change.kind.isState, column.mayLink else { return property.texts }
        guard let local = property.texts.first ?? nil else { return nil }
        guard column.isLink, column.isCollection, let elements = ArrayText.elements(local) else {
            return property.texts
        }
        let known = TextSet(elements.compactMap(\.self))
        let others = (server?.first ?? nil).flatMap(ArrayText.elements) ?? []
        return [
            ArrayText.text(elements + others.filter { $0.map { !known.contains($0) } ?? false })
        ]
    }

    /// Returns whether a value replaces the value of the server.
    private func isLater(
        _ time: HybridTime, _ last: HybridTime, _ change: Outgoing, _ rules: ConflictRules
    ) -> Bool {
        switch rules.mode ?? .lastWriter {
        case .lastWriter: follows(time, last)
        // A restored object has the time of the last cycle: later changes of the server prevail.
        case .firstWriter, .arrival: change.kind.isState ? time > last : true
        }
    }

    /// Returns whether a change is later than another.
    ///
    /// The changes of a file arrive in their order. If its clock is so far ahead that their times
    /// were limited, they all have the same time.
    private func follows(_ time: HybridTime, _ last: HybridTime) -> Bool {
        time > last || isLimited && time.client == last.client
    }

    /// Returns the value of a property with the changes of both sides; `nil` if one of them
    /// replaces the other.
    private func merged(
        _ property: PropertyText, _ server: [String?]?, _ column: SyncedColumn,
        _ change: Outgoing, _ rules: ConflictRules
    ) throws(UpstreamError) -> [String?]? {
        if rules.isCounter(column), let base = property.base, base.first != .some(nil),
            server?.first != .some(nil), property.texts.first != .some(nil)
        {
            guard let sum = column.sum(base: base, server: server, local: property.texts) else {
                throw UpstreamError(
                    .conflict,
                    "the counter \(change.className).\(column.name) of \(change.key) is out of "
                        + "range")
            }
            return [String(sum)]
        }
        if rules.mode == .firstWriter, !change.kind.isState {
            // A creation must find its own values, and an update those before it.
            guard
                column.isEqual(property.base ?? property.texts, server)
                    || column.isEqual(property.texts, server)
            else {
                throw UpstreamError(
                    .conflict,
                    "\(change.className) \(change.key) was changed before: the property "
                        + "\(column.name) has another value")
            }
            return nil
        }
        guard column.isMerged, let base = property.base else { return nil }
        return [column.merged(base: base, server: server, local: property.texts)]
    }
}
