import FirnPlatform
import FirnTesting

/// A database program on some cores.
struct ScaleContestant {
    enum Program: String {
        case firn
        case sqlite3
        case duckdb
    }

    let program: Program
    let executable: String
    let coreCount: Int
    /// The command that limits a process to some cores; `nil` if it may use all of them.
    let taskset: String?

    /// Returns a program with one core and with all cores.
    static func on(
        _ program: Program, _ executable: String, taskset: String?
    ) -> [ScaleContestant] {
        let all = Environment.processorCount
        let whole = ScaleContestant(
            program: program, executable: executable, coreCount: all, taskset: nil)
        // SQLite uses one core in any case.
        guard program != .sqlite3, all > 1, let taskset else { return [whole] }
        return [
            ScaleContestant(
                program: program, executable: executable, coreCount: 1, taskset: taskset), whole,
        ]
    }

    var name: String { program == .sqlite3 ? "sqlite3" : "\(program) \(coreCount)" }

    func database(in folder: TemporaryFolder) -> String { folder("\(program)-\(coreCount).db") }

    /// Creates a database with the rows of a file.
    func importing(_ csv: String, into database: String) -> Invocation {
        switch program {
        case .firn:
            command(["create", database, "--from", csv, "--class", "Lineitem", "-q"])
        case .sqlite3:
            command(
                ["-batch", "-bail", database],
                input: """
                    \(Self.schema)
                    .mode csv
                    .import --skip 1 \(quoted(csv)) lineitem

                    """)
        case .duckdb:
            duckdb(
                [database], "CREATE TABLE lineitem AS SELECT * FROM read_csv(\(quoted(csv)))")
        }
    }

    /// Returns the command of a work; `nil` if the program has none.
    func doing(_ work: ScaleWork, with database: String) -> Invocation? {
        switch (program, work.kind) {
        case (.firn, .query):
            command(["query", database, work.firn, "-f", "csv", "--no-header"])
        case (.firn, .change): command(["write", database, "-x", work.firn, "-q"])
        case (.firn, .compaction): command(["compact", database, "-q"])
        case (.sqlite3, _):
            command(["-batch", "-bail", "-csv", "-noheader", database, work.sql])
        case (.duckdb, .compaction): nil
        case (.duckdb, _): duckdb(["-csv", "-noheader", database], work.sql)
        }
    }

    private func duckdb(_ options: [String], _ statement: String) -> Invocation {
        command(
            ["-no-init", "-batch", "-bail"] + options
                + ["-c", "PRAGMA threads=\(coreCount); \(statement)"])
    }

    private func command(_ arguments: [String], input: String = "") -> Invocation {
        guard let taskset else {
            return Invocation(executable: executable, arguments: arguments, input: input)
        }
        let cores = coreCount == 1 ? "0" : "0-\(coreCount - 1)"
        return Invocation(
            executable: taskset, arguments: ["-c", cores, executable] + arguments, input: input)
    }

    private static let schema = """
        CREATE TABLE lineitem(
            l_orderkey INTEGER, l_partkey INTEGER, l_suppkey INTEGER, l_linenumber INTEGER,
            l_quantity INTEGER, l_extendedprice REAL, l_discount REAL, l_tax REAL,
            l_returnflag TEXT, l_linestatus TEXT, l_shipdate TEXT, l_commitdate TEXT,
            l_receiptdate TEXT, l_shipinstruct TEXT, l_shipmode TEXT, l_comment TEXT);
        """
}
