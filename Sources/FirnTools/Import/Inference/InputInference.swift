import FirnColumnar
import FirnEngine
import FirnValues

/// Infers classes by reading all of their inputs; several inputs can contain objects of one class.
struct InputInference {
    let declared: [DeclaredType]
    let names: FieldNames
    let tableOptions: TableInference.Options
    /// Returns the primary key of a class among the names of its properties, if an option names it.
    var key: (_ className: String, _ names: [String]) -> String? = { _, _ in nil }
    /// Called periodically with an input and the number of bytes read; throws to stop reading.
    let progress: (ImportInput, UInt64) throws(CommandFailure) -> Void

    /// The classes in the order of their first occurrence.
    private var classNames: [String] = []
    private var tables: [String: TableInference] = [:]
    private var objects: [String: ObjectEvidence] = [:]
    /// The last class that a record named.
    private var recent: (name: [UInt8], evidence: ObjectEvidence)?
    /// The columns of all tables.
    private var headers: [String] = []
    /// The changes that were made to columns, one line each.
    private var notes: [String] = []

    /// - Parameter tableOptions: the options for tables; the declared types are added.
    init(
        declared: [DeclaredType], names: FieldNames, tableOptions: TableInference.Options,
        progress: @escaping (ImportInput, UInt64) throws(CommandFailure) -> Void
    ) {
        self.declared = declared
        self.names = names
        self.tableOptions = tableOptions
        self.progress = progress
    }

    /// Reads a further input.
    ///
    /// - Parameters:
    ///   - className: the class of records that name no class.
    ///   - isOne: whether it is the only input.
    /// - Returns: the schema document at the start of the input.
    mutating func read(
        _ input: ImportInput, className: String?, isOne: Bool
    ) throws(CommandFailure) -> JSONTree? {
        if case .table(let format) = input.format {
            try read(table: input, format, className, isOne)
            return nil
        }
        if case .columnar = input.format { return try schema(of: input, className) }
        let records: any RecordSource
        do { records = try input.records() } catch { throw CommandFailure(error) }
        var schema: JSONTree?
        var count: UInt64 = 0
        // Only a record that is read as a tree can be skipped.
        let json = tableOptions.skipsBroken ? nil : records as? JSONRecords
        while true {
            if let json, try see(json, className, input) {
                count += 1
                if count & 0xFFF == 0 { try progress(input, records.bytesRead) }
                continue
            }
            guard let item = try next(records, input) else { break }
            switch item {
            case .schema(let tree): schema = tree
            case .record(let record):
                let name = try name(of: record, className, records.name)
                note(name)
                let known = objects[name] ?? ObjectEvidence()
                objects[name] = known
                known.see(record.fields)
                count += 1
                if count & 0xFFF == 0 { try progress(input, records.bytesRead) }
            }
        }
        return schema
    }

    /// The classes found so far; embedded classes come before those that contain them.
    var classes: [InferredClass] {
        classNames.flatMap { name -> [InferredClass] in
            let fromTables = tables[name].map { table(name, $0.outcome) }
            guard let evidence = objects[name] else { return fromTables.map { [$0] } ?? [] }
            var classes = InferredClass.classes(
                evidence, named: name, declared: declared, names: names)
            if let fromTables, let last = classes.popLast() {
                classes.append(fromTables.merged(with: last))
            }
            return classes
        }
    }

    /// Returns the columns of a class whose objects come only from tables.
    func columns(of className: String) -> [ColumnDecision]? {
        objects[className] == nil ? tables[className]?.outcome.columns : nil
    }

    /// Removes what was done to the columns of tables since the last call, one line each.
    mutating func takeNotes() -> [String] {
        defer { notes.removeAll() }
        return notes
    }

    /// The names of the fields in all inputs.
    var fieldNames: [String] {
        headers
            + objects.flatMap { name, evidence in
                InferredClass.classes(evidence, named: name, declared: declared, names: names)
                    .flatMap { $0.fields.map(\.name) }
            }
    }

    private mutating func note(_ className: String) {
        if tables[className] == nil, objects[className] == nil { classNames.append(className) }
    }

    // MARK: Records

    /// Returns the schema document of a format with typed columns.
    private mutating func schema(
        of input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> JSONTree? {
        guard let className else { throw Self.noName(input) }
        do throws(InputError) {
            let reader = try input.columns()
            headers += reader.fields.map(\.name)
            let classes = ColumnarClasses(
                reader, className: className, declared: declared, names: names
            ) { key(className, $0) }
            let text = SchemaDocument.json(classes.definitions)
            var document = try JSONReader(MemorySource(Array(text.utf8), name: input.name))
            guard case .value(let tree, _)? = try document.next() else { return nil }
            return tree
        } catch { throw CommandFailure(error) }
    }

    private static func noName(_ input: ImportInput) -> CommandFailure {
        .diagnostic(
            .usage(
                "cannot derive a class name from \(SafeText.escaping(input.name))",
                remedy: "name it with -c CLASS"))
    }

    /// Returns the next record.
    ///
    /// Errors in skippable records are reported when the records are written.
    private func next(
        _ records: any RecordSource, _ input: ImportInput
    ) throws(CommandFailure) -> ImportItem? {
        while true {
            do { return try records.next() } catch {
                try progress(input, records.bytesRead)
                guard tableOptions.skipsBroken, records.canContinue else {
                    throw CommandFailure(error)
                }
            }
        }
    }

    /// Sees the next record if it needs no tree.
    ///
    /// - Returns: whether it was seen; if not, ``next(_:_:)`` returns it.
    private mutating func see(
        _ records: JSONRecords, _ className: String?, _ input: ImportInput
    ) throws(CommandFailure) -> Bool {
        do { guard try records.nextFlat() else { return false } } catch {
            try progress(input, records.bytesRead)
            throw CommandFailure(error)
        }
        let object = records.flat
        if let evidence = evidence(of: object, className), evidence.see(object) { return true }
        records.returnFlat()
        return false
    }

    /// Returns the evidence for the class of a record whose class is known without a tree.
    private mutating func evidence(
        of object: FlatObject, _ className: String?
    ) -> ObjectEvidence? {
        let named = object.members.firstIndex {
            $0.name.first == UInt8(ascii: "$") && $0.name.elementsEqual("$class".utf8)
        }
        guard let named else { return className.flatMap { objects[$0] } }
        let text = object.members[named].text
        guard named == 0, object.members[named].kind == .string else { return nil }
        if let recent, recent.name.withUnsafeBufferPointer({ FlatObject.equals(text, $0) }) {
            return recent.evidence
        }
        guard let evidence = objects[String(decoding: text, as: UTF8.self)] else { return nil }
        recent = (Array(text), evidence)
        return evidence
    }

    private func name(
        of record: ImportRecord, _ className: String?, _ input: String
    ) throws(CommandFailure) -> String {
        if case .string(let name)? = record["$class"]?.content { return name }
        if let name = record.className ?? className { return name }
        var mistake = RecordMistake(
            .usageArguments, "the record does not name its class", at: record.position)
        mistake.remedy = "name it with -c CLASS, or in each record with \"$class\""
        throw .diagnostic(mistake.diagnostic(in: input))
    }

    // MARK: Tables

    private mutating func read(
        table input: ImportInput, _ format: DelimitedFormat, _ className: String?, _ isOne: Bool
    ) throws(CommandFailure) {
        guard let className else { throw Self.noName(input) }
        note(className)
        var inference = tables[className] ?? TableInference(options(for: className))
        // The table must not be copied while it is changed.
        tables[className] = TableInference(tableOptions)
        let progress = progress
        var interruption: CommandFailure?
        do throws(InputError) {
            let table = try input.table(format)
            headers += table.columnNames
            notes += table.renamedColumns.map { column in
                "\(SafeText.escaping(input.name)): another column is called "
                    + "\"\(SafeText.escaping(column.name))\"; this one became "
                    + "\"\(SafeText.escaping(column.newName))\""
            }
            try inference.read(
                table, as: table.columnNames.map { names.property($0) },
                inputName: isOne ? nil : SafeText.escaping(input.name)
            ) { done in
                do throws(CommandFailure) { try progress(input, done) } catch {
                    interruption = error
                }
                return interruption == nil
            }
        } catch { throw interruption ?? CommandFailure(error) }
        tables[className] = inference
    }

    /// The options for a class: values are checked against the types that the loader parses.
    private func options(for className: String) -> TableInference.Options {
        var options = tableOptions
        options.declared = declared.compactMap { type in
            guard type.isBulkLoadable else { return nil }
            let prefix = className + "."
            let isQualified = type.property.hasPrefix(prefix)
            return DeclaredType(
                property: isQualified
                    ? String(type.property.dropFirst(prefix.count)) : type.property,
                type: type.type, targetName: type.targetName)
        }
        return options
    }

    private func table(_ className: String, _ outcome: TableInference.Outcome) -> InferredClass {
        InferredClass(
            name: className,
            fields: outcome.columns.map { column in
                let declared = declared.last { $0.isMeant(for: column.name, of: className) }
                let type = column.isDeclared ? column.type : declared?.type ?? column.type
                return InferredClass.Field(
                    name: column.name,
                    property: ClassDefinition.Property(
                        name: column.name, type: type,
                        display: declared == nil || column.isDeclared ? column.display : nil,
                        targetName: declared?.targetName),
                    reason: declared == nil ? column.reason : "declared", nulls: column.nulls,
                    respelling: declared == nil ? column.respelling : nil)
            }, isEmbedded: false, rowCount: outcome.rowCount)
    }
}

extension DeclaredType {
    /// Whether the bulk loader can load values of the type.
    var isBulkLoadable: Bool {
        type.container == .single && DeclaredType.kinds.contains(type.base)
            && type.integerWidth == .bits64
    }
}
