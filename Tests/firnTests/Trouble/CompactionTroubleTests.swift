import FirnEngine
import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// A compaction that is interrupted in its work, concurrent with other processes.
@Suite("firn compact among other processes")
struct CompactionTroubleTests {
    private let folder = TemporaryFolder()
    private let firn: CommandRunner
    private let file: String
    private let content: DatabaseContent

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("people.firn")
        let rows = (0..<3000).map { "\($0),name \($0 &* 2_654_435_761)\n" }.joined()
        for (words, input) in [
            (
                ["create", file, "--from", "-", "--class", "Person", "--key", "id"],
                "id,name\n\(rows)"
            ),
            (["write", file, "-x", "Person id >= 1500 | delete"], ""),
        ] {
            let run = try firn.run(words + ["-q"], input: input)
            try #require(run.status == 0, "\(run)")
        }
        content = try DatabaseContent(at: file)
    }

    /// A compaction that is stopped in the middle, with its locks.
    private func stopped() throws -> PipedProcess {
        let process = try PipedProcess(
            builtExecutable(named: "firn-fault"), ["stop", "5", "compact", file, "-q"])
        process.waitUntilStopped()
        return process
    }

    private func expectWhole() throws {
        #expect(try DatabaseContent(at: file) == content)
        #expect(try firn.run(["check", file, "--deep", "-q"], input: "").status == 0)
        #expect(folder.names == ["people.firn"])
    }

    @Test(
        "The error of a second compaction, and of every writer, names the stopped compaction"
    )
    func twoCompactions() throws {
        let first = try stopped()
        for words in [["compact", file], ["write", file, "-x", "Person | delete"]] {
            let run = try firn.run(words + ["--wait", "0"], input: "")
            #expect(run.status == 75, "\(run)")
            #expect(
                run.errorText.hasPrefix(
                    "error: cannot write \(file): locked by pid \(first.pid) ("),
                "\(run)")
            #expect(
                run.errorText.contains(
                    ", which is stopped (SIGCONT it: kill -CONT \(first.pid))"), "\(run)")
        }
        let stats = try firn.run(["stats", file, "--sessions", "-f", "json"], input: "")
        #expect(stats.status == 0)
        #expect(stats.outputText.contains("\"pid\":\(first.pid)"), "\(stats)")
        #expect(stats.outputText.contains("\"stopped\":true"), "\(stats)")
        // Readers are never blocked.
        #expect(try DatabaseContent(at: file) == content)
        first.goOn()
        let end = first.finish()
        #expect(end.status == 0, "\(end)")
        try expectWhole()
        #expect(try firn.run(["compact", file, "-q", "--wait", "0"], input: "").status == 0)
        try expectWhole()
    }

    @Test("A process that waits for a compaction continues after it ends")
    func waiting() throws {
        let first = try stopped()
        let writer = try PipedProcess(
            firn.executable, ["write", file, "-x", "Person id == 0 | delete", "-q", "--wait", "1m"])
        let second = try PipedProcess(firn.executable, ["compact", file, "-q", "--wait", "1m"])
        first.goOn()
        #expect(first.finish().status == 0)
        let ends = (writer.finish(), second.finish())
        #expect(ends.0.status == 0, "\(ends.0)")
        // A second compaction does not wait: it continues the work.
        #expect([0, 75].contains(ends.1.status), "\(ends.1)")
        #expect(try DatabaseContent(at: file).lines.count == content.lines.count - 1)
    }

    @Test("An interrupted compaction ends with the signal, and leaves one sound file")
    func interrupted() throws {
        for ordinal in [1, 3, 5, 9] {
            let process = try PipedProcess(
                builtExecutable(named: "firn-fault"),
                ["stop", "\(ordinal)", "compact", file, "-q"])
            process.waitUntilStopped()
            process.send(signal: SIGINT)
            process.goOn()
            let end = process.finish()
            // The last step may be done when the signal is checked.
            #expect(end.signal == SIGINT || end.status == 0, "\(end)")
            if ordinal == 1 { #expect(end.signal == SIGINT, "\(end)") }
            try expectWhole()
        }
    }

    @Test("A full disk, or a disk that starts to fail, leaves the file unchanged")
    func fullDisk() throws {
        let before = try DatabaseImage.bytes(of: file)
        let cases: [(Int32, String)] = [
            (28, "no space left on the disk"), (122, "the disk quota is used up"),
            (27, "the file would become too large"),
            (5, "the device reported an input/output error"),
        ]
        for (number, reason) in cases {
            for words in [["compact", file], ["compact", file, "-o", folder("small.firn")]] {
                let run = try CommandRunner(builtExecutable(named: "firn-fault")).run(
                    ["always-\(number)", "2"] + words, input: "")
                #expect(run.status == 74, "\(run)")
                #expect(run.errorText.hasPrefix("error: \(words.last ?? ""): "), "\(run)")
                #expect(run.errorText.contains(reason), "\(run)")
                try expectWhole()
            }
        }
        // The written data lies in unused space.
        #expect(try DatabaseImage.bytes(of: file).prefix(16 * 1024) == before.prefix(16 * 1024))
    }

    @Test("A file size limit of the system is an error, and nothing is lost")
    func sizeLimit() throws {
        let rows = (10_000..<60_000).map { "{\"id\":\($0),\"name\":\"a long name of \($0)\"}\n" }
        let run = try CommandRunner("/bin/sh").run(
            [
                "-c", "ulimit -f 200; exec \"$0\" write \"$1\" - -c Person -q", firn.executable,
                file,
            ],
            input: rows.joined())
        #expect(run.status == 74, "\(run)")
        #expect(run.errorText.contains("the file would become too large"), "\(run)")
        try expectWhole()
    }
}
