import FirnEngine
import FirnPlatform
import FirnValues

/// Collects the changes of this file since the last capture, as part of a transaction.
///
/// The changes come from the differences between versions, not from the log: the freeze
/// ``UpstreamRecord/freezeName`` keeps the last captured version readable however long the file is
/// offline. As long as the history has every commit, each one is a transaction of its own, with
/// its own time; otherwise all of them together are one.
struct Capture {
    private let store: Store
    private let classes: [SyncedClass]
    /// A version that need not be opened again.
    private let last: Snapshot?
    private let kept: KeptState

    /// The number of commits that are captured one by one.
    private static let stepMaximum: UInt64 = 10_000

    /// - Parameters:
    ///   - last: The version of the last capture, if the caller has it.
    ///   - kept: The objects that the server does not have.
    init(
        _ store: Store, _ classes: [SyncedClass], _ last: Snapshot?, _ kept: KeptState
    ) {
        self.store = store
        self.classes = classes
        self.last = last
        self.kept = kept
    }

    /// A change, or the reason why it cannot be sent.
    struct Collected {
        var change: Outgoing
        var refusal: String?
        /// Whether the key could be converted; without it, the object cannot be reverted.
        var hasKey = true
    }

    /// Returns the changes since the last capture, and notes in the record that they are captured.
    ///
    /// - Parameter base: The version that the transaction changes.
    func changes(
        _ record: inout UpstreamRecord, upTo base: Snapshot
    ) throws(UpstreamError) -> [Collected] {
        guard record.captured < base.version else { return [] }
        var result: [Collected] = []
        var old = try snapshot(record.captured)
        let backlog = CommitBacklog(store)
        var version = record.captured.rawValue
        if base.version.rawValue - version > Capture.stepMaximum { version = base.version.rawValue }
        while version < base.version.rawValue {
            // The next version is the last one and its commit: opening each version would replay
            // the commits before it again and again.
            let step = try UpstreamError.converting { () throws(StoreError) in
                try backlog.fill(after: old.version, through: base.version)
                return try backlog.step(from: old)
            }
            if let step {
                try collect(step.changes, from: old, to: step.new, &record, &result)
                (old, version) = (step.new, step.new.version.rawValue)
                continue
            }
            version += 1
            // A version that is no longer kept is skipped: its changes are in the next one.
            guard version < base.version.rawValue, let new = try keptSnapshot(LSN(version)) else {
                continue
            }
            try collect(from: old, to: new, &record, &result)
            old = new
        }
        if old.version < base.version { try collect(from: old, to: base, &record, &result) }
        return result
    }

    /// Returns a version; `nil` if it is no longer kept.
    private func keptSnapshot(_ version: LSN) throws(UpstreamError) -> Snapshot? {
        do { return try store.snapshot(at: .number(version)) } catch {
            guard error.code == .versionGone else { throw UpstreamError(error) }
            return nil
        }
    }

    /// Returns the version of the last capture.
    func snapshot(_ version: LSN) throws(UpstreamError) -> Snapshot {
        if let last, last.version == version { return last }
        do { return try store.snapshot(at: .number(version)) } catch {
            guard error.code == .versionGone else { throw UpstreamError(error) }
            throw UpstreamError(
                .resetNeeded,
                "version \(version.rawValue), the last one that was replicated, is not kept",
                remedy: "see the differences with: firn sync verify FILE; take the data of the "
                    + "server with: firn sync reset FILE --discard")
        }
    }

    private func collect(
        from old: Snapshot, to new: Snapshot, _ record: inout UpstreamRecord,
        _ result: inout [Collected]
    ) throws(UpstreamError) {
        let changes = try UpstreamError.converting { () throws(StoreError) in
            try store.changes(from: old, to: new)
        }
        try collect(changes, from: old, to: new, &record, &result)
    }

    private func collect(
        _ changes: VersionChanges, from old: Snapshot, to new: Snapshot,
        _ record: inout UpstreamRecord, _ result: inout [Collected]
    ) throws(UpstreamError) {
        let time = changes.time ?? Int64(store.services.clock.wallTime().seconds) * 1_000_000_000
        var step = CaptureStep(
            old: ValueTexts(old), new: ValueTexts(new), time: time, record: record, kept)
        // An embedded object is part of its owner.
        let owners = try UpstreamError.converting { () throws(StoreError) in
            try EmbeddedOwners(of: changes, in: new)
        }
        for type in classes {
            var changed = changes.classes[type.schema.id] ?? ClassChanges()
            changed.modified = owners.modified(changed, of: type.schema.id)
            try step.add(changed, of: type, from: old, to: new)
        }
        guard !step.collected.isEmpty else { return }
        record.lastSequence = step.sequence
        record.clock = step.clock
        result += step.collectedAsWhole
    }
}

/// The changes of one transaction.
private struct CaptureStep {
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

    /// The changes, of which none can be sent if one of them cannot: a transaction is refused as a
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
        append(.delete, key, of: type) { () throws(UpstreamError) in [] }
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
                kind: .create, time: clock, properties: [])
            collected.append(
                Capture.Collected(change: change, refusal: error.detail, hasKey: false))
            return
        }
        guard let key else { return }
        append(.create, key, of: type) { () throws(UpstreamError) in
            try PropertyText.all(values, of: type, texts)
        }
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
                append(.delete, formerKey, of: type) { () throws(UpstreamError) in [] }
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
        let (oldTexts, newTexts) = (old, new)
        append(.update, key, of: type) { () throws(UpstreamError) in
            var properties: [PropertyText] = []
            // A property that was added or converted has no former value: the server gets the new ones
            // when it has the column.
            let known = before.schema[type.schema.id]
            for (index, column) in type.columns.enumerated()
            where object.properties.contains(column.property.id)
                && known?.index(of: column.property.id) != nil
            {
                guard index < values.count, index < former.count else { continue }
                let texts = try newTexts.texts(values[index], column)
                let base = try oldTexts.texts(former[index], column)
                guard texts != base else { continue }
                properties.append(
                    PropertyText(
                        name: column.name, texts: texts, base: base))
            }
            return properties
        }
    }

    /// Adds a change; an update without differences is none.
    private mutating func append(
        _ kind: Outgoing.Kind, _ key: String, of type: SyncedClass,
        _ properties: () throws(UpstreamError) -> [PropertyText]
    ) {
        clock = HybridTime(nanosecondsSince1970: time, after: clock, client: client)
        var change = Outgoing(
            id: clock.rawValue, sequence: sequence, className: type.name, key: key, kind: kind,
            time: clock, properties: [])
        do throws(UpstreamError) {
            change.properties = try properties()
            guard kind != .update || !change.properties.isEmpty else { return }
            collected.append(Capture.Collected(change: change))
        } catch {
            collected.append(Capture.Collected(change: change, refusal: error.detail))
        }
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

extension PropertyText {
    /// Returns all properties of an object.
    static func all(
        _ values: [Value], of type: SyncedClass, _ texts: ValueTexts
    ) throws(UpstreamError) -> [PropertyText] {
        var properties: [PropertyText] = []
        for (column, value) in zip(type.columns, values) {
            properties.append(
                PropertyText(name: column.name, texts: try texts.texts(value, column)))
        }
        return properties
    }
}

extension Capture {
    /// Returns the state of all objects of a class, each as a transaction of its own.
    ///
    /// - Parameter isLatest: Whether the state prevails over what the server has.
    func everything(
        of type: SyncedClass, in snapshot: Snapshot, isLatest: Bool, _ record: inout UpstreamRecord
    ) throws(UpstreamError) -> [Collected] {
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try snapshot.table(type.schema.id)?.liveRowIDs() ?? []
        }
        guard !rows.isEmpty else { return [] }
        let clock = store.services.clock.wallTime()
        let time = Int64(clock.seconds) * 1_000_000_000 + Int64(clock.nanoseconds)
        var step = CaptureStep(
            old: ValueTexts(snapshot), new: ValueTexts(snapshot), time: time, record: record, kept)
        for row in rows {
            try step.addExisting(row, of: type, in: snapshot, isLatest: isLatest)
        }
        // The next transaction would have the number of the step.
        record.lastSequence = step.sequence - 1
        record.clock = step.clock
        return step.collected
    }

    /// Returns the values of properties that the server did not have, each object as a transaction of
    /// its own.
    ///
    /// The server has the empty value of the type for them, which is not sent.
    func values(
        of columns: [SyncedColumn], of type: SyncedClass, in snapshot: Snapshot,
        _ record: inout UpstreamRecord
    ) throws(UpstreamError) -> [Outgoing] {
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try snapshot.table(type.schema.id)?.liveRowIDs() ?? []
        }
        let texts = ValueTexts(snapshot)
        var fills: [Outgoing] = []
        guard let table = snapshot.table(type.schema.id) else { return [] }
        for row in rows {
            let values = try UpstreamError.converting { () throws(StoreError) in
                try table.values(of: row)
            }
            guard let values, let keyIndex = type.schema.index(of: type.key.property.id),
                let key = (try? SyncedClass.keyText(values[keyIndex])) ?? nil,
                !kept.contains(ObjectName(className: type.name, key: key))
            else { continue }
            var properties: [PropertyText] = []
            for column in columns {
                guard let index = type.schema.index(of: column.property.id) else { continue }
                // A value that the server cannot store waits until it is changed.
                guard let text = try? texts.texts(values[index], column),
                    !column.isEqual(text, column.emptyTexts)
                else { continue }
                properties.append(
                    PropertyText(name: column.name, texts: text, base: column.emptyTexts))
            }
            guard !properties.isEmpty else { continue }
            record.lastSequence += 1
            record.clock = HybridTime(
                nanosecondsSince1970: 0, after: record.clock, client: record.client)
            fills.append(
                Outgoing(
                    id: record.clock.rawValue, sequence: record.lastSequence,
                    className: type.name, key: key, kind: .fill, time: HybridTime(0),
                    properties: properties))
        }
        return fills
    }
}
