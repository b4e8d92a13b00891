import FirnPlatform
import FirnTesting
import Testing

/// The line in `firn observe --help` stored the position of the reader before the writer had committed.
/// Killed at random, hundreds of objects of the copy differed.
@Suite("The documented pipe", .serialized)
struct DocumentedPipeTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let shell = CommandRunner("/bin/sh")

    init() throws { runner = CommandRunner(try builtExecutable(named: "firn")) }

    /// The pipe of the help, with the files of this test.
    private func line() throws -> String {
        let help = try runner.run(["help", "observe"], input: "").outputText
        let lines = help.split(separator: "\n").map { $0.trimmingBlanks }
        let first = try #require(
            lines.firstIndex { $0.hasPrefix("firn observe a.firn --shape rows") })
        let pipe = lines[first].replacing("\\", with: "") + lines[first + 1]
        #expect(pipe.contains("--cursor-file c -") && pipe.contains("--since @c"), "\(pipe)")
        return pipe.replacing(
            "firn observe a.firn", with: "\(runner.executable) observe \(folder("a.firn"))"
        )
        .replacing("| firn write b.firn", with: "| \(runner.executable) write \(folder("b.firn"))")
        .replacing("@c ", with: "@\(folder("c")) ")
        .replacing("--cursor-file c ", with: "--cursor-file \(folder("c")) ")
    }

    private func commit(_ number: Int) throws {
        let run =
            number % 5 == 4
            ? try runner.run(
                ["write", folder("a.firn"), "-x", "N id == \(number / 5) | delete", "-q"], input: ""
            )
            : try runner.run(
                ["write", folder("a.firn"), "-", "-c", "N", "--upsert", "-q"],
                input: "{\"id\":\(number),\"n\":1}\n{\"id\":\(number / 2),\"n\":\(number)}\n")
        try #require(run.status == 0, "\(run)")
    }

    /// Kills both commands of the pipe.
    private func kill(_ pipe: PipedProcess) throws {
        // The brackets keep the pattern from meaning this command.
        let run = try shell.run(
            ["-c", "pkill -KILL -f '[/]\(folder.path.dropFirst())' || :"], input: "")
        #expect(run.status == 0, "\(run)")
        pipe.endInput()
        _ = pipe.finish()
    }

    @Test("The documented pipe loses no change, even if both commands are killed at any time")
    func killed() throws {
        let made = try runner.run(
            ["create", folder("a.firn"), "--from", "-", "--class", "N", "--key", "id", "-q"],
            input: "{\"id\":0,\"n\":0}\n")
        try #require(made.status == 0, "\(made)")
        let line = try line()
        var generator = SplitMix64(seed: TestScale.firstSeed)
        var number = 1
        for _ in 0..<TestScale.scaled(8) {
            let pipe = try PipedProcess("/bin/sh", ["-c", line])
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                try commit(number)
                number += 1
            }
            try kill(pipe)
        }
        let pipe = try PipedProcess("/bin/sh", ["-c", line])
        var difference = ""
        for _ in 0..<2_000 {
            let run = try runner.run(
                ["diff", folder("b.firn"), folder("a.firn"), "--summary", "-f", "json"], input: "")
            difference = "\(run)"
            if run.status == 0 { break }
        }
        try kill(pipe)
        let run = try runner.run(["diff", folder("b.firn"), folder("a.firn"), "-q"], input: "")
        #expect(run.status == 0, "\(difference)")
        #expect(try runner.run(["check", folder("b.firn"), "--deep", "-q"], input: "").status == 0)
    }

    @Test("No manual page shows a pipe that stores its position before the writer has committed")
    func pages() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let pattern = "firn observe[^|]*--cursor-file[^|]*| *firn write"
        let found = try shell.run(
            [
                "-c",
                "cat \"$0\"/man/man*/* \"$0\"/README.md | tr -d '\\\\' | tr '\\n' ' ' "
                    + "| grep -o '\(pattern)' || :", root,
            ], input: "")
        #expect(found.status == 0 && found.outputText.isEmpty, "\(found)")
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " })
    }
}
