import FirnTesting
import Testing

@testable import FirnTools

/// Errors of `observe`, and the ways in which it ends.
@Suite("The end of observe")
struct ObserveUsageTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    @Test(
        "An invalid command line is reported and nothing is printed",
        arguments: [
            (["Person", "--shape", "tables"], Int32(64), "--shape"),
            (["--shape", "index"], 64, "--shape index needs a query"),
            (["Person", "--count", "0"], 64, "--count must be at least 1"),
            (["Person", "--keep-going"], 64, "--exec"),
            (["Person", "--max-lag", "3"], 64, "--every-commit"),
            (["Person", "--every-commit", "--debounce", "1s"], 64, "cannot be combined"),
            (["Person", "--heartbeat", "0"], 64, "--heartbeat"),
            (["Person", "--ops", "insert,upsert"], 64, "--ops"),
            (["Person | bar(age)"], 64, "a chart cannot be observed"),
            (["Person | group(city; @count AS n) | bar(n)"], 64, "a chart cannot be observed"),
            (["Person | explain"], 64, "a plan cannot be observed"),
            (["Person | count", "--until", "@sum.age > 1"], 64, "--until can test only count"),
            (
                ["Person | LIMIT(2) | group(city; @count AS n)", "--every-commit"], 64,
                "a LIMIT before the values"
            ),
            (["Person", "--until", "count"], 64, "expected a comparison"),
            (["Person", "--until", "age == 1"], 64, "only count, values such as"),
            (["Person", "--until", "count =="], 65, "expected"),
            (["Person", "--until", "count == $n"], 65, "-p n="),
            (["--until", "@sum.age == 1"], 64, "can test only count"),
            (["Persn"], 66, "did you mean"),
            (["Person nme == 1"], 65, "nme"),
        ])
    func usage(words: [String], status: Int32, message: String) throws {
        let run = harness.run(["observe", file] + words + ["--timeout", "5s"])
        #expect(run.status == status, "\(run)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!run.output.contains("initial"), "\(run.output)")
    }

    @Test("A terminal shows all objects of all classes only on request")
    func initial() {
        var harness = harness
        harness.isTerminal = true
        harness.variables["TERM"] = "dumb"
        let words = ["observe", file, "--timeout", "1ms"]
        let count = harness.run(words).output
        #expect(
            count.hasSuffix(
                ": 3 objects, version 1; Ctrl-C ends\nthe time limit was reached\n"), "\(count)")
        let lines = harness.run(words + ["-f", "ndjson"]).output
        #expect(lines.contains("\"count\":3") && !lines.contains("\"objects\""), "\(lines)")
        #expect(harness.run(words + ["--initial", "full"]).output.contains("\"objects\""))
        #expect(harness.run(words + ["Person"]).output.contains("\"objects\""))
        harness.isTerminal = false
        #expect(harness.run(words).output.contains("\"objects\""))
    }

    @Test("A missing database ends with status 66")
    func missing() {
        let run = harness.run(["observe", harness.folder("none.firn"), "Person"])
        #expect(run.status == 66, "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test(
        "--until ends with 0 as soon as its condition holds",
        arguments: [
            ("count == 3", true), ("@count >= 3", true), ("count < 3", false),
            ("@sum.age == 126", true), ("@max.name == \"Cy\" AND @min.age > 40", false),
            ("NOT count == 0", true), ("count == 0 OR @avg.age > 41.5", true),
            ("@max.age == $a", true), ("@min.age == nil", false),
        ])
    func until(condition: String, holds: Bool) throws {
        let run = harness.run(
            ["observe", file, "Person", "-p", "a:=52", "--until", condition, "--timeout", "1ms"])
        #expect(run.status == (holds ? 0 : 124), "\(run)")
        let last = try #require(try StreamLine.all(run.output).last)
        #expect(last.type == "end")
        #expect(last["reason"] == (holds ? #""until""# : #""timeout""#))
    }

    @Test("--until checks each intermediate result")
    func untilLater() throws {
        for age in [60, 70, 80] {
            let run = harness.run(
                ["write", file, "-q", "-x", "Person id == 7 | set age = \(age)"])
            #expect(run.status == 0)
        }
        let run = harness.run(
            [
                "observe", file, "Person", "--since", "1", "--every-commit", "--until",
                "@max.age == 70", "--timeout", "10s",
            ])
        #expect(run.status == 0, "\(run)")
        let lines = try StreamLine.all(run.output)
        #expect(lines.map(\.type) == ["resume", "update", "update", "end"])
    }

    @Test("Without commits, observe sends heartbeats and ends at the time limit")
    func heartbeats() throws {
        let run = harness.run(
            ["observe", file, "Person", "--heartbeat", "20ms", "--timeout", "200ms"])
        #expect(run.status == 124, "\(run)")
        let lines = try StreamLine.all(run.output)
        let beats = lines.filter { $0.type == "heartbeat" }
        #expect(beats.count >= 2, "\(run.output)")
        #expect(beats.allSatisfy { $0["lag"] == "0" && $0["version"] == "1" })
        #expect(beats.allSatisfy { $0["token"] == lines.first?["token"] && $0["time"] != nil })
        #expect(lines.last?["reason"] == #""timeout""#)
        let idle = harness.run(["observe", file, "Person", "--idle", "30ms", "--heartbeat", "off"])
        #expect(idle.status == 124)
        #expect(try StreamLine.all(idle.output).last?["reason"] == #""idle""#)
    }

    @Test("A signal is reported in the last line and in the status")
    func signals() throws {
        for (signal, reason) in [(2, "interrupted"), (15, "terminated")] as [(Int32, String)] {
            var harness = harness
            harness.signal = signal
            let run = harness.run(["observe", file, "Person"])
            #expect(run.ending == .signal(signal), "\(run)")
            let last = try #require(try StreamLine.all(run.output).last)
            #expect(last.text("reason") == reason)
        }
    }
}
