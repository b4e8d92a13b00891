import FirnPlatform
import FirnTesting
import Testing

/// Many observers, slow ones, and large commits.
@Suite("Observers under load", .serialized)
struct ObserveLoadTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("numbers.firn")
    }

    private func make(_ count: Int, _ file: String) throws {
        let made = try runner.run(
            ["create", file, "--from", "-", "--class", "Number", "--key", "id", "-q"],
            input: "id,n\n" + (1...count).map { "\($0),0\n" }.joined())
        try #require(made.status == 0, "\(made)")
    }

    /// Commits changes of the first number, each on its own.
    private func commit(_ count: Int, _ file: String) throws {
        let run = try runner.run(
            ["write", file, "-q", "-c", "Number", "--upsert", "--batch", "1", "-"],
            input: (1...count).map { "{\"id\":1,\"n\":\($0)}\n" }.joined())
        try #require(run.status == 0, "\(run)")
    }

    @Test("Fifty observers all receive every commit")
    func fifty() throws {
        try make(3, file)
        let observers = try (0..<50).map { number in
            try PipedProcess(
                runner.executable,
                ["observe", file, "Number", "--every-commit", "--count", "\(3 + number % 3)"])
        }
        for observer in observers {
            #expect(try observer.line(seconds: 120).contains("\"type\":\"initial\""))
        }
        try commit(5, file)
        for (number, observer) in observers.enumerated() {
            for version in 2...(4 + UInt64(number % 3)) {
                let line = try observer.line(seconds: 120)
                #expect(line.contains("\"version\":\(version),\"prev\":\(version - 1),"))
            }
            #expect(try observer.line().contains("\"reason\":\"count\""))
            #expect(observer.finish().status == 0)
        }
        // All have ended, and so have the files beside an open database.
        #expect(folder.names == ["numbers.firn"])
    }

    @Test("5. An observer that does not read does not make the file grow")
    func bounded() throws {
        let other = folder("unobserved.firn")
        for file in [file, other] { try make(2, file) }
        let observer = try PipedProcess(
            runner.executable, ["observe", file, "Number", "--heartbeat", "off"])
        _ = try observer.line()
        // It waits, like one with a stopped reader: its pipe is not read.
        let rounds = TestScale.scaled(3)
        for _ in 0..<rounds {
            for file in [file, other] { try commit(700, file) }
        }
        let (observed, unobserved) = try (size(file), size(other))
        #expect(
            observed <= unobserved * 5 / 4 + (1 << 20),
            "\(observed) bytes with an observer, \(unobserved) without")
        // It still misses nothing.
        var version: UInt64 = 1
        var line = ""
        while !line.contains("\"version\":\(1 + 700 * rounds),")
            || line.contains("\"type\":\"reset\"")
        {
            line = try observer.line(seconds: 120)
            guard line.contains("\"type\":\"update\"") else {
                // Its version is gone, so it restarts.
                #expect(
                    line.contains("\"type\":\"reset\"") || line.contains("\"type\":\"initial\""))
                version = number("version", line) ?? version
                continue
            }
            #expect(number("prev", line) == version)
            version = number("version", line) ?? version
        }
        #expect(line.contains("\"n\":700"))
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }

    private func number(_ name: String, _ line: String) -> UInt64? {
        line.split(separator: ",").first { $0.contains("\"\(name)\":") }
            .flatMap { UInt64($0.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }) }
    }

    private func size(_ file: String) throws -> UInt64 {
        try #require(try SystemFileSystem().status(of: file)).size
    }

    @Test(
        "A commit with a hundred thousand changes is delivered as a whole",
        arguments: ["rows", "index"])
    func large(shape: String) throws {
        let count = 100_000
        try make(count, file)
        let run = try runner.run(["write", file, "-q", "-x", "Number | set n = id"], input: "")
        try #require(run.status == 0, "\(run)")
        let stream = try runner.run(
            [
                "observe", file, "Number n >= 0", "--since", "1", "--count", "1", "--shape", shape,
            ], input: "")
        try #require(stream.status == 0)
        let lines = stream.outputText.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == (shape == "rows" ? count + 2 : 3))
        let commits = lines.count { String($0)?.contains("\"commit\":true") ?? false }
        #expect(commits == (shape == "rows" ? 1 : 0))
        if shape == "index" {
            #expect(lines[1].count { $0 == UInt8(ascii: ",") } >= count)
        }
    }
}
