import FirnEngine
import FirnText
package import FirnValues

/// An object whose fields are being read.
struct ObjectDraft {
    let schema: ClassSchema
    let fields: ClassFields
    let policy: PutPolicy
    let position: TextPosition
    /// Whether it is in the position of a link.
    let isNested: Bool
    /// The unique property that identifies the object, if that is neither the key nor `$id`.
    var unique: PropertySchema?
    var key: Value?
    /// The value of `$id`.
    var row: RowID?
    var values: [(property: PropertySchema, value: ValuePlan)] = []
    /// The index of each property among the values.
    var given: [PropertyID: Int] = [:]
}

extension ObjectPlanner {
    /// Checks a completely read object against the existing objects.
    func finish(_ draft: ObjectDraft) throws(RecordError) -> ObjectPlan {
        var draft = draft
        // A missing key is nil, if the key is optional.
        if draft.key == nil, draft.schema.mayKeyBeNull { draft.key = .null }
        let existing = try existing(draft)
        if existing == nil || draft.policy == .replace { try checkRequired(draft) }
        let newRow = existing == nil ? draft.row : nil
        if let newRow { try claim(newRow, draft) }
        try checkUnique(draft, existing)
        let plan = ObjectPlan(
            schema: draft.schema, policy: draft.policy, existing: existing, newRow: newRow,
            key: draft.key, position: draft.position, fields: draft.values)
        if let key = draft.key { note(ObjectName(classID: draft.schema.id, identity: .key(key))) }
        return plan
    }

    /// Identifies the object by the value of a unique property.
    func identify(_ draft: inout ObjectDraft, by unique: PropertySchema) throws(RecordError) {
        draft.unique = unique
        let schema = draft.schema
        guard let index = draft.given[unique.id],
            case .value(let value) = draft.values[index].value,
            !value.isNull
        else {
            throw rejected(
                draft, .writeMissingKey,
                "an object of \(schema.name) without a value for \(unique.name), which identifies it"
            )
        }
        guard draft.policy != .insert else { return }
        let text = "\(unique.name) \(value.quoted)"
        if let owner = try owner(of: [unique.id: value], besides: nil, schema) {
            return try identify(&draft, as: owner.row, text)
        }
        if draft.policy == .update { throw unknown(draft, text) }
        if let row = draft.row {
            let name = ObjectName(classID: schema.id, identity: .row(row))
            guard try find(name) == nil else { throw duplicate(draft, self.text(name, schema)) }
        }
        if let key = draft.key, !key.isNull {
            let name = ObjectName(classID: schema.id, identity: .key(key))
            guard try find(name) == nil else { throw duplicate(draft, self.text(name, schema)) }
        }
    }

    /// Gives the draft the key or the row id of an existing object.
    ///
    /// - Parameter text: The value that identifies the object.
    private func identify(
        _ draft: inout ObjectDraft, as row: RowID, _ text: String
    ) throws(RecordError) {
        guard let property = draft.fields.keyProperty,
            let index = draft.schema.index(of: property.id)
        else {
            if let given = draft.row, given != row {
                throw rejected(
                    draft, .writeValue,
                    "the \(draft.schema.name) with \(text) has $id \(row.rawValue), not "
                        + "\(given.rawValue)", remedy: "leave $id out of the records")
            }
            draft.row = row
            return
        }
        let key: Value
        do {
            key = try transaction.values(of: row, in: draft.schema.id)?[index] ?? .null
        } catch { throw .store(error) }
        if let given = draft.key, given != key {
            throw rejected(
                draft, .writeValue,
                "the \(draft.schema.name) with \(text) has the key \(property.name) \(key.quoted), "
                    + "not \(given.quoted)",
                remedy: "leave \(property.name) out of the records")
        }
        guard draft.given.updateValue(draft.values.count, forKey: property.id) == nil else {
            return
        }
        draft.key = key
        draft.values.append((property, .value(key)))
    }

    private func owner(
        of fields: [PropertyID: Value], besides row: RowID?, _ schema: ClassSchema
    ) throws(RecordError) -> (index: IndexSchema, values: [Value], row: RowID)? {
        do {
            return try transaction.ownerOfUniqueValues(fields, of: row, in: schema.id)
        } catch { throw .store(error) }
    }

    /// Checks that no other object has the values of a unique index.
    private func checkUnique(_ draft: ObjectDraft, _ existing: RowID?) throws(RecordError) {
        guard draft.schema.indexes.contains(where: \.isUnique) else { return }
        var fields: [PropertyID: Value] = [:]
        for (property, value) in draft.values {
            if case .value(let value) = value { fields[property.id] = value }
        }
        guard let found = try owner(of: fields, besides: existing, draft.schema) else { return }
        let texts = zip(found.index.properties, found.values).map { id, value in
            "\(SafeText.escaping(draft.schema[id]?.name ?? "")) \(SafeText.escaping(value.quoted))"
        }
        let name = SafeText.escaping(draft.schema.name(of: found.index))
        throw rejected(
            draft, .writeDuplicateKey,
            "\(name) is unique, and the object with @id \(found.row.rawValue) has "
                + "\(texts.joined(separator: " and ")) already")
    }

    /// Returns the existing object with the name of the draft, according to the policy.
    private func existing(_ draft: ObjectDraft) throws(RecordError) -> RowID? {
        if draft.schema.isEmbedded { return nil }
        guard let name = try name(draft) else { return nil }
        let row = try find(name)
        switch draft.policy {
        case .insert where row != nil || isPlanned(name):
            throw duplicate(draft, text(name, draft.schema))
        case .update where row == nil && !isPlanned(name):
            throw unknown(draft, text(name, draft.schema))
        default: return row
        }
    }

    /// Returns the identity of the object; `nil` for an object that is always new.
    private func name(_ draft: ObjectDraft) throws(RecordError) -> ObjectName? {
        let schema = draft.schema
        if let property = draft.fields.keyProperty {
            guard let key = draft.key, !key.isNull || property.type.isOptional else {
                throw rejected(
                    draft, .writeMissingKey,
                    "an object of \(schema.name) without a value for its key \(property.name)")
            }
            return ObjectName(classID: schema.id, identity: .key(key))
        }
        if let row = draft.row { return ObjectName(classID: schema.id, identity: .row(row)) }
        guard draft.policy == .insert || draft.isNested || draft.unique != nil else {
            throw rejected(
                draft, .writeMissingKey,
                "\(schema.name) has no key, so --\(draft.policy.rawValue) needs the $id of an object",
                remedy: "firn alter FILE 'key \(schema.name) PROP' gives the class a key")
        }
        return nil
    }

    private func checkRequired(_ draft: ObjectDraft) throws(RecordError) {
        for id in draft.fields.required where draft.given[id] == nil {
            guard let property = draft.schema[id] else { continue }
            var mistake = RecordMistake(
                .writeMissingValue, "\(draft.schema.name) needs a value for \(property.name)",
                at: draft.position
            ).inside(property: property.name)
            mistake.remedy = remedy.text(forMissing: property, of: draft.schema)
            throw RecordError.rejected(mistake)
        }
    }

    /// Gives a new object the `$id` of the input if it is unused and greater than all others.
    private func claim(_ row: RowID, _ draft: ObjectDraft) throws(RecordError) {
        let schema = draft.schema
        let next: RowID
        do throws(StoreError) {
            if let planned = nextRow(of: schema.id) {
                next = planned
            } else {
                next = try transaction.nextRowID(in: schema.id)
            }
        } catch { throw .store(error) }
        guard row >= next else {
            throw rejected(
                draft, .writeValue,
                "a new object of \(schema.name) cannot get $id \(row.rawValue), which is below "
                    + "\(next.rawValue)",
                remedy: "$id values ascend and are never reused; omit $id for a new object")
        }
        guard let after = RowID(rawValue: row, plus: 1) else {
            throw rejected(draft, .writeValue, "$id \(row.rawValue) is too large")
        }
        setNextRow(after, of: schema.id)
        note(ObjectName(classID: schema.id, identity: .row(row)))
    }

    private func rejected(
        _ draft: ObjectDraft, _ slug: Slug, _ message: String, remedy: String? = nil
    ) -> RecordError {
        var mistake = RecordMistake(slug, message, at: draft.position)
        mistake.remedy = remedy
        return .rejected(mistake)
    }

    private func duplicate(_ draft: ObjectDraft, _ text: String) -> RecordError {
        let remedy =
            draft.unique.map { "--key \($0.name) changes only an object with the same \($0.name)" }
            ?? "--upsert changes the existing object"
        return rejected(
            draft, .writeDuplicateKey, "\(draft.schema.name) already has an object with \(text)",
            remedy: remedy)
    }

    private func unknown(_ draft: ObjectDraft, _ text: String) -> RecordError {
        rejected(
            draft, .writeUnknownObject, "\(draft.schema.name) has no object with \(text)",
            remedy: "--upsert inserts missing objects")
    }

    /// Returns `id 7` or `$id 7`.
    func text(_ name: ObjectName, _ schema: ClassSchema) -> String {
        switch name.identity {
        case .key(let key): "\(schema.keyProperty?.name ?? "key") \(key.quoted)"
        case .row(let row): "$id \(row.rawValue)"
        }
    }

    /// Returns the object of that name in the transaction.
    package func find(_ name: ObjectName) throws(RecordError) -> RowID? {
        do throws(StoreError) {
            switch name.identity {
            case .key(let key): return try transaction.row(forKey: key, in: name.classID)
            case .row(let row):
                return try transaction.exists(row, in: name.classID) ? row : nil
            }
        } catch { throw .store(error) }
    }
}

extension RowID {
    fileprivate init?(rawValue row: RowID, plus count: UInt64) {
        let (sum, overflow) = row.rawValue.addingReportingOverflow(count)
        guard !overflow else { return nil }
        self.init(sum)
    }
}

extension RecordError {
    /// Returns the same error with a step added to its path.
    func adding(_ step: (RecordMistake) -> RecordMistake) -> RecordError {
        if case .rejected(let mistake) = self { .rejected(step(mistake)) } else { self }
    }
}
