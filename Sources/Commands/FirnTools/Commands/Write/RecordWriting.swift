import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Writes individual records of one input.
struct RecordWriting {
    let run: WriteRun
    let input: String

    private var session: WriteSession { run.session }

    func write(_ record: ImportRecord, isOperation: Bool) throws(RecordError) {
        guard isOperation else {
            let schema = try schema(of: record)
            return try put(record, schema, run.options.policy.policy, identity: nil)
        }
        let operation: OperationRecord
        do { operation = try OperationRecord(record) } catch { throw .rejected(error) }
        let schema = try named(operation.className, record.position)
        let runner = OperationRunner(
            transaction: session.transaction, planner: session.planner, writer: session.objects)
        switch operation.verb {
        case .put(let policy):
            let object: ImportRecord
            do { object = try operation.object() } catch { throw .rejected(error) }
            try put(object, schema, policy, identity: operation.id)
        case .delete:
            _ = try runner.delete(operation, schema)
            session.deleted += 1
        case .edit:
            session.note(try runner.edit(operation, schema, input: input))
            session.updated += 1
        }
    }

    /// Returns whether a deletion or edit concerns an object that a deferred record writes.
    func concernsDeferred(_ record: ImportRecord) -> Bool {
        guard let operation = try? OperationRecord(record),
            let schema = session.transaction.schema.classNamed(operation.className)
        else { return false }
        if case .put = operation.verb { return false }
        let runner = OperationRunner(
            transaction: session.transaction, planner: session.planner, writer: session.objects)
        guard let name = try? runner.name(operation, schema).name else { return false }
        return run.deferred.writes(name)
    }

    /// Returns the class of a record that is not an operation.
    private func schema(of record: ImportRecord) throws(RecordError) -> ClassSchema {
        if let tree = record[ReservedName.className], !record.isTable, !isProperty(record) {
            guard case .string(let name) = tree.content else {
                throw .rejected(
                    RecordMistake(.writeType, "$class must be the name of a class", tree))
            }
            return try named(name, tree.position)
        }
        if let name = record.className ?? run.options.className {
            return try named(name, record.position)
        }
        let classes = session.transaction.schema.listedClasses.filter { !$0.isEmbedded }
        if classes.count == 1, let only = classes.first { return only }
        if let mistake = OperationRecord.mistake(in: record) { throw .rejected(mistake) }
        var mistake = RecordMistake(
            .usageArguments, "the record does not name its class", at: record.position)
        mistake.remedy = "name it with -c CLASS, or in each record with \"$class\""
        throw .rejected(mistake)
    }

    /// Returns whether the class of the records has a property for `$class`.
    private func isProperty(_ record: ImportRecord) -> Bool {
        let name = record.className ?? run.options.className
        return name.flatMap { session.transaction.schema.classNamed($0) }?
            .propertyNamed(ReservedName.className) != nil
    }

    /// Rejects a table with unknown columns, even if it has no rows.
    func checkHeader(_ table: TableRecords) throws(RecordError) {
        let position = TextPosition(offset: 0, line: 1)
        let fields = (table.columnNames ?? []).map {
            JSONTree.Member(name: $0, value: JSONTree(.null, at: position))
        }
        let record = ImportRecord(
            className: nil, fields: fields, position: position, cells: table.cells)
        try session.planner.checkNames(record, of: try schema(of: record))
    }

    private func named(_ name: String, _ position: TextPosition) throws(RecordError) -> ClassSchema
    {
        let schema = session.transaction.schema
        if let found = schema.classNamed(name) { return found }
        var mistake = RecordMistake(
            .writeUnknownClass, unknown: name, what: "class",
            among: schema.listedClasses.map(\.name),
            at: position)
        mistake.details.append(
            schema.listedClasses.isEmpty
                ? "the database has no classes"
                : "classes: " + schema.listedClasses.map(\.name).joined(separator: ", "))
        // Without -c, the records of an unknown class are not read ahead to find its properties.
        mistake.remedy = "--create -c \(SafeText.escaping(name)) adds it"
        throw .rejected(mistake)
    }

    /// Writes a record, or defers it until its links can be checked.
    private func put(
        _ record: ImportRecord, _ schema: ClassSchema, _ policy: PutPolicy, identity: JSONTree?
    ) throws(RecordError) {
        let plan = try plan(record, schema, policy, identity: identity)
        if run.options.records.onError != .abort,
            run.deferred.keep(plan, record, schema, policy, identity: identity, from: input)
        {
            return
        }
        try apply(plan)
    }

    func apply(_ plan: ObjectPlan) throws(RecordError) {
        run.noteWritten(plan.schema)
        do {
            let outcome = try session.objects.write(plan, from: input)
            session.note(ObjectReference(classID: plan.schema.id, rowID: outcome.row))
        } catch { throw .store(error) }
    }

    func plan(
        _ record: ImportRecord, _ schema: ClassSchema, _ policy: PutPolicy, identity: JSONTree?
    ) throws(RecordError) -> ObjectPlan {
        // An operation names its object itself.
        let unique = try uniqueProperty(of: schema, record)
        return try session.planner.plan(
            record, of: schema, policy: policy, identity: identity,
            by: identity == nil ? unique : nil)
    }

    /// Returns the property that `--key` names, if it is unique but not the key of the class.
    private func uniqueProperty(
        of schema: ClassSchema, _ record: ImportRecord
    ) throws(RecordError) -> PropertySchema? {
        guard let name = run.options.key, schema.keyProperty?.name != name else { return nil }
        if let property = schema.propertyNamed(name),
            schema.indexes.contains(where: { $0.isUnique && $0.properties == [property.id] })
        {
            return property
        }
        let known = schema.keyProperty.map { "\($0.name) is the key" } ?? "there is no key"
        let safeName = SafeText.escaping(name)
        var mistake = RecordMistake(
            .writeSchema, "\(safeName) is neither the key of \(schema.name) nor unique: \(known)",
            at: record.position)
        mistake.remedy =
            "make it unique with: firn alter FILE 'unique \(schema.name).\(safeName)', or the key "
            + "with: firn alter FILE 'key \(schema.name) \(safeName)'"
        throw .rejected(mistake)
    }
}

extension WriteRun {
    /// Writes the deferred records whose link targets exist, and rejects the others.
    func settleDeferred() throws(CommandFailure) {
        let (complete, dangling) = try deferred.settle { name throws(CommandFailure) in
            do throws(RecordError) { return try session.planner.find(name) != nil } catch {
                if case .store(let error) = error { throw session.failure(error) }
                return true
            }
        }
        for item in complete {
            let writing = RecordWriting(run: self, input: item.input)
            do {
                try writing.apply(
                    try writing.plan(
                        item.record, item.schema, item.policy, identity: item.identity))
            } catch { try reject(error, item.record, item.input) }
        }
        for found in dangling {
            try reject(
                .rejected(session.objects.dangling(found.name, found.property)),
                found.item.record, found.item.input)
        }
    }
}
