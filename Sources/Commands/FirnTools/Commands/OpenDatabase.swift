import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// A database opened for reading at one of its versions.
struct OpenDatabase {
    let path: String
    let database: Database
    let snapshot: DatabaseSnapshot

    /// - Parameter version: the version to open; by default, the newest.
    init(
        _ path: String, at version: VersionReference? = nil, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.path = path
        let database = try CommandFailure.converting { () throws(StoreError) in
            if let open = environment.openDatabase { return try open(path) }
            return try Database.open(
                path, readOnly: true, services: environment.services,
                options: environment.storeOptions)
        }
        self.database = database
        do {
            snapshot =
                if let version {
                    try database.snapshot(at: version)
                } else {
                    try database.snapshot()
                }
        } catch { throw VersionFailure.failure(error, at: version, in: database.store) }
        environment.reportOpened(path, snapshot.snapshot)
    }

    /// - Parameter path: the name of the database in errors.
    init(_ path: String, _ database: Database, _ snapshot: DatabaseSnapshot) {
        self.path = path
        self.database = database
        self.snapshot = snapshot
    }

    /// Returns a query with its names resolved.
    func bound(
        _ typed: TypedText, defaultClass: String?, arguments: QueryArguments = [:]
    ) throws(CommandFailure) -> BoundQuery {
        do {
            return try snapshot.bound(
                typed.text, defaultClass: defaultClass, arguments: arguments)
        } catch {
            let failure = CommandFailure(error, typed, file: path)
            guard case .diagnostic(let diagnostic) = failure else { throw failure }
            throw .diagnostic(diagnostic.explainingTexts(arguments, in: typed.text))
        }
    }

    /// Starts a query; the numbers of a chart are drawn.
    ///
    /// - Parameter typed: the text of the query, for errors.
    func rows(
        _ query: BoundQuery, _ typed: TypedText, explaining: Bool = false,
        measuringBy clock: (() -> UInt64)? = nil, isStopped: @escaping () -> Bool = { false }
    ) throws(CommandFailure) -> any ResultRows {
        do {
            let rows = try snapshot.rows(
                query, explaining: explaining, measuringBy: clock, isStopped: isStopped)
            return DrawnChart(rows) ?? rows
        } catch { throw CommandFailure(error, typed, file: path) }
    }

    /// Binds and starts a query.
    func query(
        _ typed: TypedText, defaultClass: String?, arguments: QueryArguments = [:]
    ) throws(CommandFailure) -> any ResultRows {
        try rows(try bound(typed, defaultClass: defaultClass, arguments: arguments), typed)
    }

    /// Returns the SQL name of the rows of a query: the class at the start of the query.
    func tableName(_ text: String, defaultClass: String?) -> String {
        let first = text.drop(while: \.isWhitespace).prefix {
            $0.isLetter || $0.isNumber || $0 == "_"
        }
        return snapshot.schema.classNamed(String(first))?.name ?? defaultClass ?? "result"
    }
}

/// Moves the rows of a result to a writer.
struct RowTransfer {
    private let result: any ResultRows
    private let database: OpenDatabase
    private let text: TypedText
    private let options: ObjectLayout

    init(
        _ result: any ResultRows, database: OpenDatabase, text: TypedText, _ options: ObjectLayout
    ) {
        self.result = result
        self.database = database
        self.text = text
        self.options = options
    }

    /// - Parameters:
    ///   - line: removed before rows are written to the same terminal.
    ///   - progress: called with the number of rows so far.
    /// - Returns: the number of rows.
    func run(
        into writer: any ResultWriter, _ output: any ResultTarget,
        _ environment: CommandEnvironment,
        replacing line: Progress? = nil, progress: (UInt64) -> Void = { _ in }
    ) throws(CommandFailure) -> UInt64 {
        var rowCount: UInt64 = 0
        // Bars are for people; data contains the same values as numbers.
        let hidesLast = (result as? DrawnChart)?.isRepetition == true && !(writer is TableWriter)
        let shown = Array(result.columns.indices.dropLast(hidesLast ? 1 : 0))
        let resolver = ResultResolver(
            shown.map { result.columns[$0] }, lookup: SnapshotLookup(database.snapshot.snapshot),
            options.values(for: writer))
        func failure(_ error: PlatformError) -> CommandFailure {
            (writer as? any FailingResultWriter)?.failure ?? output.failure(error)
        }
        do { try writer.begin(resolver.columns) } catch { throw failure(error) }
        while let batch = try next(resolver, shown) {
            if output.isTerminal { line?.end() }
            do { try writer.write(batch) } catch { throw failure(error) }
            rowCount += UInt64(batch.rowCount)
            progress(rowCount)
            try environment.checkSignals()
            if let table = writer as? TableWriter, table.isCut { break }
        }
        do { try writer.finish() } catch { throw failure(error) }
        return rowCount
    }

    /// - Parameter shown: the columns that are written.
    private func next(
        _ resolver: ResultResolver, _ shown: [Int]
    ) throws(CommandFailure) -> ResultBatch? {
        var found: ResultBatch?
        do { found = try result.next() } catch {
            throw CommandFailure(error, text, file: database.path)
        }
        if let batch = found, shown.count < batch.vectors.count {
            found = ResultBatch(
                rowCount: batch.rowCount, vectors: shown.map { batch.vectors[$0] })
        }
        guard let found else { return nil }
        do { return try resolver.resolve(found) } catch { throw CommandFailure(error) }
    }
}

extension CommandEnvironment {
    /// Prints the version of a database that a command reads, with `-v`.
    func reportOpened(_ file: String, _ snapshot: Snapshot) {
        guard verbosity > 0 else { return }
        var text = "opened \(SafeText.escaping(file)): version \(snapshot.version.rawValue)"
        // An unknown size must not make a command with additional output fail.
        if let status = try? services.files.status(of: file) {
            text += ", \(Formatting.bytes(status.size))"
        }
        note(text + "\n")
    }

    /// Prints the newest version of a store, with `-v`.
    func reportOpened(_ file: String, _ store: Store) {
        guard verbosity > 0, let snapshot = try? store.snapshot() else { return }
        reportOpened(file, snapshot)
    }
}
