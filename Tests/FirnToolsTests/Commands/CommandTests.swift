import FirnTesting
import FirnTools
import Testing

@Suite("Commands")
struct CommandTests {
    @Test("create writes its report to standard output and explanations to standard error")
    func create() throws {
        let harness = CommandHarness()
        let csv = harness.folder("people.csv")
        try Fixtures.write("id,zip\n1,00601\n2,10001\n", to: csv)
        let file = harness.folder("people.firn")
        let run = harness.run(["create", file, "--from", csv, "--class", "Person", "--key=id"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors == """
                \(csv): class Person, 2 rows
                  id   Int      whole numbers, key
                  zip  String?  "00601" has a leading zero (line 2)

                """)
        #expect(
            run.output.hasPrefix(
                #"{"v":1,"type":"create","file":"\#(file)","version":1,"classes":[{"name":"Person","properties":2,"objects":2}],"bytes":"#
            ))
        #expect(harness.folder.names == ["people.csv", "people.firn"])
        let again = harness.run(["create", file, "--from", csv])
        #expect(again.status == 73)
        #expect(again.errors.hasPrefix("error: cannot create \(file): it already exists"))
    }

    @Test("create reads standard input and leaves no copy")
    func createFromInput() throws {
        let harness = CommandHarness()
        let file = harness.folder("a.firn")
        let run = harness.run(
            ["create", file, "--from", "-", "--class", "Item", "-q"], input: "a\tb\n1\tx\n2\t\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.isEmpty && run.errors.isEmpty)
        #expect(harness.folder.names == ["a.firn"])
        #expect(
            harness.run(["query", file, "Item"]).output
                == "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":null}\n")
    }

    @Test(
        "A failed create leaves no file",
        arguments: [
            ("id,a\n1,x\n1,y\n", 65 as Int32, "key"),
            ("id,a\n1,x\n,y\n", 65, "without a value for its key"),
            ("id,a\n1\n", 65, "1 field where the header has 2"), ("", 65, "the input is empty"),
        ])
    func createFails(csv: String, status: Int32, message: String) throws {
        let harness = CommandHarness()
        let run = harness.run(
            [
                "create", harness.folder("a.firn"), "--from", "-", "--class", "A", "--key", "id",
                "-q",
            ],
            input: csv)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(harness.folder.names.isEmpty)
    }

    @Test("create --dry-run prints the schema and creates nothing")
    func dryRun() throws {
        let harness = CommandHarness()
        let run = harness.run(
            ["create", harness.folder("a.firn"), "--from", "-", "--class", "A", "--dry-run", "-q"],
            input: "d,n,e\n2013-01-01,1.50,\n")
        #expect(
            run.output == """
                {"v":1,"classes":[{"name":"A","properties":[{"name":"d","type":"Date","optional":true,"dateOnly":true},\
                {"name":"n","type":"Double","optional":true,"decimalPlaces":2},\
                {"name":"e","type":"String","optional":true}]}]}

                """)
        #expect(harness.folder.names.isEmpty)
    }

    @Test("query prints ndjson in a pipe and a table on a terminal")
    func query() throws {
        var harness = CommandHarness()
        let file = try harness.makePeople()
        let words = ["query", file, "Person age > 35 SORT(age DESC)"]
        let piped = harness.run(words)
        #expect(
            piped.output == """
                {"id":11,"name":"Al","age":52,"city":"Oslo"}
                {"id":7,"name":"Bo","age":41,"city":"Oslo"}

                """)
        #expect(piped.errors.isEmpty)
        harness.isTerminal = true
        let shown = harness.run(words)
        #expect(
            shown.output == """
                 id │ name │ age ↓ │ city
                ────┼──────┼───────┼──────
                 11 │ Al   │    52 │ Oslo
                  7 │ Bo   │    41 │ Oslo

                """)
        harness.variables["NO_COLOR"] = "1"
        #expect(harness.run(words).output.hasPrefix(" id │ name │ age │ city\n"))
        #expect(shown.errors.hasPrefix("2 rows · "))
    }

    @Test(
        "The flags of firn query have the effect of query stages",
        arguments: [
            (["Person", "age > 35", "--sort=-age", "-s", "name", "-r"], "Al\nBo\n"),
            (["Person", "--count", "-r"], "3\n"),
            (
                [
                    "Person", "--sort", "age", "--skip", "1", "--limit", "1", "-s", "id", "-f",
                    "csv",
                ], "id\n7\n"
            ),
            (["-c", "Person", "-s", "id", "-f", "csv", "--no-header"], "7\n9\n11\n"),
            (
                ["-c", "Person", "city == \"Rome\"", "-s", "name,age", "-f", "tsv"],
                "name\tage\nCy\t33\n"
            ),
            (["Person", "-s", "name", "-0"], "Bo\0Cy\0Al\0"),
            (
                ["Person age < 35", "-f", "json"],
                "[\n{\"id\":9,\"name\":\"Cy\",\"age\":33,\"city\":\"Rome\"}\n]\n"
            ),
        ])
    func queryFlags(words: [String], expected: String) throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let run = harness.run(["query", file] + words)
        #expect(run.output == expected, "\(run.errors)")
        #expect(run.status == 0)
    }

    @Test(
        "query returns its exit statuses",
        arguments: [
            (["Person age > 90", "-e"], 1), (["Person age > 90"], 0), (["Person", "-1"], 1),
            (["Person id == 7", "-1", "-e"], 0), (["Person nme == 1"], 65), (["Persn"], 66),
            (["Person age >"], 65), (["Person", "--limit=-1"], 64), (["Person", "-r"], 64),
            (["Person", "--nonsense"], 64), ([], 65), (["Person | delete"], 64),
        ] as [([String], Int32)])
    func queryStatus(words: [String], status: Int32) throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let run = harness.run(["query", file] + words)
        #expect(run.status == status, "\(run.errors)")
        #expect(!run.errors.contains("Fatal"))
    }

    @Test("A query is read from a file or from standard input")
    func queryText() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let path = harness.folder("q.txt")
        try Fixtures.write("Person id == 9\n", to: path)
        let expected = "{\"id\":9,\"name\":\"Cy\",\"age\":33,\"city\":\"Rome\"}\n"
        #expect(harness.run(["query", file, "-F", path]).output == expected)
        #expect(harness.run(["query", file], input: "Person id == 9\n").output == expected)
        #expect(harness.run(["query", file, "-"], input: "Person id == 9\n").output == expected)
    }

    @Test("-o writes a complete file or none, and export replaces a file only with --force")
    func outputFile() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let path = harness.folder("out.csv")
        #expect(harness.run(["export", file, path]).status == 0)
        let csv = "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n"
        #expect(String(decoding: try Fixtures.read(path), as: UTF8.self) == csv)
        #expect(harness.run(["export", file, path]).status == 73)
        let forced = harness.run(["export", file, path, "--force", "Person id == 9"])
        #expect(forced.status == 0)
        #expect(
            String(decoding: try Fixtures.read(path), as: UTF8.self)
                == "id,name,age,city\n9,Cy,33,Rome\n")
        let query = harness.run(["query", file, "Person nme == 1", "-o", path])
        #expect(query.status == 65)
        #expect(harness.folder.names == ["out.csv", "people.csv", "people.firn"])
        #expect(
            harness.run(["query", file, "Person", "-o", harness.folder("no/such.csv")]).status == 73
        )
        #expect(harness.run(["query", file, "Person", "-o", harness.folder.path]).status == 73)
        #expect(harness.run(["export", file]).output.hasPrefix("{\"id\":7"))
    }

    @Test("schema, stats and check describe the database")
    func inspection() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        #expect(
            harness.run(["schema", file, "-f", "text"]).output == """
                Person
                  id    Int, key
                  name  String
                  age   Int
                  city  String

                """)
        #expect(harness.run(["schema", file, "Persn"]).status == 66)
        let stats = harness.run(["stats", file]).output
        #expect(
            stats.contains(
                #"{"name":"Person","objects":3,"deleted":0,"rowGroups":1,"properties":[{"name":"id","type":"Int","nulls":0,"raw":24,"#
            ))
        let text = harness.run(["stats", file, "-f", "text"]).output
        #expect(text.contains("Person: 3 objects, 4 properties, 1 row group"))
        let check = harness.run(["check", file, "--deep"])
        #expect(check.status == 0)
        #expect(check.output.contains(#""ok":true,"deep":true"#))
    }

    @Test("check ends with 1 for every kind of damage, and never with a crash")
    func damage() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let whole = try Fixtures.read(file)
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var found = 0
        for round in 0..<40 {
            var bytes = whole
            if round % 4 == 0 {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            } else {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            let path = harness.folder("damaged\(round)")
            try Fixtures.write(bytes, to: path)
            let status = harness.run(["check", path, "--deep", "-q"]).status
            #expect([0, 1, 65, 74].contains(status), "seed \(seed), round \(round)")
            if status == 1 { found += 1 }
            let query = harness.run(["query", path, "Person", "-f", "csv"])
            #expect(
                query.status != 0
                    || query.output
                        == "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n",
                "seed \(seed), round \(round)")
        }
        #expect(found > 0)
    }

    @Test("Common options are accepted before the command")
    func hoisting() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let run = harness.run(["-f", "csv", "--errors=json", "query", file, "Person id == 9"])
        #expect(run.output == "id,name,age,city\n9,Cy,33,Rome\n")
        let failing = harness.run(["--errors", "json", "query", file, "Person nme == 9"])
        #expect(failing.errors.hasPrefix(#"{"v":1,"type":"error","code":"query.unknown-property""#))
    }

    @Test("An invalid command line is a usage error with help")
    func usage() throws {
        let harness = CommandHarness()
        let unknown = harness.run(["qeury", "x"])
        #expect(unknown.status == 64)
        #expect(
            unknown.errors == "error: unknown command \"qeury\"\n  did you mean \"query\"?\n")
        #expect(harness.run([]).output.hasPrefix("firn "))
        #expect(harness.run([]).status == 0)
        #expect(harness.run(["help", "query"]).output.contains("USAGE: firn query FILE"))
        #expect(harness.run(["query", "--help"]).output == harness.run(["help", "query"]).output)
        #expect(harness.run(["help", "nothing"]).status == 64)
        #expect(harness.run(["--frobnicate"]).status == 64)
        #expect(harness.run(["query"]).status == 64)
        #expect(harness.run(["query", harness.folder("none.firn"), "A"]).status == 66)
        // A folder is an input, and this one is empty.
        #expect(harness.run(["query", harness.folder.path, "A"]).status == 66)
        #expect(
            harness.run(["create", harness.folder("b"), "--from", "-", "--type", "a=Nope"]).status
                == 64)
    }

    @Test("The version is printed with the file formats that this build reads and writes")
    func version() {
        let harness = CommandHarness()
        let wanted = "firn \(FirnCommand.version)\nfile format: reads 1 to 2, writes 2\n"
        for words in [["--version"], ["query", "--version"], ["completions", "--version"]] {
            let run = harness.run(words)
            #expect(run.output == wanted, "\(words)")
            #expect(run.status == 0)
        }
    }

    @Test("The values of an option are listed in one line")
    func optionValues() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let run = harness.run(["query", file, "Person", "-f", "xml"])
        #expect(run.status == 64)
        #expect(run.errors.contains("following: auto, table, box, line, csv,"), "\(run.errors)")
        #expect(!run.errors.contains("\\n"))
    }
}
