import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues
import RealmImport

/// Reads the schema and the inputs of `create` once, and plans the contents of the database.
struct CreatePlan {
    let command: CreateOptions
    private let line: Progress
    private let environment: CommandEnvironment
    private(set) var inputs: [CreateInput] = []
    private(set) var databases: [PlannedSQLite] = []
    private(set) var realms: [PlannedRealm] = []
    /// All classes, in the order in which they are created.
    var definitions: [ClassDefinition] = []
    /// The names of the fields in the inputs; for classes that a schema defines, only if they are
    /// needed.
    private(set) var fieldNames: [String] = []
    private var inference: InputInference
    /// The classes whose properties were inferred.
    private var inferredNames: TextSet = []
    /// The inputs that defined a class with a schema document.
    private var definedBy: TextMap<String> = [:]

    init(
        _ command: CreateOptions, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.command = command
        self.line = line
        self.environment = environment
        var options = TableInference.Options()
        options.isExact = command.records.isExact
        options.nullText = command.records.nullText
        options.skipsBroken = command.records.onError != .abort
        options.partRowCount = environment.storeOptions.rowsPerGroup
        inference = InputInference(
            declared: command.records.types, names: command.records.names, tableOptions: options
        ) { input, done throws(CommandFailure) in
            line.update("reading \(input.name)", done: done, of: input.size)
            try environment.checkSignals()
        }
        inference.key = { className, names in
            command.keys.compactMap { $0.property(of: className, among: names) }.last
        }
        if let path = command.schema { definitions = try schema(path) }
        var files: [(file: InputFile, className: String?)] = []
        for (index, from) in command.inputs.enumerated() {
            let said = index < command.classNames.count ? command.classNames[index] : nil
            for file in try InputPattern.files(from.path, environment) {
                let named = file.folder.flatMap { ClassName.from(path: $0) }
                files.append((file, from.className ?? said ?? named))
            }
        }
        for (file, className) in files {
            if RealmInput.isRealm(file.path, environment) {
                try readRealm(file.path, prefix: className ?? "")
            } else if SQLiteDatabase.isDatabase(file.path, environment) {
                try readSQLite(file.path, prefix: className ?? "")
            } else {
                inputs.append(try read(file, className, isOne: files.count == 1))
            }
            line.clear()
        }
        fieldNames += inference.fieldNames
        try addClasses()
        for index in command.indexes { try add(index, isUnique: false) }
        for index in command.uniqueIndexes { try add(index, isUnique: true) }
        try checkNames()
    }

    /// Returns the way in which the objects of a class are loaded in bulk; `nil` if they are loaded
    /// as records.
    func bulkLoad(of className: String) -> ClassLoad? {
        // The bulk loader cannot skip a row.
        guard command.records.onError == .abort, command.records.maps.isEmpty,
            let columns = inference.columns(of: className),
            definitions.contains(where: { $0.name == className }), definedBy[className] == nil
        else { return nil }
        let isBulk = columns.allSatisfy { column in
            command.records.types.allSatisfy { type in
                !type.isMeant(for: column.name, of: className) || type.isBulkLoadable
            }
        }
        guard isBulk else { return nil }
        return ClassLoad(
            className: className,
            inputs: inputs.filter { $0.className == className }.map(\.input), columns: columns)
    }

    /// Returns the class of an input whose objects are loaded in bulk; `nil` if they are loaded as
    /// records.
    ///
    /// All objects of the class are in the input, name neither a class nor an `@id`, and have a key
    /// if there is one.
    func bulkClass(of input: CreateInput) -> String? {
        guard command.records.onError == .abort, command.records.maps.isEmpty,
            let positions = input.input.rowPositions, case .objects = positions.form,
            let name = input.className,
            inferredNames.contains(name),
            inputs.filter({ $0.className == name }).count == 1,
            let definition = definitions.first(where: { $0.name == name }),
            inference.isPlain(name, key: definition.keyName, count: positions.rowCount)
        else { return nil }
        return name
    }

    /// Returns the inputs of a class if all of them have typed columns.
    func columnarInputs(of className: String) -> [ImportInput]? {
        let own = inputs.filter { $0.className == className }.map(\.input)
        let areColumnar = own.allSatisfy { input in
            if case .columnar = input.format { true } else { false }
        }
        return command.records.maps.isEmpty && areColumnar && command.records.onError == .abort
            ? own : nil
    }

    // MARK: Inputs

    private mutating func readSQLite(
        _ path: String, prefix: String
    ) throws(CommandFailure) {
        let (line, environment) = (line, environment)
        let planned = try PlannedSQLite(
            path, prefix: prefix, after: definitions, environment
        ) { table, done throws(CommandFailure) in
            line.update("reading \(table)", done: done, of: nil, .objects)
            try environment.checkSignals()
        }
        if !command.isQuiet {
            for note in planned.notes { environment.note("\(SafeText.escaping(path)): \(note)\n") }
        }
        definitions += planned.definitions
        databases.append(planned)
    }

    private mutating func readRealm(
        _ path: String, prefix: String
    ) throws(CommandFailure) {
        let options = RealmInput.Options(
            keyFile: command.keyFile, isCopied: command.isCopied, copiesBeside: command.file)
        let input = try RealmInput(path, options, line, environment)
        let realm = try PlannedRealm(input, prefix: prefix, after: definitions)
        definitions += realm.plan.definitions
        realms.append(realm)
    }

    private func schema(_ path: String) throws(CommandFailure) -> [ClassDefinition] {
        let source = try OpenedInput(path, environment).source
        do { return try SchemaDocument.read(source) } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
    }

    private mutating func read(
        _ file: InputFile, _ said: String?, isOne: Bool
    ) throws(CommandFailure) -> CreateInput {
        let path = file.path
        var options = ImportInput.Options()
        options.folderColumns = file.columns
        options.nullText = command.records.nullText
        options.dialect = command.records.dialect
        options.isQuiet = command.isQuiet
        options.spoolsBeside = command.file
        options.arrays = JSONArrays(className: said, known: definitions.map(\.name))
        let input = try ImportInput(path, options, line, environment)
        let className =
            said ?? (input.isStream ? nil : ClassName.from(path: path)) ?? command.classOfUnnamed
        if case .table(let format) = input.format {
            guard let className else { throw CreatePlan.noName(input) }
            // A schema that defines the class also defines the types.
            if definitions.contains(where: { $0.name == className }) {
                fieldNames += try header(of: input, format)
                return CreateInput(input: input, className: className)
            }
        }
        if case .columnar = input.format {
            guard let className else { throw CreatePlan.noName(input) }
            if definitions.contains(where: { $0.name == className }), command.schema != nil {
                return CreateInput(input: input, className: className)
            }
        }
        do throws(CommandFailure) {
            let schema = try inference.read(
                input, className: className, isOne: isOne)
            if !command.isQuiet {
                for note in inference.takeNotes() { environment.note(note + "\n") }
            }
            if let schema { try add(schema, of: input) }
        } catch {
            try environment.checkSignals()
            throw error
        }
        return CreateInput(input: input, className: className)
    }

    /// Returns the names of the columns, if they are needed.
    private func header(
        of input: ImportInput, _ format: DelimitedFormat
    ) throws(CommandFailure) -> [String] {
        guard !command.records.maps.isEmpty else { return [] }
        do { return try input.table(format).columnNames } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
    }

    private static func noName(_ input: ImportInput) -> CommandFailure {
        .diagnostic(
            .usage(
                "cannot derive a class name from \(SafeText.escaping(input.name))",
                remedy: "name it with --from CLASS=INPUT or --class NAME"))
    }

    // MARK: Classes

    /// Adds the classes of the schema document of an input.
    private mutating func add(
        _ schema: JSONTree, of input: ImportInput
    ) throws(CommandFailure) {
        let found: [ClassDefinition]
        do { found = try SchemaDocument.read(schema, name: input.name) } catch {
            throw CommandFailure(error)
        }
        for definition in found {
            if let other = definitions.first(where: { $0.name == definition.name }) {
                guard other == definition else {
                    let first = definedBy[definition.name] ?? "the schema"
                    throw .diagnostic(
                        .usage(
                            "\(SafeText.escaping(first)) and \(SafeText.escaping(input.name)) "
                                + "define the class \(SafeText.escaping(definition.name)) "
                                + "differently",
                            remedy: "name them with --from CLASS=INPUT, or give a --schema"))
                }
                continue
            }
            definitions.append(definition)
            definedBy[definition.name] = input.name
        }
    }

    /// Adds the inferred classes that no schema defines, and reports them.
    private mutating func addClasses() throws(CommandFailure) {
        let known = TextSet(definitions.map(\.name))
        let new = InferredClass.new(inference.classes) { name, _ in known.contains(name) }
        for inferred in new {
            let names = inferred.fields.map(\.property.name)
            // An embedded object has no key: the name means that of the class around it.
            let key = command.keys.compactMap { key in
                inferred.isEmbedded && names.contains(key.text)
                    ? nil : key.property(of: inferred.name, among: names)
            }.last
            definitions.append(inferred.definition(key: key))
            inferredNames.insert(inferred.name)
            let report = DecisionReport(inferred, key: key, inputs: inputNames(inferred))
            if let text = report.text(command.decisions) { environment.note(text) }
        }
    }

    /// Returns the inputs that objects of a class may come from.
    private func inputNames(_ inferred: InferredClass) -> [String] {
        let own = inputs.filter { $0.className == inferred.name }
        return (own.isEmpty ? inputs : own).map(\.input.name)
    }
}
