import FirnFormats
import FirnTesting
import FirnTools
import FirnValues
import Testing

/// A query with its recorded result: `Tests/Fixtures/Queries/queries.txt`.
///
///     @ world                            the database of the following queries
///     # Paths                            a title
///     Person age > 40                    a query
///       objects 1 4                      the keys of the objects,
///       {"count":2}                      or the rows,
///       3 rows                           or only their number,
///       nothing
///       error 8+3: message (hint)        or the error with its column and length
struct QueryExample: CustomTestStringConvertible, Sendable {
    let database: String
    let query: String
    let result: [String]

    var testDescription: String { query }

    /// All examples, in the order of the file.
    static let all: [QueryExample] = {
        var examples: [QueryExample] = []
        var database = ""
        let lines = (try? ManualPage.lines(of: "Tests/Fixtures/Queries/queries.txt")) ?? []
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.hasPrefix("#") || line.isEmpty { continue }
            if line.hasPrefix("@ ") {
                database = String(line.dropFirst(2))
                continue
            }
            var result: [String] = []
            while index < lines.count, lines[index].hasPrefix("  ") {
                result.append(String(lines[index].dropFirst(2)))
                index += 1
            }
            examples.append(QueryExample(database: database, query: line, result: result))
        }
        return examples
    }()

    /// Returns the result of a run of the query in the form of the file.
    static func result(_ run: CommandHarness.Run) -> [String] {
        guard run.status == 0 else { return [error(run.errors)] }
        let lines = run.output.split(separator: "\n").map(String.init)
        guard let first = lines.first else { return ["nothing"] }
        let isObject = first.contains("\"net-price\":") || first.contains("\"toys\":")
        if isObject {
            let keys = lines.map { $0.dropFirst("{\"id\":".count).prefix { $0 != "," } }
            return ["objects " + keys.joined(separator: " ")]
        }
        if lines.count > 8 || first.utf8.count > 200 { return ["\(lines.count) rows"] }
        return lines
    }

    /// - Parameter json: the error as one line of JSON.
    private static func error(_ json: String) -> String {
        guard let last = json.split(separator: "\n").last,
            case .map(let error)? = Value(json: String(last)),
            case .string(let message)? = error["message"]
        else { return "another error: \(json)" }
        var text = "error"
        if case .map(let at)? = error["at"], case .int(let column)? = at["column"],
            case .int(let length)? = at["length"]
        {
            text += " \(column)+\(length)"
        }
        text += ": \(message)"
        if case .string(let hint)? = error["hint"] { text += " (\(hint))" }
        return text
    }
}

/// The databases of the examples.
struct ExampleDatabases {
    let harness = CommandHarness()

    init() throws {
        let fixtures = ManualPage.folder + "/Tests/Fixtures"
        let world = "\(fixtures)/Queries"
        make(["create", "world", "--schema", "\(world)/schema.json"])
        make(["write", "world", "\(world)/dogs.ndjson", "-c", "Dog"])
        make(["write", "world", "\(world)/persons.ndjson", "-c", "Person"])
        // Those of the man page.
        _ = try harness.makePeople()
        let flights = "\(fixtures)/nycflights13"
        make([
            "create", "flights", "--from", "Flight=\(flights)/flights.csv", "--from",
            "Plane=\(flights)/planes.csv", "--key", "Plane.tailnum", "--link",
            "plane=tailnum:Plane.tailnum",
        ])
        make(["alter", "flights", "inverse Plane.flights = Flight.plane"])
        make([
            "create", "routes", "--from", "Flight=\(flights)/flights.csv", "--from",
            "Airport=\(flights)/airports.csv", "--from", "Airline=\(flights)/airlines.csv",
        ])
        try Fixtures.write(
            """
            {"id":1,"name":"\\u00c9lan","tags":["a","b"],"scores":[3,5],"home":{"city":"Oslo"},\
            "born":"2000-02-29"}
            {"id":2,"name":"bob","tags":[],"scores":[],"home":null,"born":"1999-12-31"}

            """, to: harness.folder("docs.ndjson"))
        make([
            "create", "docs", "--from", "Doc=\(harness.folder("docs.ndjson"))", "--key", "id",
        ])
    }

    private func make(_ words: [String]) {
        let run = harness.run(
            [words[0], harness.folder("\(words[1]).firn")] + words.dropFirst(2) + ["-q"])
        precondition(run.status == 0, run.errors)
    }

    func run(_ example: QueryExample) -> CommandHarness.Run {
        var words = ["query", harness.folder("\(example.database).firn"), example.query]
        words += ["-f", "ndjson", "-q", "--errors", "json"]
        if example.query.contains("$tail") { words += ["-p", "tail=N14228"] }
        return harness.run(words)
    }
}
