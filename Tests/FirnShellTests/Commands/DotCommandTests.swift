import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import Testing

@testable import FirnShell

@Suite struct DotCommandTests {
    let harness = ShellHarness()

    @Test(arguments: DotCommandName.allCases)
    func `Every command has help`(_ name: DotCommandName) {
        let run = harness.run(".\(name) --help\n.help \(name)\n.help .\(name)")
        let line = "\(name.synopsis)\n  \(name.summary)\n"
        #expect(run.output == line + line + line)
        #expect(harness.run(".help").output.contains(name.synopsis))
    }

    @Test func `A combining accent after a quote or a space is part of the word`() {
        // Swift joins the accent with the sign before it, which then was neither.
        let words = DotCommandWords(".save '\u{301}a b' \"c\"\u{301} \\ \u{301}d")
        #expect(words.name == "save")
        #expect(words.words == ["\u{301}a b", "c\u{301}", " \u{301}d"])
        #expect(words.rest(after: 1) == "\"c\"\u{301} \\ \u{301}d")
    }

    @Test func `An unknown command suggests the most similar one`() {
        #expect(harness.run(".clases").errors.contains("did you mean .classes"))
        let talk = harness.talk(".s", ".qqqqq", ".versio")
        #expect(talk.errors.contains("error: unknown command \".s\"\n"))
        #expect(talk.errors.contains("did you mean .show, .schema, .save?"))
        #expect(talk.errors.contains("error: unknown command \".qqqqq\"\n  see: .help\n"))
        #expect(talk.output.hasPrefix("firn "))
    }

    @Test func `A command from another shell gets a hint with the command of this shell`() throws {
        let file = try harness.makePeople()
        for (typed, command) in [
            ("help", ".help"), ("exit", ".quit"), ("QUIT;", ".quit"), ("\\q", ".quit"),
            ("?", ".help"), ("show tables", ".classes"), ("rollback", ".cancel"),
        ] {
            for file in [file, nil] {
                let run = harness.talk(typed, "Person | count", on: file)
                #expect(
                    run.errors.contains(
                        "error: shell commands begin with a dot: \(command)\n"),
                    "\(typed): \(run.errors)")
                #expect(run.errors.contains("Ctrl-D") == (command == ".quit"))
                #expect(run.output == (file == nil ? "" : "{\"count\":3}\n"))
            }
        }
        #expect(harness.talk(".exit").errors.contains("did you mean .quit?"))
        #expect(harness.talk(".tables").errors.contains("did you mean .classes?"))
        #expect(harness.run("exit\nPerson", on: file).status == 65)
    }

    @Test func `A class may have the name of a command`() throws {
        let csv = harness.folder("exit.csv")
        try harness.write("exit,n\ntrue,1\nfalse,2\n", to: csv)
        let file = harness.folder("exit.firn")
        let made = FirnCommand.run(
            ["create", file, "--from", csv, "--class", "exit", "-q"],
            in: CommandEnvironment(
                services: .real, input: MemorySource([]), output: MemorySink(), errors: MemorySink()
            ))
        try #require(made == .status(.ok))
        #expect(harness.run("exit | count", on: file).output == "{\"count\":2}\n")
        #expect(harness.run("exit", on: file).output.split(separator: "\n").count == 2)
        #expect(harness.run(".use exit\nexit\n", on: file).errors.isEmpty)
    }

    @Test func `Unexpected arguments of a command are refused with its usage`() throws {
        let file = try harness.makePeople()
        let wrong = [
            ".mode nonsense", ".mode csv tsv", ".width x", ".rows -1", ".timer maybe",
            ".begin now", ".save 9", ".code c", ".set", ".set 1 2", ".unset", ".unset none",
            ".log 0", ".stop 4", ".at ''", ".output a b", ".insert Person", ".insert",
            ".describe", ".read", ".write", ".export", ".shell", ".cd", ".profile", ".capture a",
            ".freeze", ".observe", ".open", ".stats now", ".quit a", ".color red",
            ".history delete", ".history delete x", ".history delete 3", ".edit",
        ]
        for line in wrong {
            let run = harness.run(line, on: file)
            #expect(run.errors.hasPrefix("error: "), "\(line)")
            #expect(run.status == 64, "\(line)")
            #expect(run.output == "", "\(line)")
        }
    }

    @Test func `Classes and their properties are listed`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            ".classes\n.classes PER\n.classes none\n.use Person\nage > 40 | count\n.schema Person",
            on: file)
        let line = "{\"name\":\"Person\",\"objects\":3,\"properties\":4,\"key\":\"id\"}\n"
        #expect(run.output.hasPrefix(line + line + "{\"count\":2}\n{\"v\":1,\"classes\":[{"))
        #expect(run.errors == "there is no such class\n")
        let text = harness.run(".mode table\n.classes\n.schema", on: file).output
        #expect(text.contains("  class   objects  properties  key\n"))
        #expect(text.contains("Person\n  id    Int, key\n"))
        let unknown = harness.run(".use Persn", on: file)
        #expect(unknown.errors.contains("did you mean \"Person\"?"))
        #expect(unknown.status == 66)
    }

    @Test func `A class is described by its values`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".describe Person", on: file)
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                #"{"property":"id","type":"Int","distinct":3,"min":"7","max":"11"}"#,
                #"{"property":"name","type":"String","distinct":3,"min":"Al","max":"Cy"}"#,
                #"{"property":"age","type":"Int","distinct":3,"min":"33","max":"52"}"#,
                #"{"property":"city","type":"String","distinct":2,"min":"Oslo","max":"Rome"}"#,
            ])
    }

    @Test func `Variables are replaced by their values`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            .set min 40
            .set town Oslo
            .set $who "Al"
            Person age > $min AND city == $town | count
            Person name == $who | select(id)
            .capture id Person name == 'Cy' | select(id)
            Person id == $id | select(name)
            .vars
            .unset min
            Person age > $min
            """, on: file)
        #expect(
            run.output == """
                {"count":2}
                {"id":11}
                {"name":"Cy"}
                {"name":"id","value":"9"}
                {"name":"min","value":"40"}
                {"name":"town","value":"\\"Oslo\\""}
                {"name":"who","value":"\\"Al\\""}

                """)
        #expect(run.errors.hasPrefix("$id is 9\nerror: "))
        #expect(run.status == 65)
    }

    @Test func `Settings are shown`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".mode csv\n.null -\n.width 40\n.rows 5\n.mode json\n.show", on: file)
        #expect(
            run.output.contains(
                "\"mode\":\"json\",\"null\":\"-\",\"width\":\"40\",\"color\":\"auto\",\"rows\":\"5\""
            ))
        #expect(run.output.contains("\"database\":\"\(file)\""))
    }

    @Test func `A setting without an argument shows its value`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            .mode
            .rows 3
            .rows
            .width
            .color
            .null
            .null ''
            .null
            .pager
            .use
            .use Person
            .use
            .at
            .at @-0
            .at
            .once
            .once x.csv
            .once
            """, on: file)
        #expect(
            run.errors == """
                mode auto
                rows 3
                width auto
                color auto
                null format default
                null\(" ")
                pager off
                class none
                class Person
                version head
                version 1
                once none
                once x.csv

                """)
        #expect(run.output == "")
        #expect(run.status == 0)
    }

    @Test func `A switch without an argument shows its state`() throws {
        let run = harness.run(".timer\n.timer\n.explain\n.explain\n.timer on\n")
        #expect(run.errors == "timer on\ntimer off\nexplain on\nexplain off\n")
    }

    @Test func `All topics of firn help are also topics of the shell`() {
        let overview = harness.run(".help").output
        for topic in ShellHelp.topics {
            let run = harness.run(".help \(topic)")
            #expect(run.status == 0 && run.output.count > 100, "\(topic): \(run.errors)")
            #expect(overview.contains(topic), "\(topic)")
        }
        #expect(ShellHelp.topics.contains("exit-codes"))
    }

    @Test func `Files are read, written and exported`() throws {
        let file = try harness.makePeople()
        let more = harness.folder("more.csv")
        try harness.write("id,name,age,city\n1,Di,20,Rome\n2,Ed,30,Oslo\n", to: more)
        let statements = harness.folder("statements")
        try harness.write("Person | count\nPerson age < 25 | delete\n", to: statements)
        let out = harness.folder("out.ndjson")
        let run = harness.run(
            """
            .write -c Person '\(more)'
            .read '\(statements)'
            .export '\(out)' Person SORT(id) | select(id)
            Person | count
            """, on: file)
        #expect(run.output.hasPrefix("{\"count\":5}\n"))
        #expect(run.output.hasSuffix("{\"count\":4}\n"))
        #expect(run.errors == "2 inserted · committed as v2\n1 object deleted · committed as v3\n")
        #expect(
            try harness.read(out).hasSuffix("{\"id\":2}\n{\"id\":7}\n{\"id\":9}\n{\"id\":11}\n"))
        try harness.write("Person\nPerson nme\n", to: statements)
        let wrong = harness.run(".read '\(statements)'", on: file)
        #expect(
            wrong.errors.contains("  in line 2 of \(statements)\n  in line 1 of standard input\n"))
        #expect(wrong.status == 65)
    }

    @Test func `A file that reads itself is an error`() throws {
        let path = harness.folder("loop")
        try harness.write(".read '\(path)'\n", to: path)
        let run = harness.run(".read '\(path)'")
        #expect(run.errors.hasPrefix("error: files are nested more than 16 levels deep\n"))
        #expect(run.status == 65)
    }

    @Test func `A file of statements cannot leave a transaction open`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("statements")
        try harness.write(".begin\nPerson | delete\n", to: path)
        let run = harness.talk(".read '\(path)'", "Person | count", on: file)
        #expect(run.errors.contains("\(path) ended inside a transaction: 3 changes rolled back\n"))
        #expect(run.output == "{\"count\":3}\n")
    }

    @Test func `Versions are listed and frozen`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            "Person name == 'Bo' | delete\n.freeze now\n.freezes\n.log 2\n", on: file)
        #expect(run.output.contains("\"name\":\"now\",\"version\":2"))
        #expect(run.output.contains("\"version\":3"))
        #expect(run.status == 0)
    }

    @Test func `Reports of the engine are printed`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".stats\n.check\n.sessions\n.profile Person age > 3", on: file)
        #expect(run.output.contains("\"type\":\"stats\""))
        #expect(run.output.contains("\"type\":\"check\""))
        #expect(run.output.contains("\"sessions\":["))
        #expect(run.output.contains("{\"runs\":20,\"rows\":3,\"min_us\":"))
        #expect(run.output.contains(",\"uncached_us\":"))
        #expect(run.errors == "")
    }

    @Test func `Opening another database replaces the first`() throws {
        let first = try harness.makePeople()
        let second = try harness.makePeople("other")
        let run = harness.run(
            "Person | delete\n.open '\(second)'\nPerson | count\n.close\nPerson", on: first)
        #expect(run.output == "{\"count\":3}\n")
        #expect(run.errors.contains("error: no database is open\n"))
        let missing = harness.talk(
            ".open '\(harness.folder("none"))'", "Person | count", on: first)
        #expect(missing.output == "{\"count\":0}\n")
    }

    @Test func `Observers report the commits of other processes`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            ".observe Person age > 40\nPerson age > 50 | observe\n.observers\n.stop 1\n.observers\n"
                + ".stop\n.observers", on: file)
        #expect(
            run.output == """
                {"number":1,"query":"Person age > 40"}
                {"number":2,"query":"Person age > 50"}
                {"number":2,"query":"Person age > 50"}

                """)
        #expect(
            run.errors
                == "observer 1 has started; stop it with .stop 1\n"
                + "observer 2 has started; stop it with .stop 2\n"
                + "there are no observers\n")
        #expect(harness.run(".observe Person agee > 1", on: file).status == 65)
    }

    @Test(.tags(.security))
    func `Commands that reach beyond the database are refused under --safe`() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.invocation.isSafe = true
        let reaching = [
            ".shell true", ".cd /", ".open a", ".read a", ".write a", ".export a", ".once a",
            ".output a", ".pager less", "Person | ! true",
        ]
        for line in reaching {
            let run = harness.run(line, on: file)
            #expect(run.errors.hasPrefix("error: --safe does not allow "), "\(line)")
            #expect(run.status == 77, "\(line)")
        }
        let change = harness.run("Person | delete", on: file)
        #expect(change.errors.hasPrefix("error: the database is open read-only\n"))
        #expect(harness.run("Person | count", on: file).output == "{\"count\":3}\n")
    }
}
