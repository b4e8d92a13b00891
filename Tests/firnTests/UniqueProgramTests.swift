import FirnPlatform
import FirnTesting
import Testing

/// Values of unique indexes, which many processes write at the same time.
@Suite("Unique values of several firn programs", .timeLimit(.minutes(5)))
struct UniqueProgramTests {
    private static let valueCount = 120
    private static let processCount = 8

    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name\n0,first\n", in: folder)
        let run = try runner.run(["alter", file, "unique Person.name", "-q"], input: "")
        try #require(run.status == 0, "\(run)")
    }

    private func output(_ words: [String]) throws -> String {
        let run = try runner.run(words, input: "")
        try #require(run.status == 0, "\(run)")
        return run.outputText
    }

    /// Begins to write all values in a random order, each in a commit of its own.
    private func writer(
        _ number: Int, _ generator: inout SplitMix64
    ) throws -> PipedProcess {
        let process = try PipedProcess(
            runner.executable,
            ["write", file, "-", "-c", "Person", "--batch", "1", "--on-error", "skip"]
                + ["--wait", "2m", "--insert"])
        for value in (0..<Self.valueCount).shuffled(using: &generator) {
            let id = 1 + number * Self.valueCount + value
            process.say(#"{"id":\#(id),"name":"value \#(value)"}"#)
        }
        process.endInput()
        return process
    }

    @Test("Eight processes write the same values, some are killed, and no value is stored twice")
    func eight() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        let writers = try (0..<Self.processCount).map { try writer($0, &generator) }
        for victim in writers.prefix(3) {
            for _ in 0..<Int.random(in: 1...5, using: &generator) { _ = try? victim.line() }
            victim.kill()
        }
        // Records whose value is there already are skipped, and the status says so.
        for writer in writers.dropFirst(3) {
            let result = writer.finish(seconds: 200)
            #expect(result.status == 0 || result.status == 65, "seed \(seed): \(result)")
        }
        let twice = try output(
            ["query", file, "Person | group(name; n = @count) | n > 1", "-f", "ndjson"])
        #expect(twice.isEmpty, "seed \(seed): \(twice)")
        let count = try output(["query", file, "Person", "--count", "-r"])
        #expect(count == "\(Self.valueCount + 1)\n", "seed \(seed)")
        _ = try output(["check", file, "--deep", "-q"])
    }
}
