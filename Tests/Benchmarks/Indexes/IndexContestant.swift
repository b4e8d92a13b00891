import FirnTesting

/// A database program with a table of a million people and indexes of two columns.
struct IndexContestant {
    let program: ScaleContestant.Program
    let executable: String

    func database(in folder: TemporaryFolder) -> String { folder("\(program).db") }

    /// Creates the table, without indexes.
    func importing(_ csv: String, into database: String) -> Invocation {
        switch program {
        case .firn:
            Invocation(
                executable: executable,
                arguments: ["create", database, "--from", csv, "--class", "Person", "-q"])
        case .sqlite3:
            session(
                database,
                [
                    "CREATE TABLE person(id INTEGER, name TEXT, age INTEGER)", ".mode csv",
                    ".import --skip 1 \(quoted(csv)) person",
                ])
        case .duckdb:
            session(database, ["CREATE TABLE person AS SELECT * FROM read_csv(\(quoted(csv)))"])
        }
    }

    /// Makes an index of a column.
    func indexing(_ column: String, of database: String) -> Invocation {
        switch program {
        case .firn:
            Invocation(
                executable: executable,
                arguments: ["alter", database, "index Person.\(column)", "-q"])
        case .sqlite3, .duckdb:
            session(database, ["CREATE INDEX person_\(column) ON person(\(column))"])
        }
    }

    /// Runs statements one after the other in one process.
    func asking(_ work: IndexWork, of database: String, count: Int) -> Invocation {
        let statements = (0..<count).map { number in
            program == .firn ? work.firn(number) : work.sql(number)
        }
        return session(database, statements)
    }

    private func session(_ database: String, _ statements: [String]) -> Invocation {
        let lines = statements.map { $0.hasPrefix(".") || program == .firn ? $0 : $0 + ";" }
        let arguments =
            switch program {
            case .firn: ["repl", database, "-q"]
            case .sqlite3: ["-batch", "-bail", database]
            case .duckdb: ["-no-init", "-batch", "-bail", database]
            }
        return Invocation(
            executable: executable, arguments: arguments,
            input: lines.joined(separator: "\n") + "\n")
    }
}

/// A statement that an index answers.
enum IndexWork: String, CaseIterable {
    case lookup = "lookup of a text"
    case count = "count of a range of a third of the objects"
    case page = "10 objects in the order of a number, after the first half"
    case next = "10 objects in the order of a number, from a number on"
    case join = "one object, joined with one by its number"

    /// The number of people.
    static let objectCount = 1_000_000

    /// The name of a person, which begins like all others.
    static func name(_ number: Int) -> String {
        "person \(People.scattered(number, below: objectCount))"
    }

    func firn(_ number: Int) -> String {
        switch self {
        case .lookup: "Person name == \"\(IndexWork.name(number * 31))\""
        case .count: "Person age > \(200_000 + number) && age <= \(533_333 + number) | count"
        case .page: "Person SORT(age) SKIP(\(500_000 + number)) LIMIT(10)"
        case .next: "Person age > \(700_000 + number) SORT(age) LIMIT(10)"
        case .join:
            "Person name == \"\(IndexWork.name(number * 31))\" | join(other = Person; "
                + "other.age == id) | select(name, other.name)"
        }
    }

    func sql(_ number: Int) -> String {
        switch self {
        case .lookup: "SELECT * FROM person WHERE name = '\(IndexWork.name(number * 31))'"
        case .count:
            "SELECT count(*) FROM person WHERE age > \(200_000 + number) "
                + "AND age <= \(533_333 + number)"
        case .page: "SELECT * FROM person ORDER BY age LIMIT 10 OFFSET \(500_000 + number)"
        case .next:
            "SELECT * FROM person WHERE age > \(700_000 + number) ORDER BY age LIMIT 10"
        case .join:
            "SELECT p.name, other.name FROM person p LEFT JOIN person other "
                + "ON other.age = p.id WHERE p.name = '\(IndexWork.name(number * 31))'"
        }
    }

    /// The number of statements of a session, of which even the slowest takes seconds.
    var count: Int {
        switch self {
        case .lookup, .next, .join: 2_000
        case .count, .page: 100
        }
    }
}
