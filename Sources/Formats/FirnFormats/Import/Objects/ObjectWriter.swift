package import FirnEngine
import FirnValues

/// Writes plans.
///
/// Links to objects that do not exist yet are stored, and set when ``settle()`` is called; memory
/// is bounded by the pending links.
package final class ObjectWriter {
    /// The numbers of written objects that are not embedded.
    package struct Counts {
        package var inserted: UInt64 = 0
        package var updated: UInt64 = 0
        package var unchanged: UInt64 = 0
        /// The replaced objects that lost a value because the record does not have its property.
        package var emptied: UInt64 = 0
    }

    let transaction: WriteTransaction
    let pending = PendingLinks()
    /// The pending links of objects that were inserted without a plan.
    package let keyed = KeyedLinks()
    package private(set) var counts = Counts()

    package init(_ transaction: WriteTransaction) { self.transaction = transaction }

    /// - Parameter input: the name of the input, for links that remain unresolved.
    @discardableResult
    package func write(_ plan: ObjectPlan, from input: String) throws(StoreError) -> PutOutcome {
        var values: [(property: PropertySchema, value: Value)] = []
        var waiting: [(property: PropertySchema, value: ValuePlan)] = []
        values.reserveCapacity(plan.fields.count)
        let current = try currentValues(plan)
        for (property, value) in plan.fields {
            let settled = try written(value, current?[property.id], from: input)
            if let value = settled.value {
                values.append((property, value))
            } else {
                waiting.append((property, settled))
            }
        }
        if plan.policy == .replace, let row = plan.existing {
            try noteEmptied(row, current, by: plan)
        }
        let outcome = try put(plan, values)
        let object = ObjectReference(classID: plan.schema.id, rowID: outcome.row)
        if outcome.effect != .inserted, !pending.isEmpty {
            // The record has the last word about its properties.
            let given = Set(plan.fields.map(\.property.id))
            pending.take(of: object) { plan.policy == .replace || given.contains($0) }
        }
        for (property, value) in waiting {
            pending.append(
                PendingLinks.Item(
                    object: object, property: property, value: value, position: plan.position,
                    input: input, order: keyed.nextOrder()))
        }
        if !plan.schema.isEmbedded { count(outcome.effect) }
        return outcome
    }

    /// Counts an object that was inserted without a plan.
    package func noteInserted() { counts.inserted += 1 }

    /// - Parameter current: the values of the object, if they are known.
    private func noteEmptied(
        _ row: RowID, _ current: [PropertyID: Value]?, by plan: ObjectPlan
    ) throws(StoreError) {
        let given = Set(plan.fields.map(\.property.id))
        guard given.count < plan.schema.properties.count else { return }
        var values = current
        if values == nil { values = try valuesByProperty(of: row, in: plan.schema) }
        let isEmptied = plan.schema.properties.contains { property in
            guard !given.contains(property.id), let value = values?[property.id] else {
                return false
            }
            return value != .null && value != property.type.absentValue
        }
        if isEmptied { counts.emptied += 1 }
    }

    private func count(_ effect: PutOutcome.Effect) {
        switch effect {
        case .inserted: counts.inserted += 1
        case .updated: counts.updated += 1
        case .unchanged: counts.unchanged += 1
        }
    }

    /// Returns the values of an existing object, if they are needed to determine changes.
    private func currentValues(_ plan: ObjectPlan) throws(StoreError) -> [PropertyID: Value]? {
        guard let row = plan.existing else { return nil }
        var owns = false
        for field in plan.fields {
            field.value.visitObjects { if $0.schema.isEmbedded { owns = true } }
        }
        // Objects without a key are compared here; the store compares all others.
        guard owns || plan.schema.key == nil else { return nil }
        return try valuesByProperty(of: row, in: plan.schema)
    }

    private func valuesByProperty(
        of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> [PropertyID: Value] {
        let values = try transaction.values(of: row, in: schema.id) ?? []
        return Dictionary(uniqueKeysWithValues: zip(schema.properties.map(\.id), values))
    }

    // MARK: Objects inside values

    /// Writes the objects in a value; embedded objects only if they differ from the existing ones.
    func written(
        _ value: ValuePlan, _ current: Value?, from input: String
    ) throws(StoreError) -> ValuePlan {
        if case .value = value { return value }
        let linked = try value.mapped { object throws(StoreError) in
            if object.schema.isEmbedded { return .object(object) }
            let row = try write(object, from: input).row
            return .value(.link(ObjectReference(classID: object.schema.id, rowID: row)))
        } _: { name throws(StoreError) in
            .pending(name)
        }
        if let current, try equals(linked, current) { return .value(current) }
        return try linked.mapped { object throws(StoreError) in
            let row = try write(object, from: input).row
            return .value(.link(ObjectReference(classID: object.schema.id, rowID: row)))
        } _: { name throws(StoreError) in
            .pending(name)
        }
    }

    private func equals(_ plan: ValuePlan, _ current: Value) throws(StoreError) -> Bool {
        switch (plan, current) {
        case (.value(let value), _): return value == current
        case (.object(let object), .link(let reference)):
            return try equals(object, reference)
        case (.list(let plans), .list(let values)), (.set(let plans), .set(let values)):
            guard plans.count == values.count else { return false }
            for (plan, value) in zip(plans, values) where try !equals(plan, value) {
                return false
            }
            return true
        case (.map(let plans), .map(let values)):
            guard plans.count == values.count else { return false }
            for (key, plan) in plans {
                guard let value = values[key], try equals(plan, value) else { return false }
            }
            return true
        default: return false
        }
    }

    private func equals(
        _ object: ObjectPlan, _ reference: ObjectReference
    ) throws(StoreError) -> Bool {
        guard object.schema.id == reference.classID else { return false }
        let current = try valuesByProperty(of: reference.rowID, in: object.schema)
        for property in object.schema.properties {
            guard let value = current[property.id] else { return false }
            if let field = object.fields.first(where: { $0.property.id == property.id }) {
                guard try equals(field.value, value) else { return false }
            } else if value != property.type.absentValue {
                return false
            }
        }
        return true
    }

    // MARK: Single objects

    private func put(
        _ plan: ObjectPlan, _ values: [(property: PropertySchema, value: Value)]
    ) throws(StoreError) -> PutOutcome {
        if plan.schema.key != nil {
            return try transaction.put(
                values.map { ($0.property.id, $0.value) }, in: plan.schema.id, policy: plan.policy)
        }
        guard let row = plan.existing else { return try create(plan, values) }
        var wanted = values
        if plan.policy == .replace {
            let given = Set(values.map(\.property.id))
            for property in plan.schema.properties where !given.contains(property.id) {
                if let absent = property.type.absentValue { wanted.append((property, absent)) }
            }
        }
        let current = try valuesByProperty(of: row, in: plan.schema)
        var effect = PutOutcome.Effect.unchanged
        for (property, value) in wanted where current[property.id] != value {
            try transaction.set(property.id, of: row, in: plan.schema.id, to: value)
            effect = .updated
        }
        return PutOutcome(row: row, effect: effect)
    }

    private func create(
        _ plan: ObjectPlan, _ values: [(property: PropertySchema, value: Value)]
    ) throws(StoreError) -> PutOutcome {
        let schema = plan.schema
        var all = schema.properties.map { $0.type.absentValue ?? .null }
        for (property, value) in values {
            if let index = schema.index(of: property.id) { all[index] = value }
        }
        let row: RowID
        if let newRow = plan.newRow {
            row = try transaction.create(in: schema.id, all, at: newRow)
        } else {
            row = try transaction.create(in: schema.id, all)
        }
        return PutOutcome(row: row, effect: .inserted)
    }

    // MARK: Pending links

    /// Returns the error for links that ``settle()`` could not set.
    package static func diagnostic(
        _ count: UInt64, _ first: (mistake: RecordMistake, input: String)
    ) -> Diagnostic {
        var diagnostic = first.mistake.diagnostic(in: first.input)
        if count > 1 {
            diagnostic.details.append("the first of \(Formatting.count(count)) such links")
        }
        diagnostic.remedy = "write the objects in the same command, or omit the links"
        return diagnostic
    }

    func find(_ name: ObjectName) throws(StoreError) -> RowID? {
        switch name.identity {
        case .key(let key): try transaction.row(forKey: key, in: name.classID)
        case .row(let row): try transaction.exists(row, in: name.classID) ? row : nil
        }
    }

    /// Returns the error for a link without a target.
    package func dangling(_ name: PendingName, _ property: PropertySchema) -> RecordMistake {
        let schema = transaction.schema[name.name.classID]
        let identity =
            switch name.name.identity {
            case .key(let key): "\(schema?.keyProperty?.name ?? "key") \(key.quoted)"
            case .row(let row): "$id \(row.rawValue)"
            }
        return RecordMistake(
            .writeDanglingLink, "there is no \(schema?.name ?? "object") with \(identity)",
            at: name.position
        ).inside(property: property.name)
    }
}
