package import FirnEngine
package import FirnText
package import FirnValues

/// Runs deletions and edits of collections.
package struct OperationRunner {
    let transaction: WriteTransaction
    let planner: ObjectPlanner
    let writer: ObjectWriter

    package init(transaction: WriteTransaction, planner: ObjectPlanner, writer: ObjectWriter) {
        self.transaction = transaction
        self.planner = planner
        self.writer = writer
    }

    /// Returns the name of the object of an operation.
    package func name(
        _ operation: OperationRecord, _ schema: ClassSchema
    ) throws(RecordError) -> (name: ObjectName, id: JSONTree) {
        guard let id = operation.id else {
            throw .rejected(
                RecordMistake(
                    .writeMissingKey, "the operation needs \"id\"", at: operation.record.position))
        }
        do { return (try planner.identity(id, of: schema), id) } catch {
            throw error.adding { $0.inside(property: "id") }
        }
    }

    /// Returns the object that an operation names.
    private func target(
        _ operation: OperationRecord, _ schema: ClassSchema
    ) throws(RecordError) -> RowID {
        let (name, id) = try name(operation, schema)
        guard let row = try planner.find(name) else {
            throw .rejected(
                RecordMistake(
                    .writeUnknownObject,
                    "\(schema.name) has no object with \(planner.text(name, schema))", id
                ).inside(property: "id"))
        }
        return row
    }

    package func delete(
        _ operation: OperationRecord, _ schema: ClassSchema
    ) throws(RecordError) -> RowID {
        let row = try target(operation, schema)
        do { try transaction.delete(row, in: schema.id) } catch {
            throw refused(error, operation.record.position)
        }
        return row
    }

    /// - Returns: the object with the collection.
    package func edit(
        _ operation: OperationRecord, _ schema: ClassSchema, input: String
    ) throws(RecordError) -> ObjectReference {
        planner.beginRecord()
        let edit: EditText
        do { edit = try EditText(operation.record) } catch { throw .rejected(error) }
        let row = try target(operation, schema)
        let (owner, property) = try collection(operation, schema, row)
        guard property.type.container != .single,
            edit.container == nil || edit.container == property.type.container
        else {
            throw .rejected(
                RecordMistake(
                    .writeType,
                    "\(property.name) is \(transaction.schema.typeName(property.type)), which does "
                        + "not support this edit", at: operation.record.position))
        }
        try writer.settle(property.id, of: owner)
        var value = Value.null
        if let tree = edit.value {
            value = try self.value(tree, property, input)
        }
        do {
            try transaction.edit(
                property.id, of: owner.rowID, in: owner.classID, edit.edit(value))
        } catch {
            throw refused(error, operation.record.position).adding {
                $0.inside(property: property.name)
            }
        }
        return ObjectReference(classID: schema.id, rowID: row)
    }

    private func value(
        _ tree: JSONTree, _ property: PropertySchema, _ input: String
    ) throws(RecordError) -> Value {
        let plan: ValuePlan
        do { plan = try planner.element(tree, of: property) } catch {
            throw error.adding { $0.inside(property: property.name) }
        }
        var pending: (name: PendingName, property: PropertySchema)?
        plan.visitPending { pending = pending ?? ($0, property) }
        plan.visitObjects { $0.visitPending { pending = pending ?? ($0, $1) } }
        if let pending { throw .rejected(writer.dangling(pending.name, pending.property)) }
        do throws(StoreError) {
            return try writer.written(plan, nil, from: input).value ?? .null
        } catch { throw .store(error) }
    }

    /// Follows a path such as `address.tags` to the object with the collection.
    private func collection(
        _ operation: OperationRecord, _ schema: ClassSchema, _ row: RowID
    ) throws(RecordError) -> (ObjectReference, PropertySchema) {
        guard let path = operation.record["path"], case .string(let text) = path.content else {
            throw .rejected(
                RecordMistake(
                    .inputSyntax, "an edit needs \"path\":PROPERTY", at: operation.record.position))
        }
        var owner = ObjectReference(classID: schema.id, rowID: row)
        var current = schema
        var rest = text
        while true {
            if let property = current.propertyNamed(rest) { return (owner, property) }
            guard let (first, others) = rest.cut(at: "."),
                let property = current.propertyNamed(String(first))
            else {
                var mistake = RecordMistake(
                    .writeUnknownProperty, unknown: rest, what: "property of \(current.name)",
                    among: current.properties.map(\.name), at: path.position)
                mistake.details.append(
                    "properties: " + planner.fields(of: current).listing(transaction.schema))
                throw .rejected(mistake)
            }
            let values: [Value]?
            do { values = try transaction.values(of: owner.rowID, in: owner.classID) } catch {
                throw .store(error)
            }
            guard let index = current.index(of: property.id), let values,
                case .link(let next) = values[index],
                let schema = transaction.schema[next.classID]
            else {
                throw .rejected(
                    RecordMistake(
                        .writeUnknownObject, "\(property.name) leads to no object", path))
            }
            (owner, current) = (next, schema)
            rest = String(others)
        }
    }

    /// Converts an error that the store reports without having changed anything.
    private func refused(_ error: StoreError, _ position: TextPosition) -> RecordError {
        switch error.code {
        case .invalidValue, .typeMismatch, .missingValue, .embeddedParent, .danglingLink,
            .unknownObject, .unknownProperty:
            var mistake = RecordMistake(Diagnostic(error).slug, error.detail, at: position)
            mistake.remedy = error.remedy
            return .rejected(mistake)
        default: return .store(error)
        }
    }
}
