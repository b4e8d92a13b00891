import FirnTesting
import FirnTools
import Testing

@Suite("Versions named by their time")
struct VersionTimeTests {
    private let harness = CommandHarness()

    private func count(_ file: String, at version: String) -> CommandHarness.Run {
        harness.run(["query", file, "Person", "--count", "-r", "--at", version])
    }

    /// Returns the times of the versions, the newest first.
    private func times(_ file: String) throws -> [String] {
        let log = harness.run(["log", file, "-f", "ndjson"])
        return try log.output.split(separator: "\n").map { line in
            let start = try #require(line.firstRange(of: "\"time\":\"")).upperBound
            return String(line[start...].prefix { $0 != "\"" })
        }
    }

    @Test("A time names the newest version that was committed by then")
    func time() throws {
        let file = try harness.makePeople()
        for id in 20...21 {
            let record = "{\"id\":\(id),\"name\":\"X\",\"age\":1,\"city\":\"Y\"}"
            #expect(harness.run(["write", file, "-", "-q"], input: record).status == 0)
        }
        let times = try times(file)
        // The three commits may share a second, which the log shows; all of it counts.
        try #require(times.count == 3)
        #expect(count(file, at: times[0]).output == "5\n")
        let old = times[2].dropLast() + ".000000001Z"
        let run = count(file, at: String(old))
        #expect(run.status == 69 || run.output == "3\n", "\(run.errors)")
        #expect(count(file, at: "head").output == "5\n")
        #expect(count(file, at: "@-0s").output == "5\n")
        #expect(count(file, at: "9999-01-01").output == "5\n")
    }

    @Test("A time before the oldest readable version is an error that lists the readable versions")
    func early() throws {
        let file = try harness.makePeople()
        for version in ["1999-12-31T23:59", "@-52w"] {
            let run = count(file, at: version)
            #expect(run.status == 69, "\(run.errors)")
            #expect(run.errors.contains("only version 1 can be read"), "\(run.errors)")
        }
        #expect(count(file, at: "@-9").errors.contains("goes back further than the first version"))
        #expect(count(file, at: "@-1x").status == 64)
    }

    @Test("A name that looks like a time prefers a freeze, and no freeze can be called head")
    func freeze() throws {
        let file = try harness.makePeople()
        #expect(harness.run(["freeze", file, "2099-01-01", "-q"]).status == 0)
        let record = "{\"id\":20,\"name\":\"X\",\"age\":1,\"city\":\"Y\"}"
        #expect(harness.run(["write", file, "-", "-q"], input: record).status == 0)
        #expect(count(file, at: "2099-01-01").output == "3\n")
        #expect(count(file, at: "2099-01-02").output == "4\n")
        let head = harness.run(["freeze", file, "head"])
        #expect(head.status == 65, "\(head.errors)")
        #expect(head.errors.contains("head is the name of the newest version"), "\(head.errors)")
    }
}
