import FirnEngine
import FirnPlatform
import FirnValues

/// The changes of one transaction.
struct CaptureStep {
    private let old: ValueTexts
    private let new: ValueTexts
    private let time: Int64
    private let client: FirnValues.UUID
    private let kept: KeptState
    private(set) var sequence: Int64
    private(set) var clock: HybridTime
    private(set) var collected: [Capture.Collected] = []

    init(
        old: ValueTexts, new: ValueTexts, time: Int64, record: UpstreamRecord, _ kept: KeptState
    ) {
        self.kept = kept
        self.old = old
        self.new = new
        self.time = time
        client = record.client
        sequence = record.lastSequence + 1
        clock = record.clock
    }

    /// The changes; if one of them cannot be sent, none can, because a transaction is refused as a
    /// whole.
    var collectedAsWhole: [Capture.Collected] {
        guard let refusal = collected.lazy.compactMap(\.refusal).first else { return collected }
        return collected.map { item in
            var item = item
            item.refusal = item.refusal ?? "another change of its transaction: \(refusal)"
            return item
        }
    }

    mutating func add(
        _ changed: ClassChanges, of type: SyncedClass, from before: Snapshot, to after: Snapshot
    ) throws(UpstreamError) {
        for row in changed.deleted { try delete(row, of: type) }
        for row in changed.created { try create(row, of: type, in: after) }
        for object in changed.modified { try update(object, of: type, before, after) }
    }

    /// Adds the state of an object, as a transaction of its own.
    ///
    /// - Parameter isLatest: Whether the state prevails over what the server has.
    mutating func addExisting(
        _ row: RowID, of type: SyncedClass, in snapshot: Snapshot, isLatest: Bool
    ) throws(UpstreamError) {
        let first = collected.count
        try create(row, of: type, in: snapshot)
        guard first < collected.count else { return }
        collected[first].change.kind = .existing
        if !isLatest { collected[first].change.time = HybridTime(0) }
        sequence += 1
    }

    private mutating func delete(_ row: RowID, of type: SyncedClass) throws(UpstreamError) {
        guard let key = try keyText(row, of: type, in: old) else { return }
        append(.delete, key, of: type)
    }

    private mutating func create(
        _ row: RowID, of type: SyncedClass, in snapshot: Snapshot
    ) throws(UpstreamError) {
        guard let values = try values(row, of: type, in: snapshot) else { return }
        let texts = new
        try appendCreation(values, of: type, texts)
    }

    private mutating func appendCreation(
        _ values: [Value], of type: SyncedClass, _ texts: ValueTexts
    ) throws(UpstreamError) {
        let key: String?
        do throws(UpstreamError) { key = try CaptureStep.keyText(values, of: type) } catch {
            clock = HybridTime(nanosecondsSince1970: time, after: clock, client: client)
            let change = Outgoing(
                id: clock.rawValue, sequence: sequence, className: type.name, key: "",
                kind: .create, time: clock, properties: texts.all(values, of: type).properties)
            collected.append(
                Capture.Collected(change: change, refusal: error.detail, hasKey: false))
            return
        }
        guard let key else { return }
        append(.create, key, of: type, texts.all(values, of: type))
    }

    private mutating func update(
        _ object: ModifiedObject, of type: SyncedClass, _ before: Snapshot, _ after: Snapshot
    ) throws(UpstreamError) {
        guard let former = try values(object.row, of: type, in: before),
            let values = try values(object.row, of: type, in: after),
            let keyIndex = type.schema.index(of: type.key.property.id)
        else { return }
        guard former[keyIndex] == values[keyIndex] else {
            // With another key it is another row.
            if let formerKey = try? CaptureStep.keyText(former, of: type) {
                append(.delete, formerKey, of: type)
            }
            return try appendCreation(values, of: type, new)
        }
        // An object whose key cannot be sent was refused when it was created.
        guard let key = try? CaptureStep.keyText(values, of: type) else { return }
        guard !kept.contains(ObjectName(className: type.name, key: key)) else {
            let index = collected.count
            try appendCreation(values, of: type, new)
            if index < collected.count { collected[index].change.kind = .existing }
            return
        }
        var changed = ConvertedProperties()
        // A property that was added or converted has no former value: the server gets the new ones when
        // it has the column.
        let known = before.schema[type.schema.id]
        for (index, column) in type.columns.enumerated()
        where object.properties.contains(column.property.id)
            && known?.index(of: column.property.id) != nil
        {
            guard index < values.count, index < former.count else { continue }
            changed.add(column, values[index], new, replacing: former[index], old)
        }
        append(.update, key, of: type, changed)
    }

    /// Adds a change, except an update without differences.
    private mutating func append(
        _ kind: Outgoing.Kind, _ key: String, of type: SyncedClass,
        _ changed: ConvertedProperties = ConvertedProperties()
    ) {
        clock = HybridTime(nanosecondsSince1970: time, after: clock, client: client)
        guard kind != .update || !changed.properties.isEmpty else { return }
        let change = Outgoing(
            id: clock.rawValue, sequence: sequence, className: type.name, key: key, kind: kind,
            time: clock, properties: changed.properties)
        collected.append(Capture.Collected(change: change, refusal: changed.refusal))
    }

    private func values(
        _ row: RowID, of type: SyncedClass, in snapshot: Snapshot
    ) throws(UpstreamError) -> [Value]? {
        try UpstreamError.converting { () throws(StoreError) in
            // The class may have had other properties in that version.
            guard let table = snapshot.table(type.schema.id), let values = try table.values(of: row)
            else { return nil }
            let stored = snapshot.schema[type.schema.id] ?? type.schema
            return type.schema.properties.map { property in
                stored.index(of: property.id).map { values[$0] } ?? .null
            }
        }
    }

    private func keyText(
        _ row: RowID, of type: SyncedClass, in texts: ValueTexts
    ) throws(UpstreamError) -> String? {
        let key = try UpstreamError.converting { () throws(StoreError) in
            try texts.key(of: ObjectReference(classID: type.schema.id, rowID: row))
        }
        // An object whose key cannot be sent was refused when it was created.
        return key.flatMap { (try? SyncedClass.keyText($0)) ?? nil }
    }

    private static func keyText(
        _ values: [Value], of type: SyncedClass
    ) throws(UpstreamError) -> String? {
        guard let index = type.schema.index(of: type.key.property.id), index < values.count else {
            return nil
        }
        return try SyncedClass.keyText(values[index])
    }
}

/// Properties of a change as texts, and the reason why the server cannot have one of them.
///
/// A value that has no text there keeps one for people: what was typed is not lost.
struct ConvertedProperties {
    private(set) var properties: [PropertyText] = []
    private(set) var refusal: String?

    /// Adds the value of a property.
    mutating func add(_ column: SyncedColumn, _ value: Value, _ texts: ValueTexts) {
        properties.append(PropertyText(name: column.name, texts: text(value, column, texts)))
    }

    /// Adds a value that replaces another, unless both are equal.
    mutating func add(
        _ column: SyncedColumn, _ value: Value, _ texts: ValueTexts, replacing former: Value,
        _ formerTexts: ValueTexts
    ) {
        let known = refusal
        let base = text(former, column, formerTexts)
        // The server never had a former value that it cannot have.
        refusal = known
        let new = text(value, column, texts)
        guard new != base else { return }
        properties.append(PropertyText(name: column.name, texts: new, base: base))
    }

    private mutating func text(
        _ value: Value, _ column: SyncedColumn, _ texts: ValueTexts
    ) -> [String?] {
        do throws(UpstreamError) { return try texts.texts(value, column) } catch {
            refusal = refusal ?? error.detail
            if case .string(let text) = value { return [text] }
            return [value.description]
        }
    }
}

extension ValueTexts {
    /// Returns all properties of an object.
    fileprivate func all(_ values: [Value], of type: SyncedClass) -> ConvertedProperties {
        var converted = ConvertedProperties()
        for (column, value) in zip(type.columns, values) { converted.add(column, value, self) }
        return converted
    }
}
