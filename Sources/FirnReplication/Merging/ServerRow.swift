import FirnValues

/// A row of the server while changes of a file are merged into it.
///
/// The rules, for a change at time `t`:
///
///     create   of a deleted object: only if `t` is later than the deletion
///              of an existing object: an update of all its properties
///     update   of a missing or deleted object: nothing, since deletion wins
///              of a value: if `t` is later than the last change of the property
///              of a collection or an embedded object: merged with what others changed
///     delete   always; the deletion is remembered with its time
struct ServerRow {
    /// The texts of the columns by property; `nil` if there is no row.
    private(set) var texts: [String: [String?]]?
    /// The time of the last change of each property that differs from ``rowTime``.
    private(set) var times: [String: HybridTime]
    private(set) var rowTime: HybridTime
    /// The time of the deletion, if the object was deleted.
    private(set) var deletedAt: HybridTime?
    private(set) var isChanged = false
    /// Whether there was a row before all changes.
    let existed: Bool

    init(
        texts: [String: [String?]]?, times: [String: HybridTime], rowTime: HybridTime,
        deletedAt: HybridTime?
    ) {
        self.texts = texts
        self.times = times
        self.rowTime = rowTime
        self.deletedAt = deletedAt
        existed = texts != nil
    }

    mutating func apply(
        _ change: Outgoing, at time: HybridTime, in type: SyncedClass
    ) {
        switch change.kind {
        case .delete:
            deletedAt = max(deletedAt ?? time, time)
            texts = nil
            isChanged = true
        case .create:
            if texts != nil { return update(change, at: time, in: type) }
            if let deletedAt, time <= deletedAt { return }
            deletedAt = nil
            texts = Dictionary(
                change.properties.map { ($0.name, $0.texts) }, uniquingKeysWith: { $1 })
            times = [:]
            rowTime = time
            isChanged = true
        case .update: update(change, at: time, in: type)
        }
    }

    private mutating func update(_ change: Outgoing, at time: HybridTime, in type: SyncedClass) {
        guard var texts else { return }
        for property in change.properties {
            guard let column = type.column(named: property.name), column.name != type.key.name
            else { continue }
            let last = times[property.name] ?? rowTime
            var new = property.texts
            if column.isMerged, let base = property.base {
                new = [column.merged(base: base, server: texts[property.name], local: new)]
            } else if time <= last {
                continue
            }
            texts[property.name] = new
            times[property.name] = max(last, time)
            isChanged = true
        }
        self.texts = texts
    }
}

extension SyncedColumn {
    /// Returns the text of a collection that contains the changes of both sides.
    fileprivate func merged(base: [String?], server: [String?]?, local: [String?]) -> String? {
        if isJSON { return mergedJSON(base.first, server?.first, local.first) }
        func elements(_ texts: [String?]?) -> [CanonicalText] {
            let parsed = texts?.first.flatMap { $0 }.flatMap(ArrayText.elements) ?? []
            return parsed.map { CanonicalText($0, stored) }
        }
        let (base, server, local) = (elements(base), elements(server), elements(local))
        let merged =
            type.container == .set
            ? ListMerge.set(base: base, server: server, local: local)
            : ListMerge.list(base: base, server: server, local: local)
        return ArrayText.text(merged.map(\.text))
    }
}

extension SyncedColumn {
    private func mergedJSON(_ base: String??, _ server: String??, _ local: String??) -> String? {
        func node(_ text: String??) -> JSONNode? {
            text.flatMap { $0 }.flatMap { JSONNode(parsing: $0)?.canonical }
        }
        guard let base = node(base), let server = node(server), let local = node(local) else {
            return local.flatMap { $0 }
        }
        switch (base, server, local) {
        case (.object(let base), .object(let server), .object(let local)):
            return JSONNode.object(ListMerge.map(base: base, server: server, local: local)).text
        case (.array(let base), .array(let server), .array(let local)):
            let merged =
                type.container == .set
                ? ListMerge.set(base: base, server: server, local: local)
                : ListMerge.list(base: base, server: server, local: local)
            return JSONNode.array(merged).text
        default: return local.text
        }
    }
}

extension JSONNode {
    /// The same value with numbers as this side writes them: the server prints 1e22 in full.
    var canonical: JSONNode {
        switch self {
        case .number(let digits):
            .number(
                Int64(digits).map { String($0) } ?? Double(digits)?.description ?? digits)
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members): .object(members.mapValues(\.canonical))
        default: self
        }
    }
}

/// A text of a value; texts of equal values are equal.
///
/// The server prints `100000` where this side prints `100000.0`.
struct CanonicalText: Hashable {
    let text: String?

    init(_ text: String?, _ tag: ValueTag) {
        let value = text.flatMap { ScalarText.value($0, tag) }
        self.text = value.flatMap { (try? ScalarText.text($0)) ?? text } ?? text
    }
}
