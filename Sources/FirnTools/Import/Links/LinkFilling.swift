import FirnCodec
import FirnEngine
import FirnValues

/// Sets the links of a plan with a hash table of the target column.
///
/// The targets are hashed in portions, so that memory does not grow with their number; each portion
/// requires one pass over the sources.
final class LinkFilling {
    private static let portionMax = 2_000_000

    private let transaction: WriteTransaction
    private let plan: LinkPlan
    private let property: PropertySchema
    private(set) var outcome: LinkOutcome
    /// The targets of the portion by value.
    private var targets: [Value: RowID] = [:]
    /// The values that several targets have.
    private var repeated: [Value: RowID] = [:]
    /// A value of this pass that matches two targets.
    private var ambiguity: (value: Value, first: RowID, second: RowID)?

    /// Adds the property if the class does not have it.
    init(_ plan: LinkPlan, _ transaction: WriteTransaction) throws(CommandFailure) {
        self.plan = plan
        self.transaction = transaction
        outcome = LinkOutcome(
            className: plan.source.name, property: plan.request.property,
            source: plan.request.source, targetName: plan.target.name)
        let type = PropertyType(.link, isOptional: true, target: plan.target.id)
        if let known = transaction.schema[plan.source.id]?.propertyNamed(plan.request.property) {
            guard known.type == type else {
                throw .diagnostic(
                    Diagnostic(
                        .writeType,
                        "--link \(SafeText.escaping(plan.request.text)): \(plan.source.name)."
                            + "\(known.name) is already \(transaction.schema.typeName(known.type))")
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
        do throws(StoreError) {
            guard let table = try transaction.snapshot().table(plan.target.id) else { return }
            var isFirst = true
            for group in try table.rowGroups() {
                try hash(group)
                if targets.count >= LinkFilling.portionMax { try pass(&isFirst, isLast: false) }
            }
            try pass(&isFirst, isLast: true)
        } catch { throw failure(error) }
    }

    private func hash(_ group: RowGroupView) throws(StoreError) {
        let column = try group.column(plan.targetProperty)
        let live = try group.liveRows()
        for row in 0..<group.rowCount where live?[row] ?? true {
            let value = column.value(at: row)
            guard !value.isNull else { continue }
            let id = try group.rowID(at: row)
            if targets[value] != nil { repeated[value] = id } else { targets[value] = id }
        }
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
        let column = try group.column(plan.sourceProperty)
        let old = keepsOld ? try group.column(property) : nil
        let live = try group.liveRows()
        var values: [Value] = []
        values.reserveCapacity(group.rowCount)
        for row in 0..<group.rowCount {
            let wanted = column.value(at: row)
            let link = try link(wanted, old: old?.value(at: row))
            values.append(link)
            guard isLast, !wanted.isNull, live?[row] ?? true else { continue }
            if link.isNull { outcome.unmatched += 1 } else { outcome.linked += 1 }
        }
        return values
    }

    private func link(_ wanted: Value, old: Value?) throws(StoreError) -> Value {
        var known: RowID?
        if case .int(let row)? = old { known = RowID(UInt64(bitPattern: row)) }
        guard !wanted.isNull, let found = targets[wanted] else {
            return known.map(reference) ?? .null
        }
        if let second = repeated[wanted] ?? known {
            ambiguity = (wanted, min(found, second), max(found, second))
            throw StoreError(.invalidValue, path: "", detail: "an ambiguous link")
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
            guard let index = plan.source.index(of: plan.sourceProperty.id) else { return }
            var wanted: [Value: [RowID]] = [:]
            for row in Set(rows).sorted() {
                guard let values = try transaction.values(of: row, in: plan.source.id) else {
                    continue
                }
                if values[index].isNull {
                    try transaction.set(property.id, of: row, in: plan.source.id, to: .null)
                } else {
                    wanted[values[index], default: []].append(row)
                }
            }
            let found = try find(Array(wanted.keys))
            for (value, rows) in wanted {
                let link = found[value].map(reference) ?? .null
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

    private func find(_ wanted: [Value]) throws(StoreError) -> [Value: RowID] {
        var found: [Value: RowID] = [:]
        if plan.target.key == plan.targetProperty.id {
            for value in wanted {
                found[value] = try transaction.row(forKey: value, in: plan.target.id)
            }
            return found
        }
        let all = Set(wanted)
        guard let table = try transaction.snapshot().table(plan.target.id) else { return [:] }
        for group in try table.rowGroups() {
            let column = try group.column(plan.targetProperty)
            let live = try group.liveRows()
            for row in 0..<group.rowCount where live?[row] ?? true {
                let value = column.value(at: row)
                guard all.contains(value) else { continue }
                let id = try group.rowID(at: row)
                if let first = found.updateValue(id, forKey: value) {
                    ambiguity = (value, first, id)
                    throw StoreError(.invalidValue, path: "", detail: "an ambiguous link")
                }
            }
        }
        return found
    }

    private func failure(_ error: StoreError) -> CommandFailure {
        guard let ambiguity else { return CommandFailure(error) }
        var diagnostic = Diagnostic(
            .writeAmbiguousLink,
            "--link \(SafeText.escaping(plan.request.text)): several objects of "
                + "\(plan.target.name) have \(plan.targetProperty.name) "
                + "\(SafeText.escaping(ambiguity.value.quoted))")
        diagnostic.details = [
            "the first two are those with @id \(ambiguity.first.rawValue) and "
                + "\(ambiguity.second.rawValue)"
        ]
        diagnostic.remedy = "link to a property whose values are unique"
        return .diagnostic(diagnostic)
    }
}
