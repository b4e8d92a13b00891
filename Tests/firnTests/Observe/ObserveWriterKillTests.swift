import FirnPlatform
import FirnTesting
import Testing

/// Writers that are killed while an observer runs, which must never report an uncommitted change.
@Suite("Writers that die during an observation", .serialized)
struct ObserveWriterKillTests {
    private let folder = TemporaryFolder()
    private let firn: CommandRunner
    private let troubled: CommandRunner
    private let file: String

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        troubled = CommandRunner(try builtExecutable(named: "firn-fault"))
        file = folder("numbers.firn")
        let made = try firn.run(
            ["create", file, "--from", "-", "--class", "Number", "--key", "id", "-q"],
            input: "id,n\n0,0\n")
        try #require(made.status == 0, "\(made)")
    }

    /// The observer survives the death of its writer, and reports the commits of the next one:
    /// every reported event must be in the database with its version, whether or not the writer
    /// received the acknowledgement.
    @Test(
        "A kill at any call leaves no event without a commit, and no commit without an event",
        arguments: [Trouble.kill, .killHalfway])
    func everyCall(trouble: Trouble) throws {
        let observer = try PipedProcess(
            firn.executable,
            [
                "observe", file, "Number SORT(id ASC)", "--shape", "rows", "--every-commit",
                "--heartbeat", "off",
            ])
        var copy = StreamCopy()
        var told: [UInt64: [String]] = [:]
        func follow(to version: UInt64) throws {
            let clock = SystemClock()
            let end = clock.monotonicNanoseconds() + 60_000_000_000
            while copy.version < version {
                try #require(clock.monotonicNanoseconds() < end && observer.isTalking)
                PipedProcess.receive([observer], seconds: 0.05)
                for line in observer.lines() where try copy.apply(line) {
                    told[copy.version] = copy.objects
                }
            }
        }
        try follow(to: 1)
        let step = max(1, (trouble == .kill ? 1 : 3) / TestScale.factor)
        var (ordinal, deaths) = (1, 0)
        while true {
            let records = (1...3).map { "{\"id\":\(ordinal * 10 + $0),\"n\":\(ordinal)}\n" }
            let run = try troubled.run(
                [
                    trouble.word, "\(ordinal)", "write", file, "-", "-c", "Number", "--batch", "1",
                    "-q",
                ],
                input: records.joined())
            if run.errorText.hasSuffix("\(TroubleReport.untouched)\n") { break }
            try #require(run.signal == 9, "\(run)")
            deaths += 1
            // The next writer takes over the rest of the log.
            let next = try firn.run(
                ["write", file, "-x", "Number id == 0 | set n = \(ordinal)", "-q"], input: "")
            try #require(next.status == 0, "\(next)")
            let version = try newestVersion()
            try follow(to: version)
            #expect(copy.objects == (try objects(at: version)), "\(trouble.word) \(ordinal)")
            ordinal += step
        }
        #expect(deaths > 10 / step)
        // Every reported version is in the database, and has the reported content.
        let newest = try newestVersion()
        try follow(to: newest)
        for version in 1...newest {
            let there = try objects(at: version)
            #expect(told[version] == there, "version \(version)")
        }
        RunCounters.kills.add(deaths)
        observer.kill()
        _ = observer.finish()
    }

    private func objects(at version: UInt64) throws -> [String] {
        let run = try firn.run(
            ["query", file, "Number SORT(id ASC)", "-f", "ndjson", "--at", "\(version)"], input: "")
        try #require(run.status == 0, "\(run)")
        return run.outputText.split(separator: "\n").map(String.init)
    }

    private func newestVersion() throws -> UInt64 {
        let run = try firn.run(["observe", file, "--initial", "none", "--idle", "1ms"], input: "")
        let line = try #require(run.outputText.split(separator: "\n").first, "\(run)")
        let number = line.split(separator: ",").first { $0.hasPrefix("\"version\":") }
        return try #require(number.flatMap { UInt64($0.dropFirst("\"version\":".count)) })
    }
}
