import FirnCodec
import FirnEngine
import FirnFormats
import FirnValues

/// Sets the links of a plan with a hash table of the target columns.
///
/// The targets are hashed in portions, so that memory does not grow with their number; each portion
/// requires one pass over the sources.
final class LinkFilling {
    private static let portionMax = 2_000_000
    /// The number of objects that a scan reads in the time of one index lookup.
    private static let objectsPerLookup = 32

    private let transaction: WriteTransaction
    private let plan: LinkPlan
    private let property: PropertySchema
    private let work: ConversionProgress
    private(set) var outcome: LinkOutcome
    /// The targets of the portion by their values.
    private var targets: [LinkKey: RowID] = [:]
    /// The values that several targets have.
    private var repeated: [LinkKey: RowID] = [:]
    /// Values of this pass that match two targets.
    private var ambiguity: (key: LinkKey, first: RowID, second: RowID)?

    /// Adds the property if the class does not have it.
    init(
        _ plan: LinkPlan, _ transaction: WriteTransaction, _ work: ConversionProgress
    ) throws(CommandFailure) {
        self.plan = plan
        self.transaction = transaction
        self.work = work
        outcome = LinkOutcome(
            className: plan.source.name, property: plan.request.property,
            source: plan.request.sourceText, targetName: plan.target.name)
        let type = PropertyType(.link, isOptional: true, target: plan.target.id)
        if let known = transaction.schema[plan.source.id]?.propertyNamed(plan.request.property) {
            guard known.type == type else {
                throw .diagnostic(
                    Diagnostic(
                        .writeType,
                        "\(plan.request.label): \(SafeText.escaping(plan.source.name))."
                            + "\(SafeText.escaping(known.name)) is already "
                            + transaction.schema.typeName(known.type))
                )
            }
            property = known
            return
        }
        do {
            property = try transaction.addProperty(
                ClassDefinition.Property(
                    name: plan.request.property, type: type, targetName: plan.target.name),
                to: plan.source.id)
        } catch { throw CommandFailure(error) }
    }

    // MARK: All objects of the class

    /// Sets the link of every object of the class.
    func fillAll() throws(CommandFailure) {
        try work.begin("linking", plan.request.property, try objectCount())
        do throws(StoreError) {
            guard let table = try transaction.snapshot().table(plan.target.id) else { return }
            var isFirst = true
            for group in try table.rowGroups() {
                try hash(group)
                if targets.count >= LinkFilling.portionMax { try pass(&isFirst, isLast: false) }
            }
            try pass(&isFirst, isLast: true)
        } catch {
            try work.checkSignals()
            throw failure(error)
        }
    }

    /// Returns the number of objects that are read at least once.
    private func objectCount() throws(CommandFailure) -> UInt64 {
        try CommandFailure.converting { () throws(StoreError) in
            let snapshot = try transaction.snapshot()
            let counts = [plan.source, plan.target].map { snapshot.table($0.id)?.liveRowCount ?? 0 }
            return UInt64(clamping: counts[0] + counts[1])
        }
    }

    private func hash(_ group: RowGroupView) throws(StoreError) {
        let columns = try columns(plan.targetProperties, of: group)
        let live = try group.liveRows()
        for row in 0..<group.rowCount where live?[row] ?? true {
            try work.advance()
            guard let key = LinkKey(columns, row: row) else { continue }
            let id = try group.rowID(at: row)
            if targets[key] != nil { repeated[key] = id } else { targets[key] = id }
        }
    }

    private func columns(
        _ properties: [PropertySchema], of group: RowGroupView
    ) throws(StoreError) -> [ColumnPage] {
        try properties.map { property throws(StoreError) in try group.column(property) }
    }

    /// Sets the links of the sources to the targets of the portion.
    private func pass(_ isFirst: inout Bool, isLast: Bool) throws(StoreError) {
        let keepsOld = !isFirst
        try transaction.fill(property.id, of: plan.source.id) { group throws(StoreError) in
            try values(of: group, keepsOld: keepsOld, isLast: isLast)
        }
        isFirst = false
        targets.removeAll(keepingCapacity: true)
        repeated.removeAll()
    }

    private func values(
        of group: RowGroupView, keepsOld: Bool, isLast: Bool
    ) throws(StoreError) -> [Value] {
        let columns = try columns(plan.sourceProperties, of: group)
        let old = keepsOld ? try group.column(property) : nil
        let live = try group.liveRows()
        var values: [Value] = []
        values.reserveCapacity(group.rowCount)
        for row in 0..<group.rowCount {
            try work.advance()
            let wanted = LinkKey(columns, row: row)
            let link = try link(wanted, old: old?.value(at: row))
            values.append(link)
            guard isLast, wanted != nil, live?[row] ?? true else { continue }
            if link.isNull { outcome.unmatched += 1 } else { outcome.linked += 1 }
        }
        return values
    }

    private func link(_ wanted: LinkKey?, old: Value?) throws(StoreError) -> Value {
        var known: RowID?
        if case .int(let row)? = old { known = RowID(UInt64(bitPattern: row)) }
        guard let wanted, let found = targets[wanted] else {
            return known.map(reference) ?? .null
        }
        if let second = repeated[wanted] ?? known {
            throw ambiguous(wanted, min(found, second), max(found, second))
        }
        return reference(found)
    }

    private func reference(_ row: RowID) -> Value {
        .link(ObjectReference(classID: plan.target.id, rowID: row))
    }

    // MARK: Some objects

    /// Sets the links of objects that were just written.
    func fill(_ rows: [RowID]) throws(CommandFailure) {
        do throws(StoreError) {
            let indices = plan.sourceProperties.compactMap { plan.source.index(of: $0.id) }
            guard indices.count == plan.sourceProperties.count else { return }
            var wanted: [LinkKey: [RowID]] = [:]
            for row in Set(rows).sorted() {
                guard let values = try transaction.values(of: row, in: plan.source.id) else {
                    continue
                }
                if let key = LinkKey(indices.map { values[$0] }) {
                    wanted[key, default: []].append(row)
                } else {
                    try transaction.set(property.id, of: row, in: plan.source.id, to: .null)
                }
            }
            let found = try find(Array(wanted.keys))
            for (key, rows) in wanted {
                let link = found[key].map(reference) ?? .null
                for row in rows {
                    try transaction.set(property.id, of: row, in: plan.source.id, to: link)
                }
                if link.isNull {
                    outcome.unmatched += UInt64(rows.count)
                } else {
                    outcome.linked += UInt64(rows.count)
                }
            }
        } catch { throw failure(error) }
    }

    private func find(_ wanted: [LinkKey]) throws(StoreError) -> [LinkKey: RowID] {
        if plan.targetProperties.map(\.id) == [plan.target.key] {
            var found: [LinkKey: RowID] = [:]
            for case .one(let value) in wanted {
                found[.one(value)] = try transaction.row(forKey: value, in: plan.target.id)
            }
            return found
        }
        guard let table = try transaction.snapshot().table(plan.target.id) else { return [:] }
        if wanted.count <= table.liveRowCount / LinkFilling.objectsPerLookup,
            let lookup = try ValueLookup(table, on: plan.targetProperties.map(\.id))
        {
            var entryCount = 0
            for key in wanted { entryCount += try lookup.entryCount(with: key.values) }
            if entryCount <= table.liveRowCount { return try find(wanted, lookup) }
        }
        return try scan(table, for: Set(wanted))
    }

    private func find(
        _ wanted: [LinkKey], _ lookup: ValueLookup
    ) throws(StoreError) -> [LinkKey: RowID] {
        var found: [LinkKey: RowID] = [:]
        for key in wanted {
            let rows = try lookup.rows(with: key.values)
            if rows.count > 1 { throw ambiguous(key, rows[0], rows[1]) }
            found[key] = rows.first
        }
        return found
    }

    private func scan(
        _ table: Table, for all: Set<LinkKey>
    ) throws(StoreError) -> [LinkKey: RowID] {
        var found: [LinkKey: RowID] = [:]
        for group in try table.rowGroups() {
            let columns = try columns(plan.targetProperties, of: group)
            let live = try group.liveRows()
            for row in 0..<group.rowCount where live?[row] ?? true {
                guard let key = LinkKey(columns, row: row), all.contains(key) else { continue }
                let id = try group.rowID(at: row)
                if let first = found.updateValue(id, forKey: key) {
                    throw ambiguous(key, first, id)
                }
            }
        }
        return found
    }

    private func ambiguous(_ key: LinkKey, _ first: RowID, _ second: RowID) -> StoreError {
        ambiguity = (key, first, second)
        return StoreError(.invalidValue, path: "", detail: "an ambiguous link")
    }

    private func failure(_ error: StoreError) -> CommandFailure {
        guard let ambiguity else { return CommandFailure(error) }
        let equalities = zip(plan.targetProperties, ambiguity.key.values).map {
            "\(SafeText.escaping($0.name)) \(SafeText.escaping($1.quoted))"
        }
        var diagnostic = Diagnostic(
            .writeAmbiguousLink,
            "\(plan.request.label): several objects of \(SafeText.escaping(plan.target.name)) have "
                + equalities.joined(separator: " and "))
        diagnostic.details = [
            "the first two have @id \(ambiguity.first.rawValue) and "
                + "\(ambiguity.second.rawValue)"
        ]
        diagnostic.remedy =
            equalities.count == 1
            ? "link to a property whose values are unique"
            : "link to properties whose values are unique together"
        return .diagnostic(diagnostic)
    }
}

/// The values by which an object is found, none of which is null.
private enum LinkKey: Hashable {
    case one(Value)
    case several([Value])

    /// Creates a key; `nil` if one of the values is null.
    init?(_ values: [Value]) {
        if values.contains(where: \.isNull) { return nil }
        if values.count == 1, let only = values.first {
            self = .one(only)
        } else {
            self = .several(values)
        }
    }

    /// Creates the key of a row.
    init?(_ columns: [ColumnPage], row: Int) {
        if columns.count == 1, let only = columns.first {
            let value = only.value(at: row)
            if value.isNull { return nil }
            self = .one(value)
        } else {
            self.init(columns.map { $0.value(at: row) })
        }
    }

    var values: [Value] {
        switch self {
        case .one(let value): [value]
        case .several(let values): values
        }
    }
}
