import CSQLite
import FirnPlatform
import FirnText
import FirnValues

/// An SQLite database, which is read in one transaction.
///
/// Its schema is untrusted: no function, view or trigger of it runs.
final class SQLiteDatabase {
    /// The maximum size of a value; a longer one is an error.
    private static let valueBytesMax: Int32 = 64 << 20
    private static let busyMilliseconds: Int32 = 5_000

    let name: String
    fileprivate let handle: OpaquePointer

    /// - Parameter name: the name in errors.
    init(_ path: String, name: String, _ environment: CommandEnvironment) throws(InputError) {
        self.name = name
        var opened: OpaquePointer?
        // A connection that only reads leaves a log and its index behind in WAL mode. One that could
        // write removes them, and there is nothing to write from a log that was not there.
        let hasLog = ["-wal", "-journal"].contains { suffix in
            (try? environment.services.files.status(of: path + suffix)) != nil
        }
        let mode = hasLog ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let status = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = opened else {
            throw InputError(.unreadable, "no memory to open it with SQLite", name: name)
        }
        self.handle = handle
        guard status == SQLITE_OK else { throw error() }
        sqlite3_busy_timeout(handle, SQLiteDatabase.busyMilliseconds)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, SQLiteDatabase.valueBytesMax)
        for text in [
            "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA query_only = ON",
            "BEGIN",
        ] {
            _ = try SQLiteStatement(text, in: self).step()
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Returns whether a file begins like an SQLite database.
    ///
    /// A file that cannot be read keeps the error of opening it.
    static func isDatabase(_ path: String, _ environment: CommandEnvironment) -> Bool {
        let mark = Array("SQLite format 3\0".utf8)
        let files = environment.services.files
        guard path != "-", let status = try? files.status(of: path), status.kind == .regular,
            let file = try? files.open(path, .readOnly)
        else { return false }
        var bytes = [UInt8](repeating: 0, count: mark.count)
        let count = bytes.withUnsafeMutableBytes { try? file.read(at: 0, into: $0) }
        return count == mark.count && bytes == mark
    }

    /// Returns the error of the last call.
    fileprivate func error(in table: String? = nil) -> InputError {
        let text = String(cString: sqlite3_errmsg(handle))
        let status = sqlite3_errcode(handle)
        let remedy: String? =
            switch status {
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                "save what it has with: sqlite3 OLD.db .recover | sqlite3 NEW.db"
            case SQLITE_BUSY, SQLITE_LOCKED: "try again when no process writes to it"
            case SQLITE_CANTOPEN, SQLITE_READONLY:
                "a database in WAL mode needs a writable folder, or a copy with: sqlite3 OLD.db "
                    + "'VACUUM INTO ''NEW.db'''"
            case SQLITE_TOOBIG: "values can have up to 64 MiB"
            default: nil
            }
        let isDamaged = status == SQLITE_CORRUPT || status == SQLITE_NOTADB
        return InputError(
            isDamaged ? .syntax : .unreadable, "SQLite reports: \(SafeText.escaping(text))",
            name: name, column: table,
            remedy: remedy)
    }
}

/// A statement of SQLite and its current row.
final class SQLiteStatement {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private let database: SQLiteDatabase
    private let table: String?
    private let statement: OpaquePointer

    /// - Parameter table: the table that is read, for errors.
    init(
        _ text: String, in database: SQLiteDatabase, table: String? = nil
    ) throws(InputError) {
        self.database = database
        self.table = table
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v2(database.handle, text, -1, &prepared, nil)
        guard status == SQLITE_OK, let statement = prepared else {
            throw database.error(in: table)
        }
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    /// Advances to the next row.
    ///
    /// - Returns: `false` at the end.
    func step() throws(InputError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(in: table)
        }
    }

    /// Returns the type of a value, such as `SQLITE_INTEGER`.
    func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

    func int(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// Returns the text in UTF-8, which is valid until the next step.
    func text(_ column: Int) -> Bytes {
        let start = sqlite3_column_text(statement, Int32(column))
        return Bytes(start: start, count: start == nil ? 0 : byteCount(column))
    }

    /// Returns the bytes, which are valid until the next step.
    func blob(_ column: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, Int32(column))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount(column))
    }

    func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }

    private func byteCount(_ column: Int) -> Int {
        Int(sqlite3_column_bytes(statement, Int32(column)))
    }
}
