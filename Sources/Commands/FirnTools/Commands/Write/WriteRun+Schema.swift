import FirnEngine
import FirnFormats
import FirnText
import FirnValues

extension WriteRun {
    private func schemaExtension(addsProperties: Bool? = nil) -> SchemaExtension {
        SchemaExtension(
            transaction: transaction, key: options.key,
            addsProperties: addsProperties ?? options.addsProperties)
    }

    /// Adds the classes of a schema in a stream.
    func take(schema tree: JSONTree, _ input: String) throws(CommandFailure) {
        // Without permission to add classes or properties, the schema is ignored.
        guard options.creates || options.addsProperties else { return }
        if try schemaExtension().take(tree, from: input) { session.schemaChanged() }
    }

    /// Adds the classes and properties that a stream of `observe` describes, at its start and
    /// whenever they change at the source.
    ///
    /// - Returns: whether anything was added.
    func takeObserved(
        schema tree: JSONTree, _ input: String
    ) throws(CommandFailure) -> Bool {
        guard options.creates || options.addsProperties,
            try schemaExtension(addsProperties: true).take(tree, from: input)
        else { return false }
        session.schemaChanged()
        return true
    }

    /// Adds the classes and properties of the records of an input.
    func extendSchema(for input: ImportInput) throws(CommandFailure) {
        var reading = TableInference.Options()
        reading.isExact = options.records.isExact
        reading.nullText = options.records.nullText
        reading.skipsBroken = options.records.onError != .abort
        var inference = InputInference(
            declared: options.records.types, names: options.records.names, tableOptions: reading
        ) { input, done throws(CommandFailure) in
            self.line.update("reading \(input.name)", done: done, of: input.size)
            try self.environment.checkSignals()
        }
        let schema = try inference.read(
            input, className: options.className ?? onlyClass, isOne: true)
        if let schema { try take(schema: schema, input.name) }
        var found = inference.classes
        let classNames = transaction.schema.classes.map(\.name) + found.map(\.name)
        for type in options.records.types { try type.checkTarget(among: classNames) }
        // Without permission to add classes, the classes of the records must exist.
        if !options.creates {
            let known = transaction.schema
            found = found.filter { $0.isEmbedded || known.classNamed($0.name) != nil }
        }
        if try schemaExtension().take(found) { session.schemaChanged() }
    }

    /// Reports the properties for which a table has no column, once each.
    ///
    /// `--update` is for tables that have only some of the columns.
    func noteMissingColumns(of records: any RecordSource) {
        guard !options.isQuiet, options.policy.policy != .update,
            let names = records.columnNames, !names.isEmpty,
            let className = options.className ?? onlyClass,
            let schema = transaction.schema.classNamed(className)
        else { return }
        let fields = ClassFields(schema, options.records.names)
        let given = Set(names.compactMap { fields.property(of: $0)?.id })
        let links = TextSet(options.records.links.map(\.property))
        let missing = schema.properties.filter { !given.contains($0.id) }.map(\.name)
        let news = missing.filter { !links.contains($0) && toldProperties.insert($0).inserted }
        guard !news.isEmpty else { return }
        let shown = news.prefix(10).map { SafeText.escaping($0) }.joined(separator: ", ")
        let more = news.count > 10 ? " and \(news.count - 10) others" : ""
        environment.note(
            "\(SafeText.escaping(records.name)) has no column for \(shown)\(more) of "
                + "\(SafeText.escaping(schema.name)): new objects have no value there\n")
    }

    private var onlyClass: String? {
        let classes = transaction.schema.listedClasses.filter { !$0.isEmbedded }
        return classes.count == 1 ? classes.first?.name : nil
    }
}
