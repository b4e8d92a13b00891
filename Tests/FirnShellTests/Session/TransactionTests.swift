import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import Testing

@testable import FirnShell

@Suite struct TransactionTests {
    let harness = ShellHarness()

    @Test func `A transaction sees its own changes, and other sessions see them after its commit`()
        throws
    {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            .begin
            Person name == 'Bo' | set age = 42
            .insert Person {"id": 1, "name": "Di", "age": 20, "city": "Rome"}
            Person age < 50 SORT(id) | select(name, age)
            .diff
            .commit
            Person | count
            """, on: file)
        #expect(
            run.output == """
                {"name":"Di","age":20}
                {"name":"Bo","age":42}
                {"name":"Cy","age":33}
                {"op":"insert","class":"Person","id":"1"}
                {"op":"update","class":"Person","id":"7","changed":["age"]}
                {"count":4}

                """)
        #expect(
            run.errors
                == "1 object updated\n1 inserted\n2 changes · committed as v2\n")
        #expect(run.status == 0)
    }

    @Test func `A cancelled transaction has no effect`() throws {
        let file = try harness.makePeople()
        let run = harness.run(".begin\nPerson | delete\n.cancel\nPerson | count\n", on: file)
        #expect(run.output == "{\"count\":3}\n")
        #expect(run.errors == "3 objects deleted\n3 changes cancelled\n")
    }

    @Test func `A transaction that failed can only be cancelled`() throws {
        let file = try harness.makePeople()
        let run = harness.talk(
            ".begin", "Person name == 'Bo' | set age = 1",
            ".insert Person [{\"id\":1,\"name\":\"Ed\",\"age\":1,\"city\":\"Rome\"},{\"id\":9}]",
            "Person",
            ".commit", ".diff", ".cancel", "Person | count", on: file)
        #expect(run.prompts[3...6].allSatisfy { $0 == "people (failed transaction)> " })
        #expect(run.errors.contains("error: the transaction has failed\n"))
        #expect(run.output == "{\"count\":3}\n")
    }

    @Test func `A mistake that changes nothing leaves the transaction intact`() throws {
        let file = try harness.makePeople()
        let run = harness.talk(
            ".begin", "Person | set agee = 3", "Person name == 'Bo' | set age = 1", ".commit",
            on: file)
        #expect(run.prompts[2] == "people (transaction)> ")
        #expect(run.prompts[4] == "people> ")
        #expect(harness.run("Person age == 1 | count", on: file).output == "{\"count\":1}\n")
    }

    @Test(arguments: [
        #"{"id":9,"name":"Ed","age":1,"city":"Rome"}"#, #"{"id":1}"#, #"{"name":"Ed"}"#,
        #"{"id":1,"name":"Ed","age":"x","city":"Rome"}"#, #"{"id":1,"nme":"Ed"}"#, #"{"id":1"#,
    ])
    func `A refused object leaves the transaction intact`(object: String) throws {
        let file = try harness.makePeople()
        let run = harness.talk(
            ".begin", "Person id == 9 | set age = 1", ".insert Person \(object)", ".commit",
            on: file)
        #expect(run.errors.contains("error: the object"), "\(run.errors)")
        #expect(run.prompts[3] == "people (transaction, 1 change)> ", "\(run.prompts)")
        #expect(run.prompts[4] == "people> ", "\(run.prompts)")
        #expect(harness.run("Person age == 1 | count", on: file).output == "{\"count\":1}\n")
    }

    @Test func `A partial write before an error prevents the transaction from being committed`()
        throws
    {
        let csv = harness.folder("lists.ndjson")
        try harness.write(#"{"id":1,"tags":["a"]}"#, to: csv)
        let file = harness.folder("lists.firn")
        let made = FirnCommand.run(
            ["create", file, "--from", csv, "--class", "Item", "--key", "id", "-q"],
            in: CommandEnvironment(
                services: .real, input: MemorySource([]), output: MemorySink(), errors: MemorySink()
            ))
        try #require(made == .status(.ok))
        let operations = harness.folder("operations.ndjson")
        // The edit is done when its object turns out to exist already.
        try harness.write(
            """
            {"op":"edit","class":"Item","id":1,"path":"tags","append":"b"}
            {"op":"insert","class":"Item","object":{"id":1,"tags":[]}}
            """, to: operations)
        let run = harness.talk(".begin", ".write '\(operations)'", ".commit", ".cancel", on: file)
        #expect(run.prompts[2] == "lists (failed transaction)> ", "\(run.errors)")
    }

    @Test func `The error for a refused object mentions neither options nor a line`() throws {
        let file = try harness.makePeople()
        for (line, message, absent) in [
            (
                #".insert Person {"id":9}"#,
                "error: the object: Person already has an object with id 9\n", "--upsert"
            ),
            (".insert Plne {}", "error: the object: there is no class \"Plne\"\n", "--create"),
            (
                #".insert Person {"id" 1}"#, "error: the object, character 7: not JSON:",
                "the object:"
            ),
            (
                #".insert Person {"id":1,"nam":"x"}"#,
                "error: the object, nam: there is no property of Person \"nam\"\n", "--map"
            ),
        ] {
            let run = harness.run(line, on: file)
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
            #expect(!run.errors.dropFirst(message.count).contains(absent), "\(run.errors)")
        }
        let more = harness.folder("more.ndjson")
        try harness.write(#"{"$class":"Plne"}"#, to: more)
        let written = harness.run(".write '\(more)'", on: file)
        #expect(written.errors.contains("there is no class \"Plne\""), "\(written.errors)")
        #expect(!written.errors.contains("--create"), "\(written.errors)")
    }

    @Test func `Leaving with uncommitted changes requires confirmation once`() throws {
        let file = try harness.makePeople()
        let warning =
            "3 uncommitted changes (.diff to see): .commit, .cancel, or Ctrl-D again to discard\n"
        let run = harness.talk(
            [.line(".begin"), .line("Person | delete"), .end, .line("Person | count"), .end, .end],
            on: file)
        #expect(run.errors.components(of: warning) == 2)
        #expect(run.output == "{\"count\":0}\n")
        #expect(run.status == 0)
        let quit = harness.talk(".begin", "Person | delete", ".quit 3", ".quit 3", on: file)
        #expect(quit.errors.components(of: warning) == 1)
        #expect(quit.status == 3)
        #expect(harness.run("Person | count", on: file).output == "{\"count\":3}\n")
    }

    @Test func `A command that needs no open transaction is refused inside one`() throws {
        let file = try harness.makePeople()
        for line in [".begin", ".at 1", ".undo", ".freeze a", ".close", ".open \(file)"] {
            let run = harness.run(".begin\n\(line)\n", on: file)
            #expect(run.errors.contains("while a transaction is open\n"), "\(line)")
            #expect(run.errors.contains("end it with .commit or .cancel first"), "\(line)")
            #expect(run.status == 65, "\(line)")
        }
        for line in [".commit", ".cancel", ".diff"] {
            let run = harness.run(line, on: file)
            #expect(run.errors.hasPrefix("error: no transaction is open\n"), "\(line)")
            #expect(run.status == 64, "\(line)")
        }
    }

    @Test func `Undo reverts the last commit that changed something`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            Person name == 'Bo' | set age = 99
            .freeze monday
            .freeze tuesday
            .undo
            Person name == 'Bo' | select(age)
            """, on: file)
        #expect(run.errors.contains("v2 undone: 1 object · committed as v5\n"), "\(run.errors)")
        #expect(run.output.hasSuffix("{\"age\":41}\n"), "\(run.output)")
        let none = harness.run(
            ".at 1\n.at head\n.freeze one\n.undo", on: try harness.makePeople("b"))
        #expect(none.status == 69, "\(none.errors)")
        #expect(none.errors.contains("are no longer kept"), "\(none.errors)")
    }

    /// `.undo` reverted a commit that another process had made a moment before.
    @Test func `A commit by another session can be undone only by its number`() throws {
        let file = try harness.makePeople()
        _ = harness.run("Person name == 'Bo' | set age = 99", on: file)
        let before = harness.run("Person SORT(id)", on: file).output
        let refused = harness.run(".undo\nPerson SORT(id)", on: file)
        #expect(refused.status == 64, "\(refused)")
        #expect(
            refused.errors == """
                error: version 2 was not committed in this session
                  in line 1 of standard input
                  undo it anyway with: .undo 2

                """)
        #expect(harness.run("Person SORT(id)", on: file).output == before)
        let other = harness.run(".undo 1", on: file)
        #expect(other.status == 64 && other.errors.contains(".undo 2\n"), "\(other)")
        let undone = harness.run(".undo 2\n.undo\nPerson name == 'Bo' | select(age)", on: file)
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.output == "{\"age\":99}\n", "its own commit was undone again")
    }

    @Test func `The last commit can be undone with all its changes`() throws {
        let file = try harness.makePeople()
        let before = harness.run("Person SORT(id)", on: file).output
        let run = harness.run(
            """
            .begin
            Person name == 'Bo' | set age = 1
            Person name == 'Cy' | delete
            .insert Person {"id": 1, "name": "Di", "age": 20, "city": "Rome"}
            .commit
            .undo
            Person SORT(id)
            """, on: file)
        #expect(run.output == before)
        #expect(run.errors.hasSuffix("v2 undone: 3 objects · committed as v3\n"))
    }

    @Test func `An older version can be read but not changed`() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            """
            .freeze before
            Person | delete
            .at before
            Person | count
            .at @-1
            Person | count
            .at head
            Person | count
            .at before
            Person | delete
            """, on: file)
        let counts = run.output.split(separator: "\n").filter { $0.hasPrefix("{\"count\"") }
        #expect(counts == ["{\"count\":3}", "{\"count\":3}", "{\"count\":0}"])
        #expect(run.errors.contains("error: version before cannot be changed\n"))
        #expect(run.status == 77)
    }

    @Test(.tags(.security)) func `A removed or replaced database is reported once`() throws {
        let file = try harness.makePeople()
        let other = try harness.makePeople("other")
        let run = harness.run(
            """
            Person | count
            .shell rm '\(file)'
            Person | count
            Person | count
            .shell cp '\(other)' '\(file)'
            Person | delete
            """, on: file)
        #expect(run.output == "{\"count\":3}\n{\"count\":3}\n{\"count\":3}\n")
        #expect(run.errors.components(of: "was removed while it was open") == 1)
        #expect(run.errors.contains("error: "))
        #expect(run.status == 66)
    }
}

extension String {
    /// The number of occurrences of a text in this one.
    func components(of part: String) -> Int { ranges(of: part).count }
}
