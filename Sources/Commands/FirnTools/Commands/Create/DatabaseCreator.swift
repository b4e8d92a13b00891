import FirnColumnar
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// Fills a new database according to the plan, and publishes it at the end.
struct DatabaseCreator {
    struct Outcome {
        let version: LSN
        let bytes: UInt64
        let links: [LinkOutcome]
        let classes: [CreateReport.Class]
        /// The differences from the imported Realm files.
        let notes: String
        /// The number of records that were skipped.
        let rejected: UInt64
    }

    let options: CreateOptions
    let environment: CommandEnvironment
    let line: Progress
    /// The database under its temporary name.
    private let creation: StoreCreation
    var path: String { options.file }

    /// Starts the database.
    init(
        _ options: CreateOptions, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.options = options
        self.environment = environment
        self.line = line
        var storage = environment.storeOptions
        storage.compression = options.codec.level
        do {
            creation = try Store.create(
                options.file, services: environment.services, options: storage)
        } catch { throw DatabaseCreator.failure(error, options.file) }
    }

    func make(_ plan: CreatePlan) throws(CommandFailure) -> Outcome {
        let transaction: WriteTransaction
        do {
            transaction = try creation.store.beginWrite()
            transaction.rebuildsLinkIndexes = true
            if !plan.definitions.isEmpty { try transaction.addClasses(plan.definitions) }
        } catch { throw failure(error) }
        let rejects = try Rejects(
            options.records.onError, inputs: options.inputs.map(\.path), environment.errorStyle,
            environment)
        let records = RecordLoad(
            transaction, names: options.records.names, rejects, line: line, environment)
        var loaded: TextSet = []
        for input in plan.inputs {
            if let name = input.className, loaded.contains(name) { continue }
            if let name = input.className, let inputs = plan.columnarInputs(of: name),
                try loadColumns(of: inputs, name, transaction)
            {
                loaded.insert(name)
                continue
            }
            if let name = plan.bulkClass(of: input),
                try loadObjects(of: input.input, name, transaction)
            {
                continue
            }
            guard let load = input.className.flatMap({ plan.bulkLoad(of: $0) }) else {
                try records.load(input)
                continue
            }
            // One load takes all tables of a class.
            loaded.insert(load.className)
            try self.load(load, transaction)
        }
        let tables = SQLiteLoad(transaction: transaction, line: line, environment: environment)
        for database in plan.databases { try tables.load(database, records) }
        try records.finish()
        let realms = RealmLoad(transaction, line, environment)
        var notes = ""
        for realm in plan.realms {
            notes += realm.notes(try realms.load(realm, neededBy: options.neededBy))
        }
        try realms.setSchemaVersion(plan.realms)
        let links = try makeLinks(plan, transaction)
        try rejects.store()
        let outcome: Outcome
        do {
            let classes = try counts(transaction)
            let version = try transaction.commit()
            try creation.publish()
            let bytes = try creation.store.fileStatus().size
            try creation.store.close()
            outcome = Outcome(
                version: version, bytes: bytes, links: links, classes: classes, notes: notes,
                rejected: rejects.count)
        } catch { throw failure(error) }
        do { try rejects.finish() } catch {
            throw error.after("created \(SafeText.escaping(path))")
        }
        return outcome
    }

    private func counts(
        _ transaction: WriteTransaction
    ) throws(StoreError) -> [CreateReport.Class] {
        let snapshot = try transaction.snapshot()
        return snapshot.schema.classes.map { schema in
            CreateReport.Class(
                name: schema.name, propertyCount: schema.properties.count,
                objectCount: UInt64(snapshot.table(schema.id)?.liveRowCount ?? 0),
                isEmbedded: schema.isEmbedded)
        }
    }

    private func makeLinks(
        _ plan: CreatePlan, _ transaction: WriteTransaction
    ) throws(CommandFailure) -> [LinkOutcome] {
        var outcomes: [LinkOutcome] = []
        for request in plan.databases.flatMap(\.links) + options.records.links {
            let names = plan.definitions.filter { !$0.isEmbedded }.map(\.name)
            let filling = try LinkFilling(
                try LinkPlan(request, in: transaction.schema, preferred: names), transaction,
                ConversionProgress(line, environment))
            try filling.fillAll()
            outcomes.append(filling.outcome)
        }
        return outcomes
    }

    /// Loads the columns of Parquet and Arrow files.
    ///
    /// - Returns: `false` if a column must be converted, so that the rows are read as records.
    private func loadColumns(
        of inputs: [ImportInput], _ className: String, _ transaction: WriteTransaction
    ) throws(CommandFailure) -> Bool {
        guard let schema = transaction.schema.classNamed(className) else { return false }
        var loads: [(any ColumnarReader, ColumnarLoad)] = []
        do throws(InputError) {
            for input in inputs {
                let reader = try input.columns()
                guard let load = ColumnarLoad(reader, schema, name: input.name) else {
                    return false
                }
                loads.append((reader, load))
            }
        } catch { throw CommandFailure(error) }
        let loader: BulkLoader
        do { loader = try transaction.bulkLoader(for: schema.id) } catch { throw failure(error) }
        for (reader, load) in loads {
            do throws(ImportFailure) {
                try load.load(reader, into: loader) { done in
                    line.update("writing \(schema.name)", done: done, of: nil)
                    return environment.pendingSignal() == nil
                }
            } catch {
                try environment.checkSignals()
                switch error {
                case .input(let error): throw CommandFailure(error)
                case .store(let error): throw failure(error)
                }
            }
        }
        do { try loader.finish() } catch { throw failure(error) }
        return true
    }

    // MARK: Errors

    func failure(_ error: StoreError) -> CommandFailure {
        DatabaseCreator.failure(error, path)
    }

    /// Returns the failure for an error, without the temporary name; only the folder of the
    /// database can be missing.
    private static func failure(_ error: StoreError, _ path: String) -> CommandFailure {
        if error.code == .missing { return CommandFailure(creating: path, error) }
        return CommandFailure(
            StoreError(
                error.code, path: path, detail: error.detail, remedy: error.remedy,
                cause: error.cause))
    }
}
