import FirnColumnar
import FirnEngine
import FirnFormats
import FirnText
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
    private var tables: TextMap<TableInference> = [:]
    var objects: ObjectInference
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
        objects = ObjectInference(isExact: tableOptions.isExact)
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
        let schema = try read(records: input, className)
        for name in objects.classNames { note(name) }
        return schema
    }

    /// The classes found so far; embedded classes come before those that contain them.
    var classes: [InferredClass] {
        var taken = ClassNames(classNames)
        return classNames.flatMap { name -> [InferredClass] in
            let fromTables = tables[name].map { table(name, $0.outcome) }
            guard let evidence = objects.classes[name] else { return fromTables.map { [$0] } ?? [] }
            var classes = InferredClass.classes(
                evidence, named: name, declared: declared, names: names, taken: &taken)
            if let fromTables, let last = classes.popLast() {
                classes.append(fromTables.merged(with: last))
            }
            return classes
        }
    }

    /// Returns the columns of a class whose objects come only from tables.
    func columns(of className: String) -> [ColumnDecision]? {
        objects.classes[className] == nil ? tables[className]?.outcome.columns : nil
    }

    /// Returns whether a class has a number of objects, each with a key, whose values are numbers,
    /// texts and truth values, and whose names have no special meaning.
    func isPlain(_ className: String, key: String?, count: Int) -> Bool {
        guard tables[className] == nil, let evidence = objects.classes[className],
            evidence.count == UInt64(count),
            evidence.isPlain, evidence.fields.allSatisfy(\.isPlain),
            declared.allSatisfy({ type in
                !evidence.names.contains { type.isMeant(for: $0, of: className) }
            })
        else { return false }
        guard let key else { return true }
        guard let index = evidence.names.firstIndex(of: key) else { return false }
        return evidence.counts[index] == evidence.count && evidence.fields[index].nulls == 0
    }

    /// Removes and returns the notes about columns of tables since the last call, one line each.
    mutating func takeNotes() -> [String] {
        defer { notes.removeAll() }
        return notes
    }

    /// The names of the fields in all inputs.
    var fieldNames: [String] {
        var taken = ClassNames(classNames)
        return headers
            + objects.classes.flatMap { name, evidence in
                InferredClass.classes(
                    evidence, named: name, declared: declared, names: names, taken: &taken
                ).flatMap { $0.fields.map(\.name) }
            }
    }

    private mutating func note(_ className: String) {
        if !classNames.contains(className) { classNames.append(className) }
    }

    /// Returns the schema document of a format with typed columns.
    private mutating func schema(
        of input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> JSONTree? {
        guard let className else { throw Self.noName(input) }
        do throws(InputError) {
            let reader = try input.columns()
            headers += reader.fields.map(\.name)
            notes += reader.renamedColumns.map { $0.note(in: input.name) }
            notes += reader.fields.compactMap { Self.note(on: $0, in: input.name) }
            let classes = ColumnarClasses(
                reader, className: className, declared: declared, names: names
            ) { key(className, $0) }
            let text = SchemaDocument.json(classes.definitions)
            var document = try JSONReader(MemorySource(Array(text.utf8), name: input.name))
            guard case .value(let tree, _)? = try document.next() else { return nil }
            return tree
        } catch { throw CommandFailure(error) }
    }

    /// Returns a note with the unit of a column of durations, which the type does not record.
    private static func note(on field: ColumnarField, in input: String) -> String? {
        guard case .duration(let unit) = field.type else { return nil }
        return "\(SafeText.escaping(input)): \(SafeText.escaping(field.name)) has durations, whose "
            + "numbers are \(unit.name)"
    }

    static func noName(_ input: ImportInput) -> CommandFailure {
        .diagnostic(
            .usage(
                "cannot derive a class name from \(SafeText.escaping(input.name))",
                remedy: "name it with -c CLASS"))
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
            var blocks = try input.blocks(format)
            let table = blocks.reader
            headers += table.columnNames
            notes += table.renamedColumns.map { $0.note(in: input.name) }
            if case .firstRow = format.header, table.columnNames.allSatisfy(Self.isNumber) {
                notes.append(
                    "\(SafeText.escaping(input.name)): the numbers of the first row name the "
                        + "columns; --headerless reads them as a row")
            }
            let columns = inference.begin(
                table.columnNames.map { names.property($0) },
                isOne ? nil : SafeText.escaping(input.name))
            input.rowPositions = try inference.readRows(of: &blocks, columns) { done in
                do throws(CommandFailure) { try progress(input, done) } catch {
                    interruption = error
                }
                return interruption == nil
            }
            inference.end(columns)
        } catch { throw interruption ?? CommandFailure(error) }
        tables[className] = inference
    }

    private static func isNumber(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { NumberText.int($0) != nil || NumberText.decimal($0) != nil }
    }

    /// Returns the options for a class: values are checked against the types that the loader
    /// parses.
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
