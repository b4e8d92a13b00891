package import FirnEngine
package import FirnText
import FirnValues

/// Converts records to plans: resolves and checks everything, and changes nothing.
///
/// The data of a plan can be written without errors, so an invalid record leaves no traces.
package final class ObjectPlanner {
    let transaction: WriteTransaction
    private let names: FieldNames
    let remedy: TypeRemedy
    private let nullWords: NullWordCounts
    private var classes: [ClassID: ClassFields] = [:]
    /// The objects that the current record inserts.
    private var planned: Set<ObjectName> = []
    /// The next free row ids after the planned objects.
    private var nextRows: [ClassID: RowID] = [:]

    /// - Parameters:
    ///   - remedy: the way to make a property accept other values.
    ///   - nullWords: counts the words that are read as null.
    package init(
        _ transaction: WriteTransaction, _ names: FieldNames, remedy: TypeRemedy,
        nullWords: NullWordCounts
    ) {
        self.transaction = transaction
        self.names = names
        self.remedy = remedy
        self.nullWords = nullWords
    }

    /// Clears the cached classes after a schema change.
    package func forgetClasses() { classes.removeAll() }

    func fields(of schema: ClassSchema) -> ClassFields {
        if let known = classes[schema.id] { return known }
        let fields = ClassFields(schema, names)
        classes[schema.id] = fields
        return fields
    }

    /// Plans a record.
    ///
    /// - Parameters:
    ///   - identity: The object, if the input identifies it outside the fields.
    ///   - unique: The unique property that identifies the object; `nil` for the key or `$id`.
    package func plan(
        _ record: ImportRecord, of schema: ClassSchema, policy: PutPolicy,
        identity: JSONTree? = nil, by unique: PropertySchema? = nil
    ) throws(RecordError) -> ObjectPlan {
        beginRecord()
        if schema.isEmbedded {
            throw .rejected(
                RecordMistake(
                    .writeEmbedded,
                    "objects of \(schema.name) are embedded, and are written with their owners",
                    at: record.position))
        }
        var draft = ObjectDraft(
            schema: schema, fields: fields(of: schema), policy: policy, position: record.position,
            isNested: false)
        if let identity { try identify(&draft, identity) }
        for member in record.fields { try read(member, record.cells, &draft) }
        if let unique { try identify(&draft, by: unique) }
        return try finish(draft)
    }

    /// Clears the objects of the last record.
    func beginRecord() {
        planned.removeAll(keepingCapacity: true)
        nextRows.removeAll(keepingCapacity: true)
    }

    func isPlanned(_ name: ObjectName) -> Bool { planned.contains(name) }

    func note(_ name: ObjectName) { planned.insert(name) }

    func nextRow(of classID: ClassID) -> RowID? { nextRows[classID] }

    func setNextRow(_ row: RowID, of classID: ClassID) { nextRows[classID] = row }

    /// Plans an object in the position of a link.
    func nested(
        _ tree: JSONTree, of schema: ClassSchema
    ) throws(RecordError) -> ObjectPlan {
        guard case .object(let members) = tree.content else {
            throw .rejected(
                RecordMistake(
                    .writeType, "expected an object of \(schema.name), not \(tree.kindName)",
                    tree))
        }
        var draft = ObjectDraft(
            schema: schema, fields: fields(of: schema),
            policy: schema.isEmbedded ? .insert : .upsert, position: tree.position, isNested: true)
        for member in members { try read(member, nil, &draft) }
        return try finish(draft)
    }

    private func identify(_ draft: inout ObjectDraft, _ tree: JSONTree) throws(RecordError) {
        switch try identity(tree, of: draft.schema).identity {
        case .key(let key):
            guard let property = draft.fields.keyProperty else { return }
            draft.key = key
            draft.given[property.id] = draft.values.count
            draft.values.append((property, .value(key)))
        case .row(let row): draft.row = row
        }
    }

    private func read(
        _ member: JSONTree.Member, _ cells: CellForm?, _ draft: inout ObjectDraft
    ) throws(RecordError) {
        do throws(RecordError) {
            if try readsIdentity(member, &draft) { return }
            let fields = draft.fields
            guard let property = fields.property(of: member.name) else {
                throw RecordError.rejected(unknown(member, fields))
            }
            let value = try value(member.value, property, of: draft.schema, cells)
            if property.id == draft.schema.key {
                if let known = draft.key, value.value == known { return }
                draft.key = value.value
            }
            guard draft.given.updateValue(draft.values.count, forKey: property.id) == nil else {
                throw RecordError.rejected(
                    RecordMistake(
                        .writeUnknownProperty, "two fields map to the property \(property.name)",
                        member.value))
            }
            draft.values.append((property, value))
        } catch { throw error.adding { $0.inside(property: member.name) } }
    }

    /// Reads `$id` and `$class`, which are not properties.
    private func readsIdentity(
        _ member: JSONTree.Member, _ draft: inout ObjectDraft
    ) throws(RecordError) -> Bool {
        guard draft.fields.property(of: member.name) == nil else { return false }
        switch member.name {
        case ReservedName.id:
            let row: RowID
            do { row = try JSONValueReader.rowID(member.value) } catch {
                throw .rejected(RecordMistake(error))
            }
            // A key is the identity; the `$id` belongs to another database.
            if draft.fields.keyProperty == nil { draft.row = row }
        case ReservedName.className:
            guard case .string(draft.schema.name) = member.value.content else {
                throw .rejected(
                    RecordMistake(
                        .writeType, "expected an object of \(draft.schema.name)", member.value))
            }
        default: return false
        }
        return true
    }

    /// Rejects names that are not properties.
    package func checkNames(_ record: ImportRecord, of schema: ClassSchema) throws(RecordError) {
        let fields = fields(of: schema)
        for member in record.fields where fields.property(of: member.name) == nil {
            guard !ReservedName.isUsed(in: [member.name]) else { continue }
            throw .rejected(unknown(member, fields).inside(property: member.name))
        }
    }

    private func unknown(_ member: JSONTree.Member, _ fields: ClassFields) -> RecordMistake {
        let schema = fields.schema
        var mistake = RecordMistake(
            .writeUnknownProperty, unknown: member.name,
            what: "property of \(SafeText.escaping(schema.name))",
            among: schema.properties.map(\.name), at: member.value.position)
        mistake.details.append("properties: " + fields.listing(transaction.schema))
        mistake.remedy = "--map FIELD=PROP renames a field, --add-properties adds new ones"
        return mistake
    }

    /// Reads the value of a property; an error names a type that accepts the value.
    private func value(
        _ tree: JSONTree, _ property: PropertySchema, of schema: ClassSchema, _ cells: CellForm?
    ) throws(RecordError) -> ValuePlan {
        do throws(RecordError) {
            let read =
                try cells.map { (cells) throws(RecordError) in
                    try cell(tree, property, of: schema, cells)
                } ?? tree
            return try value(read, property)
        } catch {
            throw error.adding { mistake in
                guard mistake.remedy == nil else { return mistake }
                var mistake = mistake
                mistake.remedy = remedy.text(
                    for: mistake, tree, property, of: schema, isTable: cells != nil)
                return mistake
            }
        }
    }

    /// Converts the field of a table, and counts a word that means null.
    private func cell(
        _ tree: JSONTree, _ property: PropertySchema, of schema: ClassSchema,
        _ cells: CellForm
    ) throws(RecordError) -> JSONTree {
        let type = property.type
        let target = type.target.flatMap { transaction.schema[$0] }
        let read: JSONTree
        do { read = try CellReading(form: cells).tree(tree, as: type, target: target) } catch {
            throw .rejected(error)
        }
        if case .null = read.content, case .string(let word) = tree.content {
            guard type.absentValue != nil else {
                throw .rejected(
                    RecordMistake(
                        .writeMissingValue,
                        "the text means null, and \(type.name) cannot be null", tree))
            }
            nullWords.note(word, property, of: schema)
        }
        return read
    }

    /// Reads the value of a property.
    func value(_ tree: JSONTree, _ property: PropertySchema) throws(RecordError) -> ValuePlan {
        let type = property.type
        let value: JSONValue
        do { value = try JSONValueReader.read(tree, as: type) } catch {
            throw .rejected(RecordMistake(error))
        }
        return try plan(value, type)
    }

    /// Reads one element of a collection.
    func element(
        _ tree: JSONTree, of property: PropertySchema
    ) throws(RecordError) -> ValuePlan {
        let type = property.type.element
        let value: JSONValue
        do { value = try JSONValueReader.read(tree, as: type) } catch {
            throw .rejected(RecordMistake(error))
        }
        if case .value(.null) = value, type.base == .link, property.type.container != .map {
            throw .rejected(
                RecordMistake(.writeMissingValue, "a list or set cannot contain null links", tree))
        }
        return try plan(value, type)
    }
}
