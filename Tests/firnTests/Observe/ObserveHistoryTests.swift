import FirnPlatform
import FirnTesting
import Testing

/// The copy of a stream's reader equals the result of the query at every version, whatever other
/// processes do meanwhile.
@Suite("Random histories observed by processes", .serialized)
struct ObserveHistoryTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    /// Filters, orders, windows, links, and projections.
    private static let queries: [[String]] = [
        ["Person age > 40"], ["Person SORT(age DESC, name ASC)"],
        ["Person SORT(name ASC) LIMIT(4)"],
        ["Person boss.age > 40 SORT(id ASC)"], ["Person age > 20 DISTINCT(name)"],
        ["Person ANY marks > 5 SORT(age ASC)", "-s", "id,age,boss.name"],
    ]

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("people.firn")
        try PeopleWriter.makeDatabase(file, in: folder, runner)
    }

    private final class Observer {
        let words: [String]
        private let start: ([String]) throws -> PipedProcess
        private var process: PipedProcess
        private(set) var copy = StreamCopy()

        init(_ words: [String], _ start: @escaping ([String]) throws -> PipedProcess) throws {
            self.words = words
            self.start = start
            process = try start(words)
        }

        /// Reads lines until the copy has the expected state.
        ///
        /// - Returns: whether it did within a minute.
        func follow(to expected: [String]) throws -> Bool {
            let clock = SystemClock()
            let end = clock.monotonicNanoseconds() + 60_000_000_000
            while copy.version == 0 || copy.objects != expected {
                guard clock.monotonicNanoseconds() < end, process.isTalking else { return false }
                PipedProcess.receive([process], seconds: 0.05)
                for line in process.lines() { _ = try copy.apply(line) }
            }
            return true
        }

        /// Continues in another process, from the last token.
        func resume() throws {
            process.kill()
            _ = process.finish()
            for line in process.lines() { _ = try copy.apply(line) }
            guard let token = copy.token else { return }
            process = try start(words + ["--since", token])
        }

        func end() { process.kill() }
    }

    @Test(
        "Copies equal the query despite grouped commits, compaction and resumption",
        arguments: TestScale.seeds(2))
    func histories(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed &+ 77)
        let (executable, file) = (runner.executable, file)
        let writer = try PeopleWriter(executable, file, seed: generator.next())
        for _ in 0..<8 { try writer.commit() }
        let observers = try ObserveHistoryTests.queries.map { words in
            try Observer(words) { more in
                try PipedProcess(
                    executable, ["observe", file, "--shape", "rows", "--heartbeat", "off"] + more)
            }
        }
        for round in 0..<10 {
            for _ in 0..<Int.random(in: 1...6, using: &generator) { try writer.commit() }
            if generator.happens(oneIn: 3) {
                // Another process continues; the last one to close folds the log.
                try writer.end()
                if generator.happens(oneIn: 2) {
                    let run = try runner.run(["compact", file, "-q"], input: "")
                    try #require(run.status == 0, "\(run)")
                }
                try writer.begin()
            }
            for observer in observers {
                let fresh = try runner.run(
                    ["query", file] + observer.words + ["-f", "ndjson"], input: "")
                try #require(fresh.status == 0, "\(fresh)")
                let expected = fresh.outputText.split(separator: "\n").map(String.init)
                #expect(
                    try observer.follow(to: expected),
                    "seed \(seed), round \(round), \(observer.words): \(observer.copy) instead of \(expected)"
                )
                RunCounters.histories.add(1)
            }
            if generator.happens(oneIn: 3) {
                try observers.randomElement(using: &generator)?.resume()
            }
        }
        for observer in observers { observer.end() }
        try writer.end()
    }

    @Test("The token of any kept version can be resumed, and an earlier token is a gap")
    func tokens() throws {
        let writer = try PeopleWriter(runner.executable, file, seed: 5)
        for _ in 0..<5 { try writer.commit() }
        let start = writer.version
        try writer.end()
        try #require(try runner.run(["compact", file, "-q"], input: "").status == 0)
        try writer.begin()
        for _ in 0..<12 { try writer.commit() }
        try writer.end()
        func lines(_ words: String...) throws -> [String] {
            let run = try runner.run(
                ["observe", file, "Person SORT(age DESC, id ASC)", "--shape", "rows"] + words
                    + ["--idle", "1ms", "--heartbeat", "off"], input: "")
            try #require(run.status == 124, "\(run)")
            return run.outputText.split(separator: "\n").map(String.init)
        }
        // The oldest version that can be resumed, and the result of resuming each token.
        var copies: [UInt64: StreamCopy] = [:]
        var copy = StreamCopy()
        for line in try lines() { _ = try copy.apply(line) }
        let newest = copy
        let oldest = try horizon()
        #expect(oldest >= start && oldest < writer.version)
        let first = try runner.run(
            [
                "query", file, "Person SORT(age DESC, id ASC)", "-f", "ndjson", "--at", "\(oldest)",
            ], input: "")
        try #require(first.status == 0, "\(first)")
        var walk = StreamCopy(
            objects: first.outputText.split(separator: "\n").map(String.init), version: oldest)
        copies[oldest] = walk
        for line in try lines("--since", "\(oldest)", "--every-commit") {
            if try walk.apply(line) { copies[walk.version] = walk }
        }
        #expect(walk.objects == newest.objects)
        for (version, known) in copies {
            var copy = known
            let stream = try lines("--since", known.token ?? "\(version)")
            #expect(stream.first?.contains("\"type\":\"resume\"") == true, "\(version): \(stream)")
            for line in stream { _ = try copy.apply(line) }
            #expect(copy.objects == newest.objects, "from \(version)")
        }
        for (version, type) in [
            (oldest - 1, "reset"), (writer.version, "resume"), (writer.version + 1, "reset"),
        ] {
            let stream = try lines("--since", "\(version)")
            #expect(stream.first?.contains("\"type\":\"\(type)\"") == true, "\(version): \(stream)")
        }
    }

    /// The oldest version that is kept.
    private func horizon() throws -> UInt64 {
        let run = try runner.run(
            ["observe", file, "Person", "--since", "0", "--idle", "1ms"], input: "")
        let oldest = run.outputText.split(separator: ",").first { $0.hasPrefix("\"oldest\":") }
        return try #require(oldest.flatMap { UInt64($0.drop { $0 != ":" }.dropFirst()) }, "\(run)")
    }
}
