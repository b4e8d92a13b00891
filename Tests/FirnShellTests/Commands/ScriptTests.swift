import FirnFormats
import FirnTesting
import FirnText
import FirnTools
import FirnValues
import Testing

@testable import FirnShell

@Suite struct ScriptTests {
    let harness = ShellHarness()

    @Test func `Statements of a stream print their rows one after the other`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            Person age > 40 | select(name)
            Person | count; Person name == 'Cy' |
              select(age)
            """, on: file)
        #expect(run.output == "{\"name\":\"Bo\"}\n{\"name\":\"Al\"}\n{\"count\":3}\n{\"age\":33}\n")
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    /// Each line ran on its own: `AND` was an error, `|` another result.
    @Test func `A statement continues on lines that begin with an operator`() throws {
        let file = try harness.makePeople()
        let path = harness.folder("statements")
        let text = """
            Person age > 30
              AND city == 'Oslo'
            -- the younger one
            | SORT(age) | limit(1)
            | select(name)

            | count
            Person
            SORT(age)
            | limit(1) | select(age);
            | count
            """
        try harness.write(text, to: path)
        for script in [text, ".read '\(path)'"] {
            let run = harness.run(script, on: file)
            #expect(
                run.output == "{\"name\":\"Bo\"}\n{\"count\":1}\n{\"age\":33}\n{\"count\":1}\n")
            #expect(run.errors == "")
        }
        let wrong = harness.run("Person\n| count\nPerson nme == 1\n  AND age > 1\n", on: file)
        #expect(wrong.output == "{\"count\":3}\n")
        #expect(wrong.errors.hasSuffix("  in line 3 of standard input\n"), "\(wrong.errors)")
    }

    @Test func `The first error ends a script with its position and status`() throws {
        let file = try harness.makePeople()
        let run = harness.run("Person | count\n\nPerson nme == 'Bo'\nPerson | count\n", on: file)
        #expect(run.output == "{\"count\":3}\n")
        #expect(run.errors.hasPrefix("error: no property \"nme\" in class Person\n"))
        #expect(run.errors.contains("did you mean \"name\"?"))
        #expect(run.errors.hasSuffix("  in line 3 of standard input\n"))
        #expect(run.status == 65)
    }

    @Test func `A change outside of a transaction is committed immediately`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            "Person city == 'Oslo' | set city = 'Bergen'\nPerson name == 'Cy' | delete\n"
                + "Person | select(city)", on: file)
        #expect(
            run.errors
                == "2 objects updated · committed as v2\n1 object deleted · committed as v3\n")
        #expect(run.output == "{\"city\":\"Bergen\"}\n{\"city\":\"Bergen\"}\n")
        #expect(run.status == 0)
    }

    @Test func `A script that ends within a transaction changes nothing and fails`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".begin\nPerson | set age = 1\nPerson | select(age)\n", on: file)
        #expect(run.output == "{\"age\":1}\n{\"age\":1}\n{\"age\":1}\n")
        #expect(
            run.errors == """
                3 objects updated
                error: standard input ended inside a transaction: 3 changes rolled back
                  end the transaction with .commit

                """)
        #expect(run.status == 65)
        #expect(harness.run("Person age == 1 | count", on: file).output == "{\"count\":0}\n")
    }

    @Test func `A script can exit with a given status`() throws {
        let file = try harness.makePeople()
        let run = harness.run("Person | count\n.quit 7\nPerson | count\n", on: file)
        #expect(run.output == "{\"count\":3}\n")
        #expect(run.status == 7)
        #expect(harness.run(".quit 256", on: file).status == 64)
    }

    @Test func `A script must write commands in full`() throws {
        let run = harness.run(".mod csv\n")
        #expect(
            run.errors == """
                error: unknown command ".mod"
                  in line 1 of standard input
                  did you mean .mode?

                """)
        #expect(run.status == 64)
    }

    @Test func `An empty line ends an incomplete statement, which is an error`() throws {
        let file = try harness.makePeople()
        let run = harness.run("Person age >\n\nPerson | count\n", on: file)
        #expect(run.output == "")
        #expect(run.errors.contains("in line 1 of standard input"))
        #expect(run.status == 65)
    }

    @Test func `A line that is not UTF-8 is an error`() throws {
        let lines = StreamLines(
            MemorySource([0x61, 0x0A, 0xFF, 0x0A], name: "input"), notices: NotificationQueue())
        #expect(try lines.next(prompt: "", before: "") == .line("a"))
        #expect(throws: CommandFailure.self) { try lines.next(prompt: "", before: "") }
    }

    @Test func `Lines are read completely, in pieces of any size`() throws {
        for size in [1, 2, 3, 100] {
            let lines = StreamLines(
                MemorySource(Array("ab\r\n\ncde".utf8), name: "input", pieceBytes: size),
                notices: NotificationQueue())
            #expect(try lines.next(prompt: "", before: "") == .line("ab"))
            #expect(try lines.next(prompt: "", before: "") == .line(""))
            #expect(try lines.next(prompt: "", before: "") == .line("cde"))
            #expect(lines.lineNumber == 3)
            #expect(try lines.next(prompt: "", before: "") == .end)
        }
    }

    @Test func `Without a database, only the missing database is reported`() throws {
        let run = harness.run("Person")
        #expect(run.errors.hasPrefix("error: no database is open\n"))
        #expect(run.status == 64)
        let missing = harness.run("Person", on: harness.folder("none.firn"))
        #expect(missing.status == 66)
    }

    @Test func `A signal ends a script, and its transaction`() throws {
        let file = try harness.makePeople()
        let run = harness.talk(
            [.line(".begin"), .line("Person | delete"), .signal(15)], on: file)
        #expect(run.ending == .signal(15))
        #expect(harness.run("Person | count", on: file).output == "{\"count\":3}\n")
    }
}
