import FirnPlatform
import FirnTesting
import Testing

@Suite("The firn program with --timeout")
struct TimeoutProgramTests {
    private let folder = TemporaryFolder()
    private let executable: String
    private let firn: CommandRunner
    private let file: String
    private let content: DatabaseContent

    init() throws {
        executable = try builtExecutable(named: "firn")
        firn = CommandRunner(executable)
        file = folder("people.firn")
        let run = try firn.run(
            ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: "id,name\n1,Ann\n2,Bo\n")
        try #require(run.status == 0, "\(run)")
        content = try DatabaseContent(at: file)
    }

    private func expectUntouched() throws {
        #expect(try DatabaseContent(at: file) == content)
        #expect(folder.names == ["people.firn"])
    }

    @Test("An input that does not end causes a timeout, and its writes are rolled back")
    func input() throws {
        for words in [
            ["write", file, "-", "-c", "Person"],
            ["create", folder("new.firn"), "--from", "-", "--class", "Person"],
        ] {
            let process = try PipedProcess(executable, words + ["--timeout", "200ms", "-q"])
            process.say("{\"id\":3,\"name\":\"Cy\"}")
            let end = process.finish(endsInput: false)
            #expect(end.status == 124, "\(words) \(end)")
            try expectUntouched()
        }
    }

    @Test("Earlier commits are kept after a timeout")
    func batches() throws {
        let process = try PipedProcess(
            executable,
            ["write", file, "-", "-c", "Person", "--batch", "1", "--timeout", "500ms", "-q"])
        process.say("{\"id\":3,\"name\":\"Cy\"}")
        #expect(process.finish(endsInput: false).status == 124)
        let count = try firn.run(["query", file, "Person", "--count", "-r"], input: "")
        #expect(count.outputText == "3\n", "\(count)")
        #expect(folder.names == ["people.firn"])
    }

    @Test("Waiting for a lock held by another process times out")
    func lock() throws {
        let holder = try PipedProcess(
            builtExecutable(named: "firn-fault"),
            ["stop", "2", "write", file, "-x", "Person | delete", "-q"])
        holder.waitUntilStopped()
        for words in [
            ["write", file, "-x", "Person | set name = \"x\""], ["compact", file],
            ["alter", file, "remove Person.name"], ["freeze", file, "x"],
        ] {
            let run = try firn.run(words + ["--wait", "10m", "--timeout", "50ms"], input: "")
            #expect(run.status == 124, "\(run)")
            #expect(
                run.errorText.hasSuffix("error: gave up after 50 ms\n"), "\(run)")
            let json = try firn.run(
                words + ["--wait", "10m", "--timeout", "50ms", "--errors", "json"], input: "")
            #expect(json.errorText.contains("\"code\":\"command.timeout\",\"exit\":124"), "\(json)")
        }
        holder.goOn()
        #expect(holder.finish().status == 0)
    }

    @Test("A timeout that is long enough changes nothing")
    func enough() throws {
        let run = try firn.run(["export", file, "--timeout", "1h", "-f", "csv"], input: "")
        #expect(run.status == 0 && run.outputText == "id,name\n1,Ann\n2,Bo\n", "\(run)")
        for word in ["x", "5", "-1s"] {
            let wrong = try firn.run(["check", file, "--timeout", word], input: "")
            #expect(wrong.status == 64, "\(word): \(wrong)")
        }
        try expectUntouched()
    }
}
