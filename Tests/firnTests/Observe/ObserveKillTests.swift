import FirnPlatform
import FirnTesting
import Testing

/// Observers that are killed while other processes commit.
@Suite("Killed observers", .serialized)
struct ObserveKillTests {
    private static let kills = TestScale.scaled(12)

    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String
    private let cursor: String
    private let output: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("numbers.firn")
        cursor = folder("cursor")
        output = folder("output")
        let made = try runner.run(
            ["create", file, "--from", "-", "--class", "Number", "--key", "id", "-q"],
            input: "id,n\n1,0\n")
        try #require(made.status == 0, "\(made)")
    }

    /// The output of a program, or the content of a file; empty if it does not exist.
    private func text(_ path: String) throws -> String {
        try runner.files.run(["-c", "cat \"$0\" 2>/dev/null || true", path], input: "").outputText
    }

    /// The version of the stored token; 0 without one.
    private func stored() throws -> UInt64 {
        try text(cursor).split(separator: ".").dropFirst().first.flatMap { UInt64($0) } ?? 0
    }

    /// The versions of the delivered updates, in order.
    private func delivered() throws -> [UInt64] {
        try text(output).split(separator: "\n").filter {
            $0.hasPrefix("{\"v\":1,\"op\":\"update\"")
        }
        .compactMap { line in
            line.split(separator: ",").first { $0.hasPrefix("\"version\":") }
                .flatMap { UInt64($0.drop { $0 != ":" }.dropFirst()) }
        }
    }

    /// An observer whose output survives it.
    private func observer(_ more: String) throws -> PipedProcess {
        try PipedProcess(
            "/bin/sh",
            [
                "-c",
                "exec \"$0\" observe \"$1\" Number --shape rows --every-commit --initial none "
                    + "--cursor-file \"$2\" \(more) >>\"$3\"", runner.executable, file, cursor,
                output,
            ])
    }

    @Test(
        "4. With a cursor, every commit is delivered, and only those after the token are repeated"
    )
    func cursorSurvives() throws {
        let seed = UInt64.random(in: 0..<1_000_000_000)
        var generator = SplitMix64(seed: seed)
        let writer = try PipedProcess(
            runner.executable, ["write", file, "-c", "Number", "--upsert", "--batch", "1", "-"])
        var version: UInt64 = 1
        for _ in 0..<Self.kills {
            let before = try (stored(), delivered().count)
            let observer = try observer("")
            // Without a token there is no position to start from, and no guarantee.
            while try stored() == 0 {}
            for _ in 0..<generator.next() % 40 {
                version += 1
                writer.say("{\"id\":1,\"n\":\(version)}")
                _ = try writer.line()
            }
            observer.kill()
            _ = observer.finish()
            for again in try delivered().dropFirst(before.1) {
                #expect(again > before.0, "seed \(seed)")
            }
        }
        let last = try observer("--idle 300ms")
        #expect(last.finish().status == 124, "seed \(seed)")
        #expect(
            try Set(delivered()) == Set(2...max(2, version)).filter { $0 <= version },
            "seed \(seed)")
        #expect(try stored() == version, "seed \(seed)")
        writer.endInput()
        #expect(writer.finish().status == 0)
    }
}

extension CommandRunner {
    /// A runner for shell commands.
    fileprivate var files: CommandRunner { CommandRunner("/bin/sh") }
}
