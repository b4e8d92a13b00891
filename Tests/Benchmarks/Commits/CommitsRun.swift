import FirnTesting

/// All contestants with their databases in one folder, and all the work that they do.
final class CommitsRun {
    /// The programs that take part; `nil` for one that does not.
    struct Tools {
        let firn: String
        let own: String
        let sqlite: String?
        let duckdb: String?
        let python: String?
    }

    let folder = TemporaryFolder()
    /// Firn comes first: the ratios are relative to the first contestant.
    let names: [String]
    private let tools: Tools
    private let rounds: Int
    private let isWanted: (String) -> Bool
    private let firn: FirnCommitter
    private let firnCrew: CommitterCrew
    private let raw: RawAppend
    private let sqlite: CommitterProcess?
    private let sqliteCrew: CommitterCrew?
    private let duckDB: CommitterProcess?

    init(tools: Tools, rounds: Int, isWanted: @escaping (String) -> Bool) throws {
        self.tools = tools
        self.rounds = rounds
        self.isWanted = isWanted
        let folder = self.folder
        func worker(_ peer: String, _ name: String) throws -> CommitterProcess? {
            guard let python = tools.python else { return nil }
            return try CommitterProcess(
                peer, python, PeerScript.arguments(peer, folder("\(name).\(peer)")))
        }
        firn = try FirnCommitter(folder("people.firn"))
        raw = try RawAppend(folder("raw"))
        sqlite = try worker("sqlite3", "people")
        duckDB = try worker("duckdb", "people")
        // One after the other, because the first one populates the database.
        firnCrew = try CommitterCrew("firn") {
            try CommitterProcess("firn", tools.own, ["worker", folder("crew.firn")])
        }
        sqliteCrew = try CommitterCrew("sqlite3") { try worker("sqlite3", "crew") }
        names = ["firn", "raw"] + (tools.python == nil ? [] : ["sqlite3", "duckdb"])
    }

    func compare() throws -> [ComparisonRow] {
        let committers: [any Committer] = [firn, raw] + [sqlite, duckDB].compactMap { $0 }
        let crews: [(any Committer)?] =
            [firnCrew, nil] + (sqlite == nil ? [] : [sqliteCrew, nil])
        var rows = try CommitComparison(
            committers, crews: crews, rounds: rounds, isWanted: isWanted
        ).run()
        try firn.close()
        for process in [sqlite, duckDB].compactMap({ $0 }) { try process.close() }
        for crew in [firnCrew, sqliteCrew].compactMap({ $0 }) { try crew.close() }
        if isWanted("one durable change, whole process") { rows.append(try wholeProcesses()) }
        return rows
    }

    private func wholeProcesses() throws -> ComparisonRow {
        let sqlite = tools.sqlite.map { WholeProcesses.sqlite($0, folder("people.sqlite3")) }
        let duckDB = tools.duckdb.map { WholeProcesses.duckDB($0, folder("people.duckdb")) }
        let others = self.sqlite == nil ? [] : [sqlite, duckDB]
        return try WholeProcesses(
            process: PeerProcess(home: folder.path),
            invocations: [WholeProcesses.firn(tools.firn, folder("people.firn")), nil] + others
        ).run(rounds: rounds)
    }
}

extension CommitterCrew {
    /// Starts its processes one after the other, because the first one creates the database.
    ///
    /// - Parameter start: starts one; `nil` if there are none.
    convenience init(_ name: String, _ start: () throws -> CommitterProcess?) throws {
        var members: [CommitterProcess] = []
        for _ in 0..<CommitWork.processCount {
            guard let member = try start() else { break }
            // The answer means that its database is open.
            _ = try member.samples(.create, count: 1)
            members.append(member)
        }
        self.init(name, members)
    }
}
