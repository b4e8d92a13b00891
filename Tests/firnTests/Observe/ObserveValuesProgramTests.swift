import FirnPlatform
import FirnTesting
import Testing

/// `firn observe` of groups and counts, while another process commits.
@Suite("firn observe of values")
struct ObserveValuesProgramTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String
    private let query = "Person | group(name; @count AS n)"

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("people.firn")
        let made = try runner.run(
            ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: "id,name\n1,Ann\n2,Bo\n3,Bo\n")
        try #require(made.status == 0, "\(made)")
    }

    private func write(_ statement: String) throws {
        let run = try runner.run(["write", file, "-q", "-x", statement], input: "")
        try #require(run.status == 0, "\(run)")
    }

    /// The rows that a query prints, such as `{"name":"Bo","n":2}`.
    private func rows() throws -> [String] {
        let run = try runner.run(["query", file, query, "-f", "ndjson"], input: "")
        try #require(run.status == 0, "\(run)")
        return run.outputText.split(separator: "\n").map(String.init)
    }

    /// Applies the lines of one commit to a copy of the rows.
    ///
    /// - Returns: the token of the commit.
    private func follow(_ observer: PipedProcess, _ copy: inout [String]) throws -> String {
        while true {
            let line = try observer.line()
            let index = try #require(Int(part(line, "\"index\":", ",")), "\(line)")
            if line.contains("\"op\":\"delete\"") {
                copy.remove(at: index)
            } else {
                let object = part(line, "\"object\":", "}") + "}"
                if line.contains("\"op\":\"insert\"") {
                    copy.insert(object, at: index)
                } else {
                    copy[index] = object
                }
            }
            if line.hasSuffix("\"commit\":true}") { return part(line, "\"token\":\"", "\"") }
        }
    }

    /// The text between two others.
    private func part(_ line: String, _ start: String, _ end: Character) -> String {
        var rest = Substring(line)
        while !rest.isEmpty, !rest.hasPrefix(start) { rest.removeFirst() }
        return String(rest.dropFirst(start.count).prefix { $0 != end })
    }

    @Test("A copy of the rows equals the query after each commit, even after resuming the stream")
    func follow() throws {
        var observer = try PipedProcess(
            runner.executable, ["observe", file, query, "--shape", "rows"])
        #expect(try observer.line().contains("\"key\":\"name\",\"count\":2"))
        var copy: [String] = []
        var token = try follow(observer, &copy)
        #expect(try copy == rows())
        for number in 0..<12 {
            try write("Person id == \(number % 2 + 1) | set name = \"n\(number % 5)\"")
            token = try follow(observer, &copy)
            #expect(try copy == rows(), "commit \(number)")
        }
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
        try write("Person id == 3 | delete")
        try write("Person id == 1 | set name = \"Cy\"")
        observer = try PipedProcess(
            runner.executable, ["observe", file, query, "--shape", "rows", "--since", token])
        #expect(try observer.line().contains("\"type\":\"resume\""))
        _ = try follow(observer, &copy)
        #expect(try copy == rows())
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }

    /// The rows of a limited list cannot be maintained; they are compared as a whole.
    @Test(
        "A query that is rerun reports the last of many commits, in fewer updates than commits"
    )
    func runAgain() throws {
        let observer = try PipedProcess(
            runner.executable,
            ["observe", file, "Person SORT(id) LIMIT(2) | group(name; @count AS n)", "-q"])
        _ = try observer.line()
        for number in 0..<20 { try write("Person id == 1 | set name = \"n\(number)\"") }
        var lines = 0
        var line = ""
        while !line.contains("\"name\":\"n19\",\"n\":1}") {
            line = try observer.line()
            lines += 1
        }
        #expect(lines <= 20)
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }
}
