import FirnTesting
import FirnTools
import Testing

@testable import FirnShell

@Suite struct ResultTests {
    let harness = ShellHarness()

    @Test func `A result is refined, and the refinement is undone`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            Person SORT(id) | select(id)
            Person SORT(id)

            | city == 'Oslo'

            | age > 45
            _ | count
            .back
            .back
            .chain
            """, on: file)
        let people = [
            "{\"id\":7,\"name\":\"Bo\",\"age\":41,\"city\":\"Oslo\"}",
            "{\"id\":9,\"name\":\"Cy\",\"age\":33,\"city\":\"Rome\"}",
            "{\"id\":11,\"name\":\"Al\",\"age\":52,\"city\":\"Oslo\"}",
        ]
        let expected =
            ["{\"id\":7}", "{\"id\":9}", "{\"id\":11}"] + people + [people[0], people[2]]
            + [people[2], "{\"count\":1}", people[2], people[0], people[2]]
            + ["{\"depth\":1,\"query\":\"Person SORT(id)\"}"]
            + ["{\"depth\":2,\"query\":\"city == 'Oslo'\"}"]
        #expect(run.output.split(separator: "\n").map(String.init) == expected)
        #expect(run.status == 0)
    }

    @Test func `Showing a result again reruns its query`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            Person age > 40 | select(name)
            .save old
            Person name == 'Bo' | delete
            .last
            :old | count
            Person | save all
            :all WHERE age < 40 | select(name)
            .results
            """, on: file)
        #expect(
            run.output == """
                {"name":"Bo"}
                {"name":"Al"}
                {"name":"Al"}
                {"count":1}
                {"name":"Cy"}
                {"name":"all","query":"Person"}
                {"name":"old","query":"Person age > 40 | select(name)"}

                """)
    }

    @Test func `A missing result is an error`() throws {
        let file = try harness.makePeople()
        for line in [".back", ".chain", ".last", ".more", ".code", ".save a", "| count", "_"] {
            let run = harness.run(line, on: file)
            #expect(run.errors.hasPrefix("error: there is no "), "\(line)")
            #expect(run.status == 64, "\(line)")
        }
        let run = harness.run("Person | save people\n:poeple", on: file)
        #expect(run.errors.contains("error: no result is saved as \"poeple\"\n"))
        #expect(run.errors.contains("did you mean \"people\"?"))
    }

    @Test func `A result is printed as code for other programs`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            Person age > 30 SORT(name DESC) LIMIT(2)
            .mode table
            .code
            .code rql
            .code shell
            .code swift
            """, on: file)
        let lines = run.output.split(separator: "\n").dropFirst(2).map(String.init)
        #expect(
            lines == [
                "Person | age > 30 | SORT(name DESC) | LIMIT(2)",
                "Person | age > 30 | SORT(name DESC) | LIMIT(2)",
                "firn query \(file) 'Person | age > 30 | SORT(name DESC) | LIMIT(2)'",
                "realm.objects(Person.self)",
                "    .filter(\"age > 30\")",
                "    .sorted(by: [SortDescriptor(keyPath: \"name\", ascending: false)])",
                "    .prefix(2)",
            ])
        let none = harness.run("Person | group(city; @count)\n.code swift", on: file)
        #expect(none.errors.contains("no call for \"group(city; city, @count)\""))
    }

    @Test func `A result is written in another format, to a file or to a command`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("out.csv")
        let run = harness.run(
            """
            Person SORT(id) | select(id) | to csv
            .once '\(path)'
            Person SORT(id) | select(id)
            Person SORT(id) | select(id) | ! cat > '\(harness.folder("lines"))'
            .output '\(harness.folder("all.ndjson"))'
            Person | count
            Person name == 'Bo' | count
            .output -
            Person | count
            """, on: file)
        #expect(run.output == "id\n7\n9\n11\n{\"count\":3}\n")
        #expect(run.errors == "")
        #expect(try harness.read(path) == "id\n7\n9\n11\n")
        #expect(
            try harness.read(harness.folder("lines")) == "{\"id\":7}\n{\"id\":9}\n{\"id\":11}\n")
        #expect(try harness.read(harness.folder("all.ndjson")) == "{\"count\":3}\n{\"count\":1}\n")
    }

    @Test func `Results go back to the screen if output has no argument`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("all.csv")
        let run = harness.run(
            ".output '\(path)'\nPerson | count\n.output\nPerson | count\n", on: file)
        #expect(run.output == "{\"count\":3}\n")
        #expect(run.errors == "")
        #expect(try harness.read(path) == "count\n3\n")
    }

    @Test func `An output name with an unknown format is refused`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("out.cvs")
        for command in [".once", ".output"] {
            let run = harness.run("\(command) '\(path)'", on: file)
            #expect(run.errors.contains("unknown format cvs"), "\(run.errors)")
            #expect(run.errors.contains("did you mean \"csv\"?"), "\(run.errors)")
            #expect(run.status == 64)
            let text = harness.run("\(command) '\(harness.folder("a.txt"))'", on: file)
            #expect(text.errors.contains("choose one with .mode: table, box"), "\(text.errors)")
        }
        #expect(!harness.folder.names.contains { $0.hasPrefix("out") })
        let chosen = harness.run(".mode csv\n.once '\(path)'\nPerson | count\n", on: file)
        #expect(chosen.errors == "")
        #expect(try harness.read(path) == "count\n3\n")
    }

    @Test func `A format that differs from the file name is reported once`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("out.csv")
        let run = harness.run(
            ".mode json\n.output '\(path)'\nPerson | count\nPerson | count\n", on: file)
        #expect(
            run.errors
                == "\(path) is written as json because of .mode; "
                + ".mode auto goes by the file name\n")
    }

    @Test func `An output that cannot be created leaves the previous output in use`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("all.csv")
        let run = harness.talk(
            ".output '\(path)'", ".output '\(harness.folder("none/x.csv"))'", "Person | count",
            ".output", "Person | count", on: file)
        #expect(run.errors.contains("no such folder"), "\(run.errors)")
        #expect(run.output == "{\"count\":3}\n")
        #expect(try harness.read(path) == "count\n3\n")
    }

    @Test func `A command that closes its input ends only the result`() throws {
        let file = try harness.makePeople()
        let run = harness.run("Person | ! true\nPerson | ! exit 3\nPerson | count", on: file)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("error: the command exited with status 3\n"))
        #expect(run.status == 74)
    }

    @Test func `A table shows one page of rows, and then the next page`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            ".mode table\n.rows 2\nPerson SORT(id) | select(id)\n.more\n.more\n", on: file)
        let next = harness.run(
            ".mode table\n.rows 1\nPerson SORT(id) | select(id)\n.more\n.more\n", on: file)
        #expect(
            next.errors
                == "only the first row; .more shows the next\nrow 2; .more shows the next\n")
        #expect(
            run.output.split(separator: "\n").map { $0.filter { $0 != " " } } == [
                "id", "────", "7", "9", "id", "────", "11",
            ])
        #expect(
            run.errors
                == "only the first 2 rows; .more shows the next\nthere are no more rows\n")
    }

    @Test func `The row count in the cost includes only the displayed rows`() throws {
        var harness = harness
        harness.isTerminal = true
        let file = try harness.makePeople()
        let run = harness.talk(".rows 2", "Person SORT(id)", "Person | count", on: file)
        #expect(
            run.errors.contains("only the first 2 rows; .more shows the next\n2 rows · "),
            "\(run.errors)")
        #expect(!run.errors.contains("3 rows"))
    }

    @Test func `Tables are coloured on request`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            .mode table
            Person LIMIT(1) | select(none = nil)
            .color always
            Person LIMIT(1) | select(none = nil)
            .color sometimes
            """, on: file)
        #expect(run.output.components(of: "\u{1b}[") > 0, "\(run.output)")
        #expect(run.output.split(separator: "\u{1b}", maxSplits: 1)[0].contains("null"))
        #expect(run.errors.contains("expected auto, always, never"), "\(run.errors)")
    }

    @Test func `On a terminal the row count and the time are printed below the result`() throws {
        var harness = harness
        harness.isTerminal = true
        let file = try harness.makePeople()
        let run = harness.talk("Person | count", ".timer off", "Person | count", on: file)
        #expect(
            run.errors.hasPrefix(
                "firn \(FirnCommand.version) · \(file) · v1 · 1 class, 3 objects · "))
        #expect(run.errors.contains("\n.help for help, Tab to complete\n1 row · "))
        #expect(run.errors.components(of: "1 row · ") == 1)
        #expect(run.output.contains(" count"))
    }

    @Test func `Plans can be shown instead of rows`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".explain on\nPerson age > 3\n.explain off\nPerson | count", on: file)
        #expect(run.output.contains("age > 3"))
        #expect(run.output.hasSuffix("{\"count\":3}\n"))
    }

    @Test func `A plan is shown in full, and its lines do not count as rows`() throws {
        var harness = harness
        harness.isTerminal = true
        let file = try harness.makePeople()
        let long = (1...12).map { "name == 'nobody \($0)'" }.joined(separator: " OR ")
        let run = harness.talk(
            ".rows 2", ".explain on", "Person \(long)", ".explain off", "Person \(long) | explain",
            on: file)
        #expect(!run.output.contains("…"), "\(run.output)")
        #expect(run.output.components(of: "nobody 12") == 2, "\(run.output)")
        #expect(run.output.components(of: "observed: ") == 2, "\(run.output)")
        #expect(!run.errors.contains("rows · ") && !run.errors.contains(".more"), "\(run.errors)")
    }

    @Test func `Rows that are too wide for a table print a hint`() throws {
        var harness = harness
        harness.isTerminal = true
        let file = try harness.makePeople()
        let run = harness.talk(
            ".width 12", ".mode box", "Person", "Person age > 100", on: file)
        #expect(run.errors.components(of: "too wide for a table: choose columns") == 1)
        #expect(run.output.contains("name │ Bo"), "\(run.output)")
    }

    @Test func `Columns that do not fit are counted, and key columns and sort columns are kept`()
        throws
    {
        var harness = harness
        harness.isTerminal = true
        let file = try harness.makePeople()
        let run = harness.talk(
            ".width 22", "Person SORT(city)", ".timer off", "Person", "Person | select(name, city)",
            on: file)
        #expect(run.output.hasPrefix(" id │ city ↑ │ name\n"), "\(run.output)")
        #expect(run.output.contains("\n id │ name │ age\n"), "\(run.output)")
        #expect(run.errors.contains("3 rows · 3 of 4 columns · "), "\(run.errors)")
        #expect(run.errors.hasSuffix("\n3 of 4 columns\n"), "\(run.errors)")
        #expect(run.errors.components(of: "some columns do not fit") == 1)
    }
}
