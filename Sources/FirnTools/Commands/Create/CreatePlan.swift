import FirnEngine
import FirnPlatform
import FirnValues
import RealmImport

/// Reads the schema and the inputs of `create` once, and plans the contents of the database.
struct CreatePlan {
    let command: CreateOptions
    private let line: Progress
    private let environment: CommandEnvironment
    private(set) var inputs: [CreateInput] = []
    private(set) var realms: [PlannedRealm] = []
    /// All classes, in the order in which they are created.
    private(set) var definitions: [ClassDefinition] = []
    /// The names of the fields in the inputs; those of classes that a schema defines only if they
    /// are needed.
    private(set) var fieldNames: [String] = []
    private var inference: InputInference
    /// The inputs that defined a class with a schema document.
    private var definedBy: [String: String] = [:]

    init(
        _ command: CreateOptions, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.command = command
        self.line = line
        self.environment = environment
        var options = TableInference.Options()
        options.isExact = command.records.exact
        options.nullText = command.records.nullText
        inference = InputInference(
            declared: command.records.types, names: command.records.names, tableOptions: options
        ) { input, done throws(CommandFailure) in
            line.update("reading \(input.name)", done: done, of: input.size)
            try environment.checkSignals()
        }
        if let path = command.schema { definitions = try schema(path) }
        for (index, from) in command.inputs.enumerated() {
            if RealmInput.isRealm(from.path, environment) {
                try readRealm(from, index)
            } else {
                inputs.append(try read(from, index))
            }
            line.clear()
        }
        fieldNames += inference.fieldNames
        try addClasses()
        try checkNames()
    }

    /// Returns how the objects of a class are loaded in bulk; `nil` if they are loaded as records.
    func bulkLoad(of className: String) -> ClassLoad? {
        guard command.records.maps.isEmpty, let columns = inference.columns(of: className),
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

    // MARK: Inputs

    private mutating func readRealm(
        _ from: FromInput, _ index: Int
    ) throws(CommandFailure) {
        let options = RealmInput.Options(
            keyFile: command.keyFile, isCopied: command.isCopied, copiesBeside: command.file)
        let input = try RealmInput(from.path, options, line, environment)
        let prefix =
            from.className ?? (index < command.classNames.count ? command.classNames[index] : nil)
        let realm = try PlannedRealm(input, prefix: prefix ?? "", after: definitions)
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
        _ from: FromInput, _ index: Int
    ) throws(CommandFailure) -> CreateInput {
        var options = ImportInput.Options()
        options.nullText = command.records.nullText
        options.isQuiet = command.isQuiet
        options.spoolsBeside = command.file
        let input = try ImportInput(from.path, options, line, environment)
        let said =
            from.className ?? (index < command.classNames.count ? command.classNames[index] : nil)
        let className = said ?? (input.isStream ? nil : ClassName.from(path: from.path))
        if case .table(let format) = input.format {
            guard let className else { throw CreatePlan.noName(input) }
            // A schema that defines the class also defines the types.
            if definitions.contains(where: { $0.name == className }) {
                fieldNames += try header(of: input, format)
                return CreateInput(input: input, className: className)
            }
        }
        do throws(CommandFailure) {
            let schema = try inference.read(
                input, className: className, isOne: command.inputs.count == 1)
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
        let known = Set(definitions.map(\.name))
        let new = InferredClass.new(inference.classes) { name, _ in known.contains(name) }
        for inferred in new {
            let names = inferred.fields.map(\.property.name)
            let key = command.keys.compactMap { $0.property(of: inferred.name, among: names) }.last
            definitions.append(inferred.definition(key: key))
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
