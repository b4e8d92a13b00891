import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("The compact command")
struct CompactTests {
    private var harness = CommandHarness()

    /// Creates a database of mostly obsolete data.
    private func makeWasteful(freezing name: String? = nil) throws -> String {
        let csv =
            "id,text\n" + (0..<20_000).map { "\($0),row \($0) \($0 &* 2_654_435_761)\n" }.joined()
        let file = harness.folder("wasteful.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "--class", "Row", "--key", "id", "-q"], input: csv)
        try #require(made.status == 0, "\(made.errors)")
        if let name {
            let frozen = harness.run(["freeze", file, name, "--expires", "7d", "-q"])
            try #require(frozen.status == 0, "\(frozen.errors)")
        }
        for statement in ["Row id >= 1000 | delete", "Row id < 10 | set text = \"x\""] {
            let run = harness.run(["write", file, "-x", statement, "-q"])
            try #require(run.status == 0, "\(run.errors)")
        }
        return file
    }

    private func rows(_ file: String) -> String { harness.run(["export", file]).output }

    /// The number after a name in a report of one line.
    private func number(_ name: String, in report: String) -> Double? {
        guard let start = report.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
        return Double(report[start...].prefix { $0.isNumber || $0 == "." || $0 == "-" })
    }

    @Test("A compacted file is smaller, has the same content, and stays the same file")
    func compact() throws {
        let file = try makeWasteful()
        let before = try SystemServices.real.files.status(of: file)
        let content = rows(file)
        let run = harness.run(["compact", file, "--verify"])
        #expect(run.status == 0, "\(run.errors)")
        let after = try SystemServices.real.files.status(of: file)
        #expect(after?.identity == before?.identity)
        #expect(run.output.hasPrefix(#"{"v":1,"type":"compact","file":"\#(file)","version":"#))
        #expect(run.output.contains(#""skipped":false"#))
        #expect(number("before", in: run.output) == before.map { Double($0.size) })
        #expect(number("after", in: run.output) == after.map { Double($0.size) })
        #expect((number("saved", in: run.output) ?? 0) > 0.5, "\(run.output)")
        #expect(run.output.contains(#""kept_versions":[]"#), "\(run.output)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(rows(file) == content)
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        let text = harness.run(["compact", file, "-f", "text"])
        #expect(text.output.hasPrefix("compacted \(file): "), "\(text)")
        #expect(rows(file) == content)
        #expect(harness.folder.names == ["wasteful.firn"])
    }

    @Test("The bytes that a freeze keeps are reported")
    func held() throws {
        let file = try makeWasteful(freezing: "before")
        let run = harness.run(["compact", file])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(#""kept_versions":[{"version":1,"by":"freeze:before","bytes":"#))
        #expect(run.errors.contains(" held by freeze \"before\" ("), "\(run.errors)")
        #expect(
            harness.run(["query", file, "Row", "--at", "before", "--count", "-r"]).output
                == "20000\n")
        #expect(harness.run(["freeze", file, "--drop", "before", "-q"]).status == 0)
        let again = harness.run(["compact", file])
        #expect(again.output.contains(#""kept_versions":[]"#), "\(again.output)")
        #expect((number("saved", in: again.output) ?? 0) > 0.5, "\(again.output)")
        #expect(again.errors.isEmpty)
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("A file is not compacted if that saves little")
    func skipped() throws {
        let file = try makeWasteful()
        let before = try Fixtures.read(file)
        let small = harness.run(["compact", file, "--min-size", "1G"])
        #expect(small.status == 0)
        #expect(small.output.contains(#""skipped":true"#))
        #expect(try Fixtures.read(file) == before)
        let worth = harness.run(["compact", file, "--if-wasted", "30%", "--min-size", "10K"])
        #expect(worth.output.contains(#""skipped":false"#), "\(worth.output)")
        let done = try Fixtures.read(file)
        let wasted = harness.run(["compact", file, "--if-wasted", "30%", "-f", "text"])
        #expect(wasted.status == 0)
        #expect(wasted.output.hasPrefix("\(file): nothing to do, "), "\(wasted)")
        #expect(wasted.output.hasSuffix(" can be reclaimed, less than 30%\n"), "\(wasted)")
        #expect(try Fixtures.read(file) == done)
    }

    @Test("--dry-run changes nothing")
    func dryRun() throws {
        let file = try makeWasteful()
        let before = try Fixtures.read(file)
        let run = harness.run(["compact", file, "--dry-run"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""skipped":false,"dryRun":true"#))
        #expect((number("saved", in: run.output) ?? 0) > 0.3, "\(run.output)")
        #expect(try Fixtures.read(file) == before)
        #expect(harness.folder.names == ["wasteful.firn"])
    }

    @Test("-o leaves the original file unchanged", arguments: ["lz4", "lz4-high", "none"])
    func output(codec: String) throws {
        let file = try makeWasteful(freezing: "before")
        let before = try Fixtures.read(file)
        let copy = harness.folder("small.firn")
        let words = ["compact", file, "-o", copy, "--codec", codec, "--verify"]
        let run = harness.run(words)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""output":"\#(copy)""#))
        #expect(run.output.contains(#""kept_versions":[]"#))
        #expect(try Fixtures.read(file) == before)
        #expect(number("after", in: run.output) == Double(try Fixtures.read(copy).count))
        #expect(rows(copy) == rows(file))
        let again = harness.run(words)
        #expect(again.status == 73, "\(again.errors)")
        #expect(harness.run(["compact", file, "-o", harness.folder("no/x")]).status == 73)
        #expect(harness.folder.names == ["small.firn", "wasteful.firn"])
    }

    @Test("An interrupt ends compact after its current step, and nothing is lost")
    func interrupted() throws {
        var harness = harness
        let file = try makeWasteful()
        let content = rows(file)
        harness.signal = Signals.interrupt
        let run = harness.run(["compact", file])
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(run.output.isEmpty)
        #expect(rows(file) == content)
        #expect(self.harness.run(["check", file, "--deep", "-q"]).status == 0)
        #expect(harness.folder.names == ["wasteful.firn"])
    }

    @Test("Long work shows its progress")
    func progress() throws {
        var harness = harness
        let file = try makeWasteful()
        harness.use(SteppingClock())
        let run = harness.run(["compact", file, "--progress", "always"])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kcompacting \(file)  "), "\(run.errors)")
        #expect(run.errors.hasSuffix("\r\u{1B}[K"), "\(run.errors)")
        #expect(harness.run(["compact", file, "--progress", "never"]).errors.isEmpty)
    }
}
