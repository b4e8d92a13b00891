import CSQLite
import FirnPlatform
import FirnValues

/// A new SQLite database, which is filled in one transaction.
///
/// Nobody reads it before it is complete: it needs no journal, and is synced once, by the file that
/// renames it.
package final class SQLiteOutput {
    /// The number of SQLite operations between two checks for an interruption.
    private static let operationsPerCheck: Int32 = 100_000

    /// The name in errors.
    let name: String
    fileprivate let handle: OpaquePointer
    /// The names of tables and indexes in lower case; both share one name space.
    private var names: TextSet = []
    /// The values that became other values.
    package var losses = SQLiteLosses()
    private let isStopped: () -> Bool

    /// - Parameters:
    ///   - path: an existing empty file.
    ///   - isStopped: whether to give up a long operation.
    package init(
        _ path: String, name: String, isStopped: @escaping () -> Bool
    ) throws(CommandFailure) {
        self.name = name
        self.isStopped = isStopped
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = opened else {
            throw .diagnostic(
                Diagnostic(.outputFailed, "cannot write \(name): no memory to open SQLite"))
        }
        self.handle = handle
        guard status == SQLITE_OK else { throw failure() }
        for text in [
            "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
            "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA cache_size = -65536", "BEGIN",
        ] {
            try execute(text)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let check: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context else { return 0 }
            let output = Unmanaged<SQLiteOutput>.fromOpaque(context).takeUnretainedValue()
            return output.isStopped() ? 1 : 0
        }
        sqlite3_progress_handler(handle, SQLiteOutput.operationsPerCheck, check, context)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs a statement without a result.
    func execute(_ text: String) throws(CommandFailure) {
        let statement = try SQLiteInsertion(text, into: self)
        try statement.run()
    }

    /// Commits the transaction; the file is complete afterwards.
    package func finish() throws(CommandFailure) {
        try execute("COMMIT")
    }

    /// Prevents indexes from taking the names of tables.
    func reserve(_ tables: [String]) { names.formUnion(tables.map { $0.lowercased() }) }

    /// Returns a name that no table or index has, in any case of its letters.
    package func newName(_ name: String) -> String {
        names.insertNumbered(name, by: { $0.lowercased() }, { "\(name)_\($0)" })
    }

    /// Returns the failure of the last call.
    fileprivate func failure() -> CommandFailure {
        let status = sqlite3_errcode(handle)
        let code: PlatformError.Code? =
            switch status {
            case SQLITE_FULL: .diskFull
            case SQLITE_IOERR:
                PlatformError(
                    system: sqlite3_system_errno(handle), operation: "write", path: ""
                ).code
            case SQLITE_PERM, SQLITE_READONLY: .permissionDenied
            case SQLITE_INTERRUPT: .interrupted
            default: nil
            }
        if let code {
            return CommandFailure(
                writing: name, PlatformError(code, operation: "SQLite", path: ""))
        }
        let reason = SafeText.escaping(String(cString: sqlite3_errmsg(handle)))
        var diagnostic = Diagnostic(
            .outputFailed, "cannot write \(name): SQLite reports: \(reason)")
        if status == SQLITE_TOOBIG {
            diagnostic.remedy = "a value has at most 1,000,000,000 bytes; leave the column out"
        } else if reason.hasPrefix("too many columns") {
            diagnostic.remedy = "choose at most 2,000 columns with a query"
        }
        return .diagnostic(diagnostic)
    }
}

/// A prepared statement that is run with different values each time.
final class SQLiteInsertion {
    private let output: SQLiteOutput
    private let statement: OpaquePointer

    init(_ text: String, into output: SQLiteOutput) throws(CommandFailure) {
        self.output = output
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(
            output.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let statement = prepared else { throw output.failure() }
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    // The values are bound by position, from 0. Those in memory must stay until the statement ran.

    @inline(__always)
    func bindNull(_ index: Int) {
        sqlite3_bind_null(statement, Int32(truncatingIfNeeded: index + 1))
    }

    @inline(__always)
    func bind(_ index: Int, int value: Int64) {
        sqlite3_bind_int64(statement, Int32(truncatingIfNeeded: index + 1), value)
    }

    @inline(__always)
    func bind(_ index: Int, double value: Double) {
        sqlite3_bind_double(statement, Int32(truncatingIfNeeded: index + 1), value)
    }

    @inline(__always)
    func bind(_ index: Int, text: UnsafeBufferPointer<UInt8>) throws(CommandFailure) {
        let status = sqlite3_bind_text64(
            statement, Int32(truncatingIfNeeded: index + 1),
            UnsafeRawPointer(text.baseAddress ?? SQLiteInsertion.nothing.utf8Start)
                .assumingMemoryBound(to: CChar.self),
            UInt64(text.count), nil, UInt8(SQLITE_UTF8))
        guard status == SQLITE_OK else { throw output.failure() }
    }

    @inline(__always)
    func bind(_ index: Int, blob: UnsafeBufferPointer<UInt8>) throws(CommandFailure) {
        let status = sqlite3_bind_blob64(
            statement, Int32(truncatingIfNeeded: index + 1),
            UnsafeRawPointer(blob.baseAddress ?? SQLiteInsertion.nothing.utf8Start),
            UInt64(blob.count), nil)
        guard status == SQLITE_OK else { throw output.failure() }
    }

    /// The address of an empty value: SQLite takes the address 0 for null.
    private static let nothing: StaticString = ""

    /// Runs the statement to its end, and makes it ready for the next values.
    func run() throws(CommandFailure) {
        var status = sqlite3_step(statement)
        // A pragma returns its new value.
        while status == SQLITE_ROW { status = sqlite3_step(statement) }
        guard status == SQLITE_DONE else { throw output.failure() }
        sqlite3_reset(statement)
    }
}
