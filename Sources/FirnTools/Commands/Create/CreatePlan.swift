import FirnEngine
import FirnPlatform
import FirnValues

/// Reads the schema and the inputs of `create` once, and plans the contents of the database.
struct CreatePlan {
    let command: CreateCommand
    private let line: Progress
    private let environment: CommandEnvironment
    private(set) var inputs: [CreateInput] = []
    /// All classes, in the order in which they are created.
    private(set) var definitions: [ClassDefinition] = []

    init(
        _ command: CreateCommand, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.command = command
        self.line = line
        self.environment = environment
        if let path = command.schema { definitions = try schema(path) }
        for (index, from) in command.inputs.enumerated() {
            let input = try read(from, index)
            try add(input)
            line.clear()
            inputs.append(input)
            guard !command.common.quiet else { continue }
            for inferred in input.classes {
                environment.note(
                    DecisionReport.text(
                        inferred, key: key(of: inferred), input: input.input.name))
            }
        }
        try checkNames()
    }

    private func schema(_ path: String) throws(CommandFailure) -> [ClassDefinition] {
        let source = try OpenedInput(path, environment).source
        do { return try SchemaDocument.read(source) } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
    }

    private func key(of inferred: InferredClass) -> String? {
        let names = inferred.fields.map(\.property.name)
        return command.keys.compactMap { $0.property(of: inferred.name, among: names) }.last
    }

    // MARK: Inputs

    private func read(_ from: FromInput, _ index: Int) throws(CommandFailure) -> CreateInput {
        var options = ImportInput.Options()
        options.nullText = command.records.nullText
        options.isQuiet = command.common.quiet
        options.spoolsBeside = command.file
        let input = try ImportInput(from.path, options, line, environment)
        let said =
            from.className ?? (index < command.classNames.count ? command.classNames[index] : nil)
        let className = said ?? (input.isStream ? nil : ClassName.from(path: from.path))
        if case .table(let format) = input.format {
            guard let className else { throw CreatePlan.noName(input) }
            // A schema that defines the class also defines the types.
            if definitions.contains(where: { $0.name == className }) {
                return CreateInput(
                    input: input, className: className, columns: nil, classes: [],
                    definitions: [], fieldNames: try header(of: input, format))
            }
            return try readTable(input, format, className)
        }
        let outcome = try infer(input, className)
        var schema: [ClassDefinition] = []
        if let tree = outcome.schema {
            do { schema = try SchemaDocument.read(tree, name: input.name) } catch {
                throw CommandFailure(error)
            }
        }
        let known = (definitions + schema).map(\.name)
        return CreateInput(
            input: input, className: className, columns: nil,
            classes: InferredClass.new(outcome.classes) { name, _ in known.contains(name) },
            definitions: schema, fieldNames: outcome.fieldNames)
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

    private func infer(
        _ input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> InputInference.Outcome {
        try InputInference(
            className: className, declared: command.records.types, names: command.records.names,
            skipsBroken: false
        ) { done throws(CommandFailure) in
            line.update("reading \(input.name)", done: done, of: input.size)
            try environment.checkSignals()
        }.run(input)
    }

    private func readTable(
        _ input: ImportInput, _ format: DelimitedFormat, _ className: String
    ) throws(CommandFailure) -> CreateInput {
        let declared = command.records.types.compactMap { type -> DeclaredType? in
            let prefix = className + "."
            let isQualified = type.property.hasPrefix(prefix)
            return DeclaredType(
                property: isQualified
                    ? String(type.property.dropFirst(prefix.count)) : type.property,
                type: type.type, targetName: type.targetName)
        }
        let isBulk =
            command.records.maps.isEmpty && command.records.nullText == nil
            && declared.allSatisfy(\.isBulkLoadable)
        guard isBulk else {
            let outcome = try infer(input, className)
            return CreateInput(
                input: input, className: className, columns: nil, classes: outcome.classes,
                definitions: [], fieldNames: outcome.fieldNames)
        }
        let outcome: TableInference.Outcome
        do throws(InputError) {
            outcome = try TableInference.run(try input.table(format), declared: declared) { done in
                line.update("reading \(input.name)", done: done, of: input.size)
                return environment.pendingSignal() == nil
            }
        } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
        let inferred = InferredClass(
            name: className,
            fields: outcome.columns.map { column in
                InferredClass.Field(
                    name: column.name,
                    property: ClassDefinition.Property(
                        name: column.name, type: column.type, display: column.display),
                    reason: column.reason, nulls: column.nulls)
            }, isEmbedded: false, rowCount: outcome.rowCount)
        return CreateInput(
            input: input, className: className, columns: outcome.columns, classes: [inferred],
            definitions: [], fieldNames: outcome.columns.map(\.name))
    }

    /// Adds the classes that an input defines.
    private mutating func add(_ input: CreateInput) throws(CommandFailure) {
        let new = input.definitions + input.classes.map { $0.definition(key: key(of: $0)) }
        for definition in new {
            if let other = definitions.first(where: { $0.name == definition.name }) {
                let first = inputs.first { $0.classes.contains { $0.name == definition.name } }
                throw .diagnostic(
                    .usage(
                        "\(SafeText.escaping(first?.input.name ?? "the schema")) and "
                            + "\(SafeText.escaping(input.input.name)) both define the class "
                            + SafeText.escaping(other.name),
                        remedy: "name them with --from CLASS=INPUT, or give a --schema"))
            }
            definitions.append(definition)
        }
    }
}

extension DeclaredType {
    /// Whether values of the type can be loaded by the bulk loader.
    var isBulkLoadable: Bool {
        type.container == .single && DeclaredType.kinds.contains(type.base)
            && type.integerWidth == .bits64
    }
}
