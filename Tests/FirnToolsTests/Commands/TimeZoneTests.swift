import FirnTesting
import FirnTools
import Testing

/// The time zone of a command, for functions of dates that name none.
@Suite("--timezone")
struct TimeZoneTests {
    private let harness = CommandHarness()

    private func makeEvents() throws -> String {
        let file = harness.folder("events.firn")
        let run = harness.run(
            ["create", file, "--from", "Event=-", "-q"],
            input: "{\"n\":1,\"at\":\"2013-03-09T04:30:00Z\"}\n")
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test("query, export and write compute dates in the given zone, or in UTC without one")
    func zones() throws {
        let file = try makeEvents()
        let query = "Event | select(d = day(at), h = format(at, 'HH:mm'))"
        func rows(_ words: [String]) -> String {
            let run = harness.run(words)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        #expect(rows(["query", file, query, "-f", "csv"]) == "d,h\n9,04:30\n")
        #expect(
            rows(["query", file, query, "-f", "csv", "--timezone", "America/New_York"])
                == "d,h\n8,23:30\n")
        #expect(
            rows(["query", file, "Event day(at) == 8 | count", "-r", "--timezone", "-05:00"])
                == "1\n")
        #expect(
            rows([
                "export", file, "-", "Event day(at) == 9", "-f", "csv", "--timezone",
                "America/New_York", "-q",
            ]) == "n,at\n")
        _ = rows([
            "write", file, "-x", "Event day(at) == 8 | set n = hour(at)", "--timezone",
            "America/New_York", "-q",
        ])
        #expect(rows(["query", file, "Event", "-s", "n", "-r"]) == "23\n")
    }

    @Test("An unknown zone is an error with a similar name")
    func unknown() throws {
        let run = harness.run(["query", try makeEvents(), "Event", "--timezone", "Europe/Olso"])
        #expect(run.status == 64)
        #expect(
            run.errors.contains("no time zone \"Europe/Olso\"; did you mean Europe/Oslo?"),
            "\(run.errors)")
    }
}
