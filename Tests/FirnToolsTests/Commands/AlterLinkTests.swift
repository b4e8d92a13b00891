import FirnTesting
import FirnTools
import Testing

/// Links that are made after an import, by `alter` and by statements.
@Suite("Links between imported classes")
struct AlterLinkTests {
    private let harness = CommandHarness()

    /// Flights without links, planes with a key, and weather by two columns.
    private func makeFlights() throws -> String {
        let file = harness.folder("flights.firn")
        let input = """
            {"$class":"Flight","n":1,"tail":"A","origin":"JFK","hour":5}
            {"$class":"Flight","n":2,"tail":"B","origin":"JFK","hour":6}
            {"$class":"Flight","n":3,"tail":null,"origin":"LGA","hour":null}
            {"$class":"Flight","n":4,"tail":"Q","origin":"LGA","hour":5}
            {"$class":"Plane","tail":"A","seats":10}
            {"$class":"Plane","tail":"B","seats":20}
            {"$class":"Weather","origin":"JFK","hour":5,"wind":1.5}
            {"$class":"Weather","origin":"LGA","hour":5,"wind":2.5}
            {"$class":"Weather","origin":"LGA","hour":6,"wind":3.5}
            """
        let run = harness.run(
            ["create", file, "--from", "-", "--key", "Plane.tail", "-q"], input: input)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    private func rows(_ file: String, _ query: String) -> String {
        harness.run(["query", file, query, "-f", "csv"]).output
    }

    @Test("alter links objects by one property, and reports the values without an object")
    func one() throws {
        let file = try makeFlights()
        let run = harness.run(["alter", file, "link Flight.plane = tail:Plane.tail"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "plane: 2 linked, 1 with a tail that no Plane has\n")
        #expect(
            run.output.contains(
                #""links":[{"class":"Flight","property":"plane","linked":2,"unmatched":1}]"#),
            "\(run.output)")
        #expect(
            rows(file, "Flight | select(n, plane.seats)") == "n,plane.seats\n1,10\n2,20\n3,\n4,\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test(
        "alter links objects by several properties, in one word or in many",
        arguments: [
            ["link Flight.weather = (origin, hour):Weather.(origin, hour)"],
            ["link", "Flight.weather=(origin,hour):Weather.(origin,hour)"],
            [
                "link", "Flight.weather", "=", "(origin,", "hour)", ":", "Weather.(origin,",
                #""hour")"#,
            ],
        ])
    func several(words: [String]) throws {
        let file = try makeFlights()
        let run = harness.run(
            ["alter", file] + words + ["rename Flight.weather sky", "-f", "text"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors == "weather: 2 linked, 1 with (origin, hour) that no Weather has\n")
        #expect(run.output.contains(": 2 changes, version 2"), "\(run.output)")
        #expect(
            rows(file, "Flight | select(n, sky.wind)") == "n,sky.wind\n1,1.5\n2,\n3,\n4,2.5\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("create and write link by several properties like alter")
    func options() throws {
        let file = harness.folder("sky.firn")
        let input = """
            {"$class":"F","n":1,"a":"x","b":1}
            {"$class":"F","n":2,"a":"x","b":2}
            {"$class":"W","a":"x","b":2}
            """
        let link = "w=(a,b):W.(a,b)"
        let run = harness.run(
            ["create", file, "--from", "-", "--link", "F.\(link)"], input: input)
        #expect(run.errors.contains("w: 1 linked, 1 with (a, b) that no W has\n"), "\(run.errors)")
        let more = harness.run(
            ["write", file, "-", "-c", "F", "--link", "F.\(link)"],
            input: #"{"n":3,"a":"x","b":2}"#)
        #expect(more.status == 0 && more.errors.isEmpty, "\(more.errors)")
        #expect(rows(file, "F w != nil | select(n)") == "n\n2\n3\n")
    }

    @Test(
        "A few records are linked through an index with the same result as by a scan",
        arguments: ["", "index W(b, a, c)", "unique W(a, b)"])
    func indexed(change: String) throws {
        let file = harness.folder("sky.firn")
        let targets = (0..<200).map { #"{"$class":"W","a":"x\#($0 / 10)","b":\#($0 % 10),"c":1}"# }
        let input = #"{"$class":"F","n":0,"a":"x3","b":1}"# + "\n" + targets.joined(separator: "\n")
        let link = ["--link", "F.w=(a,b):W.(a,b)"]
        #expect(harness.run(["create", file, "--from", "-"] + link, input: input).status == 0)
        if !change.isEmpty { #expect(harness.run(["alter", file, change, "-q"]).status == 0) }
        let more = harness.run(
            ["write", file, "-", "-c", "F"] + link,
            input: """
                {"n":1,"a":"x7","b":2}
                {"n":2,"a":"x77","b":2}
                {"n":3,"a":null,"b":2}
                """)
        #expect(more.status == 0, "\(more.errors)")
        #expect(more.errors == "w: 1 linked, 1 with (a, b) that no W has\n")
        #expect(
            rows(file, "F | select(n, w.a, w.b)")
                == "n,w.a,w.b\n0,x3,1\n1,x7,2\n2,,\n3,,\n")
        guard !change.hasPrefix("unique") else { return }
        let twice = harness.run(
            ["write", file, "-", "-c", "W", "-q"], input: #"{"a":"x7","b":2,"c":5}"#)
        #expect(twice.status == 0, "\(twice.errors)")
        let ambiguous = harness.run(
            ["write", file, "-", "-c", "F"] + link, input: #"{"n":4,"a":"x7","b":2}"#)
        #expect(ambiguous.status != 0)
        #expect(
            ambiguous.errors.contains("several objects of W have a \"x7\" and b 2"),
            "\(ambiguous.errors)")
        #expect(
            ambiguous.errors.contains("the first two have @id 72 and 200"), "\(ambiguous.errors)")
    }

    @Test("A link is the same after a dry run and after a repeated run")
    func dryRun() throws {
        let file = try makeFlights()
        let words = ["alter", file, "link Flight.plane = tail:Plane.tail"]
        #expect(harness.run(words + ["--dry-run", "-q"]).status == 0)
        #expect(harness.run(["schema", file, "-f", "text"]).output.contains("plane ") == false)
        #expect(harness.run(words + ["-q"]).status == 0)
        // The property exists now, and is filled again.
        #expect(harness.run(words + ["-q"]).status == 0)
        #expect(rows(file, "Flight plane.seats > 10 | select(n)") == "n\n2\n")
    }

    @Test(
        "Invalid links are refused, and nothing changes",
        arguments: [
            (
                "link Flight.plane", 64 as Int32,
                "is not of the form CLASS.PROP = FIELD:CLASS.TARGET"
            ),
            ("link", 64, "CLASS.PROP is missing"),
            ("link plane = tail:Plane.tail", 64, "is not of the form"),
            ("link Flight.w = (origin, hour:Weather.origin", 64, "is not of the form"),
            ("link Flight.w = (origin, hour):Weather.origin", 64, "2 properties cannot equal 1"),
            ("link Flight.p = tial:Plane.tail", 65, #""suggest":["tail"]"#),
            ("link Flight.p = tail:Plan.tail", 66, #""suggest":["Plane"]"#),
            ("link Flight.p = n:Plane.tail", 65, "Flight.n is Int? and Plane.tail is String"),
            ("link Flight.tail = tail:Plane.tail", 65, "Flight.tail is already String?"),
            (
                "link Flight.w = origin:Weather.origin", 65,
                #"several objects of Weather have origin \"LGA\""#
            ),
        ])
    func wrong(change: String, status: Int32, text: String) throws {
        let file = try makeFlights()
        let run = harness.run(["alter", file, change, "--errors", "json"])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(harness.run(["log", file]).output.split(separator: "\n").count == 1)
    }

    @Test("An interrupted link leaves the file unchanged")
    func interruption() throws {
        let file = harness.folder("big.firn")
        var input = "tail\n"
        for index in 0..<3_000 { input += "T\(index)\n" }
        try #require(
            harness.run(["create", file, "--from", "-", "--class", "P", "-q"], input: input).status
                == 0)
        var interrupted = harness
        // The checks before the first object come first.
        (interrupted.signal, interrupted.signalDelay) = (2, 4)
        let run = interrupted.run(["alter", file, "link P.own = tail:P.tail"])
        #expect(run.errors.contains("big.firn is unchanged"), "\(run.errors)")
        #expect(harness.run(["schema", file, "-f", "text"]).output.contains("own") == false)
    }

    @Test("A statement sets links by a computed key, and sets nil if no object has the key")
    func computedKeys() throws {
        let file = try makeFlights()
        #expect(harness.run(["alter", file, "add Flight.plane Plane", "-q"]).status == 0)
        let run = harness.run(
            ["write", file, "-x", #"Flight | set plane = obj("Plane", tail)"#])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""updated":2"#), "\(run.output)")
        #expect(
            rows(file, "Flight | select(n, plane.seats)") == "n,plane.seats\n1,10\n2,20\n3,\n4,\n")
        let swapped = harness.run([
            "write", file, "-x",
            #"Flight plane != nil | set plane = obj("Plane", if(tail == "A", "B", upper("none")))"#,
        ])
        #expect(swapped.status == 0, "\(swapped.errors)")
        #expect(rows(file, "Flight plane != nil | select(n, plane.tail)") == "n,plane.tail\n1,B\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }
}
