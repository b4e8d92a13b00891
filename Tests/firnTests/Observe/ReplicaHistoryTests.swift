import FirnTesting
import Glibc
import Testing

/// A replica is `firn observe --shape rows | firn write --input observe`, restarted from the stored
/// token whenever it ended.
@Suite("Replicas of random histories", .serialized)
struct ReplicaHistoryTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String
    private let replica: String
    private let cursor: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("a.firn")
        replica = folder("b.firn")
        cursor = folder("b.cursor")
        try PeopleWriter.makeDatabase(file, in: folder, runner)
    }

    /// The lines from the stored token to the newest version.
    private func lines() throws -> [String] {
        let run = try runner.run(
            [
                "observe", file, "--shape", "rows", "--since", "@\(cursor)", "--idle", "1ms",
                "--heartbeat", "off",
            ], input: "")
        try #require(run.status == 124, "\(run)")
        return run.outputText.split(separator: "\n").map(String.init)
    }

    /// Applies lines to the replica, with the given number per transaction.
    ///
    /// - Parameter isCut: whether they may end anywhere, which is an error of the stream.
    private func apply(_ lines: [String], batch: Int, isCut: Bool = false) throws {
        let run = try runner.run(
            [
                "write", replica, "--create", "--input", "observe", "--batch", "\(batch)",
                "--cursor-file", cursor, "-q", "-",
            ], input: lines.map { $0 + "\n" }.joined())
        let isEndMissing =
            run.status == 65 && run.errorText.contains("the stream ends inside a commit")
        try #require(run.status == 0 || (isCut && isEndMissing), "\(run)")
    }

    private func expectSame(_ comment: String) throws {
        let run = try runner.run(["diff", file, replica, "--summary", "-f", "json"], input: "")
        #expect(run.status == 0, "\(comment): \(run)")
        let check = try runner.run(["check", replica, "--deep", "-q"], input: "")
        #expect(check.status == 0, "\(comment): \(check)")
    }

    @Test(
        "Replicas equal the original, despite broken pipes, repeated lines, and gaps",
        arguments: TestScale.seeds(3))
    func histories(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed &+ 411)
        let writer = try PeopleWriter(runner.executable, file, seed: generator.next())
        var (resetCount, brokenCount) = (0, 0)
        for round in 0..<12 {
            for _ in 0..<Int.random(in: 1...8, using: &generator) { try writer.commit() }
            if round == 6 || generator.happens(oneIn: 5) {
                try writer.end()
                // Changes that the replica has not received are gone: a gap.
                let run = try runner.run(["compact", file, "-q"], input: "")
                try #require(run.status == 0, "\(run)")
                try writer.begin()
            }
            if generator.happens(oneIn: 3) {
                let run = try runner.run(["compact", replica, "-q"], input: "")
                try #require(run.status == 0 || !isMade, "\(run)")
            }
            let batch = Int.random(in: 1...7, using: &generator)
            if generator.happens(oneIn: 2) {
                // The pipe breaks at any point between two lines.
                let all = try lines()
                let count = Int.random(in: 0...all.count, using: &generator)
                try apply(Array(all.prefix(count)), batch: batch, isCut: true)
                brokenCount += 1
                // Lines that were received and not stored as applied come again.
                if generator.happens(oneIn: 2) {
                    try apply(Array(all.prefix(count)), batch: 3, isCut: true)
                }
            }
            let rest = try lines()
            resetCount += rest.count { $0.contains("\"type\":\"reset\"") }
            try apply(rest, batch: batch)
            try expectSame("seed \(seed), round \(round)")
            RunCounters.histories.add(1)
        }
        try writer.end()
        #expect(resetCount > 0 && brokenCount > 0)
    }

    private var isMade: Bool { access(replica, F_OK) == 0 }
}
