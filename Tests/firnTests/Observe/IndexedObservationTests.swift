import FirnPlatform
import FirnTesting
import Testing

/// An index that is made while others observe and write.
@Suite("An index that is made in the middle of a stream", .timeLimit(.minutes(2)))
struct IndexedObservationTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name\n0,first\n", in: folder)
    }

    private func write(_ id: Int) throws {
        let run = try runner.run(
            ["write", file, "-", "-c", "Person", "-q"],
            input: "{\"id\":\(id),\"name\":\"n\(id)\"}\n")
        try #require(run.status == 0, "\(run)")
    }

    private func alter(_ change: String) throws {
        let run = try runner.run(["alter", file, change, "-q"], input: "")
        try #require(run.status == 0, "\(run)")
    }

    @Test("An observer gets every change exactly once while an index is created and dropped")
    func stream() throws {
        let observer = try PipedProcess(
            runner.executable,
            [
                "observe", file, "Person", "--shape", "rows", "--every-commit", "--initial",
                "none", "--ops", "insert", "--heartbeat", "off", "--since", "1",
            ])
        try write(1)
        try alter("index Person.name")
        try write(2)
        try alter("drop index Person.name")
        try write(3)
        for id in 1...3 {
            var line = try observer.line()
            while !line.contains("\"op\":\"insert\"") { line = try observer.line() }
            #expect(line.contains("\"name\":\"n\(id)\""), "\(line)")
        }
        observer.kill()
    }
}
