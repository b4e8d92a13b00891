import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// Commits that are in the log of a large database and in no root, and the cost of opening the
/// database then.
enum LogTail {
    static let byteCount: UInt64 = 1 << 20

    /// The content of each commit.
    enum Kind: String, CaseIterable {
        /// One number of one object, anywhere in the table.
        case changes
        /// One more object.
        case objects
    }

    /// The name of the measurement, as filters match it.
    static func work(_ kind: Kind) -> String { "open with 1 MiB of log, \(kind.rawValue)" }

    /// Commits until the log has the wanted size.
    ///
    /// - Returns: the store, which has the log open, and the number of commits.
    static func make(_ path: String, _ kind: Kind) throws -> (store: Store, commits: Int) {
        var options = StoreOptions()
        options.logging = .always
        options.checkpointsInBackground = false
        let store = try Store.open(path, readOnly: false, options: options)
        let snapshot = try store.snapshot()
        guard let schema = snapshot.schema.classes.first, let table = snapshot.table(schema.id),
            let property = schema.properties.first(where: { $0.type == PropertyType(.int) }),
            let values = try table.values(of: RowID(0))
        else { throw ProgramError("\(path) has no objects with a whole number") }
        let count = table.liveRowCount
        var commits = 0
        while try logByteCount(path) <= byteCount {
            let transaction = try store.beginWrite()
            switch kind {
            case .changes:
                let row = RowID(UInt64(People.scattered(commits, below: count)))
                try transaction.set(
                    property.id, of: row, in: schema.id, to: .int(Int64(commits)))
            case .objects: try transaction.create(in: schema.id, values)
            }
            _ = try transaction.commit()
            commits += 1
        }
        return (store, commits)
    }

    /// The used length of the log: the file grows by a quarter of ``byteCount`` before the space is
    /// needed.
    private static func logByteCount(_ path: String) throws -> UInt64 {
        try SystemServices.real.files.status(of: "\(path)-log0")?.size ?? 0
    }

    /// Opens the database and retains the newest version, repeatedly.
    static func openings(_ path: String, count: Int) throws -> [UInt64] {
        try (0..<count).map { _ in
            // Closing is not part of the measurement.
            let (nanoseconds, opened) = try Stopwatch.timeAndResult {
                let store = try Store.open(path, readOnly: true)
                return (store, try store.snapshot())
            }
            return withExtendedLifetime(opened) { nanoseconds }
        }
    }

    /// Opens a database with a log tail, while the process that wrote the log has it open and after
    /// that process died.
    static func compare(
        _ path: String, _ kind: Kind, samples: Int, columns: Int
    ) throws -> [ComparisonRow] {
        Console.note("opening with \(kind.rawValue) in the log")
        let maker = try PipedProcess(
            builtExecutable(named: "firn-bench"), ["worker", path, "--tail", kind.rawValue])
        let commits = try maker.line(seconds: 300)
        let name = "open with 1 MiB of log, \(commits) \(kind.rawValue)"
        let none = [Statistics?](repeating: nil, count: columns - 1)
        let used = try openings(path, count: samples)
        maker.kill()
        _ = maker.finish()
        let left = try openings(path, count: samples)
        try fold(path)
        return [
            ComparisonRow("\(name), in use", unit: .time, [Statistics(used)] + none),
            ComparisonRow("\(name), after a crash", unit: .time, [Statistics(left)] + none),
        ]
    }

    /// Takes over the log of a dead process, folds it and removes it.
    static func fold(_ path: String) throws {
        let store = try Store.open(path, readOnly: false)
        try store.beginWrite().rollback()
        try store.close()
    }
}
