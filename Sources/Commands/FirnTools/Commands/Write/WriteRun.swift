import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// One run of `write`: processes inputs and statements, and commits the transactions.
final class WriteRun: CommandRun {
    let options: WriteOptions
    let environment: CommandEnvironment
    let line: Progress
    let session: WriteSession
    let rejects: Rejects
    let style: ErrorStyle
    /// The number of records since the last commit.
    private var recordCount: UInt64 = 0
    private var rejectedBefore: UInt64 = 0
    private var hasCommitted = false
    let deferred = DeferredRecords()
    /// The classes whose objects were written.
    private var writtenClasses: [String] = []
    /// The number of inputs that have not been started.
    private var inputsLeft: Int
    /// The fields of the tables so far; `nil` after an input with unknown fields.
    private var mappableFields: [String]? = []
    private let returning: ReturnedObjects
    /// The properties whose missing columns were reported.
    var toldProperties: TextSet = []
    /// The report of the last commit.
    private(set) var report = WriteReport()

    convenience init(
        _ options: WriteOptions, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        var environment = environment
        if options.isSafe {
            environment.alwaysEscapes = true
            let opening = SafeOpening(options.file, environment)
            let exists = options.creates ? try opening.isThere() : true
            if exists { try opening.check() }
        }
        let line = Progress(options.progress, quiet: options.isQuiet, environment)
        try self.init(options, line, environment)
    }

    /// - Parameter session: the session of a transaction that the caller ends.
    init(
        _ options: WriteOptions, _ line: Progress, _ environment: CommandEnvironment,
        joining session: WriteSession? = nil
    ) throws(CommandFailure) {
        self.options = options
        self.line = line
        self.environment = environment
        inputsLeft = options.steps.count { if case .input = $0 { true } else { false } }
        style =
            options.errors
            ?? environment.variable("FIRN_ERRORS").flatMap { ErrorStyle(rawValue: $0) } ?? .human
        rejects = try Rejects(options.records.onError, inputs: options.inputs, style, environment)
        if let session {
            self.session = session
        } else {
            self.session = try WriteSession(
                options.file, creates: options.creates, version: options.ifVersion,
                names: options.records.names, isDryRun: options.isDryRun, note: options.note,
                wait: WaitOptions.span(options.wait, environment), environment)
        }
        returning = ReturnedObjects(environment)
        self.session.keepsReturned = options.returnsObjects
        self.session.keepsTouched = !options.records.links.isEmpty
    }

    var transaction: WriteTransaction { session.transaction }

    func stateAfterInterruption() -> String? {
        let file = SafeText.escaping(options.file)
        guard hasCommitted, !options.isDryRun else { return "nothing was written to \(file)" }
        return "version \(report.version.rawValue) of \(file) is on disk, and nothing after it"
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        do {
            for step in options.steps {
                switch step {
                case .input(let path):
                    for file in try InputPattern.files(path, environment) { try read(file) }
                case .statement(let text): try execute(text)
                }
            }
            try commit(isLast: true)
        } catch {
            session.closeAfterFailure()
            // Committed batches are kept, and so are the records that they skipped.
            if hasCommitted { try rejects.finish() }
            throw error
        }
        line.clear()
        if !options.isQuiet {
            for note in session.nullWords.notes { environment.note(note + "\n") }
        }
        do {
            try session.close()
            try rejects.finish()
        } catch {
            throw hasCommitted && !options.isDryRun ? error.after(committed) : error
        }
        return rejects.count > 0 ? .data : .ok
    }

    // MARK: Inputs

    private func read(_ file: InputFile) throws(CommandFailure) {
        let path = file.path
        var reading = ImportInput.Options()
        reading.folderColumns = file.columns
        reading.format = options.inputFormat.format
        reading.mayBeEmpty = true
        reading.nullText = options.records.nullText
        reading.dialect = options.records.dialect
        reading.isQuiet = options.isQuiet
        let isNewSchema = options.addsProperties || options.creates
        if isNewSchema { try session.begin() }
        // Type inference requires reading the whole input first.
        if isNewSchema, needsInference { reading.spoolsBeside = options.file }
        if !options.isSafe { reading.parquetSpoolsBeside = options.file }
        if options.inputFormat != .ndjson { reading.arrays = arrays }
        let input = try ImportInput(path, reading, line, environment)
        if isNewSchema, needsInference { try extendSchema(for: input) }
        let records: any RecordSource
        do { records = try input.records() } catch { throw CommandFailure(error) }
        try checkMaps(records)
        noteMissingColumns(of: records)
        if options.inputFormat == .observe { return try apply(records) }
        var isOperations: Bool? = options.inputFormat == .auto ? nil : input.format == .operations
        var isEmpty = true
        var direct: DirectInsertion?
        while true {
            if !isNewSchema || hasCommitted { try releaseBeforeWaiting(records) }
            // The first record after a commit begins the next transaction.
            if isOperations == false, options.policy.policy == .insert, !session.hasEnded {
                if direct?.transaction !== transaction {
                    direct = directInsertion(records, nullText: input.nullText)
                }
                if let direct, try insertNext(direct, records) {
                    line.update(
                        "reading \(records.name)", done: records.bytesRead, of: input.size)
                    continue
                }
            }
            guard let item = try next(records) else { break }
            isEmpty = false
            switch item {
            case .schema(let tree): try take(schema: tree, records.name)
            case .record(let record):
                if isOperations == nil {
                    isOperations =
                        options.className == nil && OperationRecord.isOperation(record)
                }
                try write(record, from: records, isOperation: isOperations ?? false)
                line.update(
                    "reading \(records.name)", done: records.bytesRead, of: input.size)
            }
        }
        if isEmpty, let table = records as? TableRecords { try checkHeader(table) }
    }

    /// With `--batch`, ends the transaction before a wait for input, so that other processes can
    /// write: commits the batch so far.
    private func releaseBeforeWaiting(_ records: any RecordSource) throws(CommandFailure) {
        guard options.batch != nil, !options.isDryRun, !session.hasEnded, !records.hasInput else {
            return
        }
        if recordCount > 0 || transaction.hasChanges {
            try commit(isLast: false)
        } else {
            session.pause()
        }
    }

    /// The meaning of an object of arrays, unless they are all properties of its class.
    private var arrays: JSONArrays {
        let schema = transaction.schema
        let known = schema.listedClasses.filter { !$0.isEmbedded }
        var arrays = JSONArrays(className: options.className, known: known.map(\.name))
        let only = known.count == 1 ? known.first : nil
        let owner = options.className.map { schema.classNamed($0) } ?? only
        arrays.isRecord = { names in
            owner.map { owner in names.allSatisfy { owner.propertyNamed($0) != nil } } ?? false
        }
        return arrays
    }

    /// Returns the way to insert records without a plan; `nil` if there is none.
    private func directInsertion(
        _ records: any RecordSource, nullText: String?
    ) -> DirectInsertion? {
        let classes = transaction.schema.listedClasses.filter { !$0.isEmbedded }
        let name = options.className ?? (classes.count == 1 ? classes.first?.name : nil)
        return options.key != nil
            ? nil
            : DirectInsertion(
                records, into: transaction, className: name, names: options.records.names,
                nullText: nullText)
    }

    /// - Returns: whether the next record was written, or skipped because of a mistake.
    private func insertNext(
        _ direct: DirectInsertion, _ records: any RecordSource
    ) throws(CommandFailure) -> Bool {
        try environment.checkSignals()
        do {
            guard case .inserted(let object, let schema) = try direct.insertNext() else {
                return false
            }
            noteWritten(schema)
            session.objects.noteInserted()
            session.note(object)
        } catch {
            switch error {
            case .store(let error): throw session.failure(error)
            case .input(let error): try skip(error, records)
            }
            return true
        }
        try noteRecord()
        return true
    }

    private func noteRecord() throws(CommandFailure) {
        recordCount += 1
        if let batch = options.batch, recordCount >= batch { try commit(isLast: false) }
    }

    /// Rejects a name of `--map` that none of the tables has.
    ///
    /// All tables must be known; JSON records can omit fields.
    private func checkMaps(_ records: any RecordSource) throws(CommandFailure) {
        guard !options.records.names.properties.isEmpty else { return }
        inputsLeft -= 1
        if let names = records.columnNames {
            mappableFields? += names
        } else {
            mappableFields = nil
        }
        guard inputsLeft == 0, let fields = mappableFields else { return }
        for name in options.records.names.properties.keys.sorted() where !fields.contains(name) {
            throw FieldMapping.unknown(name, "field", among: fields)
        }
    }

    private func checkHeader(_ table: TableRecords) throws(CommandFailure) {
        try session.begin()
        do {
            try RecordWriting(run: self, input: table.name).checkHeader(table)
        } catch {
            switch error {
            case .store(let error): throw session.failure(error)
            case .rejected(let mistake): throw .diagnostic(mistake.diagnostic(in: table.name))
            }
        }
    }

    /// Whether an input may contain unknown classes or properties.
    private var needsInference: Bool {
        guard options.inputFormat != .ops, options.inputFormat != .observe else { return false }
        if options.addsProperties { return true }
        // A stream with a schema needs no inference; with -c, the class is known or new.
        return options.className.map { transaction.schema.classNamed($0) == nil } ?? false
    }

    /// Applies a stream of `observe`: each of its commits becomes one commit; with `--batch`,
    /// several commits become one while more of them arrive without a wait.
    private func apply(_ records: any RecordSource) throws(CommandFailure) {
        let stream = ObservedStream(self, records.name)
        let cursor = options.cursorFile.map { CursorFile($0, environment.services) }
        try cursor?.checkWritable()
        // A stream is idle most of the time, and other processes may write meanwhile.
        session.pause()
        while let item = try next(records) {
            guard case .record(let record) = item else { continue }
            let isComplete = try stream.take(record)
            if !stream.isInside, !stream.hasChanges {
                session.pause()
                try stream.storePosition(cursor)
            }
            guard isComplete, stream.hasChanges, !options.isDryRun else { continue }
            if let batch = options.batch, stream.recordCount < batch, records.hasInput { continue }
            try commit(isLast: false)
            stream.noteCommit()
            try stream.storePosition(cursor)
        }
        try stream.finish()
        guard stream.hasChanges, !options.isDryRun else { return }
        try commit(isLast: false)
        stream.noteCommit()
        try stream.storePosition(cursor)
    }

    /// Returns the next record that is valid in itself.
    private func next(_ records: any RecordSource) throws(CommandFailure) -> ImportItem? {
        while true {
            try environment.checkSignals()
            do { return try records.next() } catch { try skip(error, records) }
        }
    }

    /// Skips a record that cannot be read, or fails because of it.
    private func skip(
        _ error: InputError, _ records: any RecordSource
    ) throws(CommandFailure) {
        try environment.checkSignals()
        try rejects.skip(
            error, records, written: hasCommitted ? "nothing after the last batch" : "nothing")
    }

    private func write(
        _ record: ImportRecord, from records: any RecordSource, isOperation: Bool
    ) throws(CommandFailure) {
        try session.begin()
        let writing = RecordWriting(run: self, input: records.name)
        if isOperation, writing.concernsDeferred(record) { try settleDeferred() }
        do {
            try writing.write(record, isOperation: isOperation)
        } catch {
            try reject(error, record, records.name)
        }
        try noteRecord()
    }

    /// Skips a record, or fails because of it.
    func reject(
        _ error: RecordError, _ record: ImportRecord, _ input: String
    ) throws(CommandFailure) {
        switch error {
        case .store(let error): throw session.failure(error)
        case .rejected(let mistake): try rejects.reject(mistake, record, input)
        }
    }

    func noteWritten(_ schema: ClassSchema) {
        if !writtenClasses.contains(schema.name) { writtenClasses.append(schema.name) }
    }

    // MARK: Statements

    private func execute(_ text: String) throws(CommandFailure) {
        try session.begin()
        try settleDeferred()
        // The statement has to see the links, and may change them.
        try session.settleLinks(
            remedy: "write the objects before the statement, or omit the links")
        let counts = try StatementRun(
            text: text, className: options.className,
            arguments: options.arguments, file: options.file
        ).run(session, line, environment)
        session.updated += counts.updated
        session.unchanged += counts.unchanged
        session.deleted += counts.deleted
    }

    // MARK: Commits

    private func commit(isLast: Bool) throws(CommandFailure) {
        try environment.checkSignals()
        try settleDeferred()
        // Nothing has started since the last batch.
        if isLast, session.hasEnded { return }
        var report: WriteReport
        let snapshot: Snapshot?
        do throws(CommandFailure) {
            (report, snapshot) = try session.commit { () throws(CommandFailure) in
                let links = try makeLinks()
                try rejects.store()
                return links
            }
        } catch {
            guard let version = session.committed else { throw error }
            // The records that this commit reports as rejected stay.
            hasCommitted = true
            throw error.after(
                "committed version \(version.rawValue) of \(SafeText.escaping(options.file))")
        }
        hasCommitted = true
        recordCount = 0
        report.rejected = rejects.count - rejectedBefore
        rejectedBefore = rejects.count
        report.rejects = rejects.path
        self.report = report
        line.clear()
        do { try printReport(report, snapshot) } catch {
            throw options.isDryRun || session.isJoined ? error : error.after(committed)
        }
    }

    /// A description of the last commit, for an error after it.
    private var committed: String {
        "committed version \(report.version.rawValue) of \(SafeText.escaping(options.file))"
    }

    private func printReport(
        _ report: WriteReport, _ snapshot: Snapshot?
    ) throws(CommandFailure) {
        if let snapshot {
            try returning.write(session.returned, snapshot)
        } else if !options.isQuiet {
            let isText = options.report.isText(environment)
            for note in report.notes { environment.note(note + "\n") }
            try environment.print(isText ? report.text : report.json)
        }
    }

    /// Sets the links of `--link`.
    private func makeLinks() throws(CommandFailure) -> [LinkOutcome] {
        var outcomes: [LinkOutcome] = []
        // Without anything to write, the links of all objects are set.
        let isAlone = options.steps.isEmpty
        for request in options.records.links {
            let plan = try LinkPlan(
                request, in: transaction.schema,
                preferred: isAlone ? transaction.schema.classes.map(\.name) : writtenClasses)
            let isNew = plan.source.propertyNamed(request.property) == nil
            let filling = try LinkFilling(
                plan, transaction, ConversionProgress(line, environment))
            if isNew { session.schemaChanged() }
            if isNew || isAlone {
                try filling.fillAll()
            } else {
                try filling.fill(session.touchedRows(of: plan.source.id))
            }
            outcomes.append(filling.outcome)
        }
        return outcomes
    }
}
