import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@testable import FirnShell

@Suite("The shell on a CSV file")
struct InputDatabaseTests {
    private let shell = ShellHarness()

    private func makeData(_ name: String = "data.csv") throws -> String {
        try shell.write("id,name\n1,Bo\n2,Al\n", to: shell.folder(name))
        return shell.folder(name)
    }

    @Test("Piped statements run on the objects, and nothing is written")
    func script() throws {
        let file = try makeData()
        let run = shell.run(
            "data | count\nid > 1 | select(name)\nData | delete\nData | count", on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == "{\"count\":2}\n{\"name\":\"Al\"}\n{\"count\":0}\n",
            "\(run.output)")
        #expect(run.errors.contains("changes to \(file) were only in memory"), "\(run.errors)")
        #expect(shell.folder.names == ["data.csv"])
    }

    @Test("Shell commands work on a database in memory")
    func commands() throws {
        let file = try makeData()
        let run = shell.run(
            """
            .classes
            .check
            .stats
            .begin
            .insert Data {"id":3,"name":"Cy"}
            .diff
            .commit
            .log
            .freeze before
            .freezes
            .at 1
            data | count
            .at head
            data | count
            .export \(shell.folder("out.csv"))
            """, on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("{\"count\":2}\n{\"count\":3}\n"), "\(run.output)")
        #expect(try shell.read(shell.folder("out.csv")) == "id,name\n1,Bo\n2,Al\n3,Cy\n")
        #expect(Set(shell.folder.names) == ["data.csv", "out.csv"])
    }

    @Test("The banner says that nothing is on disk, and the prompt names the class")
    func banner() throws {
        let file = try makeData()
        let run = shell.talk("count", on: file)
        #expect(
            run.errors.contains("in memory, nothing on disk until .save FILE.firn\n"),
            "\(run.errors)")
        #expect(run.prompts.first == "data.csv Data> ")
        #expect(!run.errors.contains("are only in memory"), "nothing was changed")
    }

    @Test(".save writes a database, and refuses an existing file")
    func saving() throws {
        let file = try makeData()
        let copy = shell.folder("copy.firn")
        let run = shell.talk("Data id == 1 | set name = \"Bea\"", ".save \(copy)", on: file)
        #expect(!run.errors.contains("are only in memory"), "\(run.errors)")
        let again = shell.run(".save \(copy)", on: file)
        #expect(again.status == 73, "\(again.errors)")
        #expect(again.errors.contains("already exists"), "\(again.errors)")
        let rows = shell.run("Data | select(name)", on: copy)
        #expect(rows.output == "{\"name\":\"Bea\"}\n{\"name\":\"Al\"}\n", "\(rows.errors)")
        #expect(shell.run(".check", on: copy).status == 0)
        #expect(Set(shell.folder.names) == ["data.csv", "copy.firn"])
    }

    @Test(".save of a database on disk copies the version that is read")
    func savingOnDisk() throws {
        let people = try shell.makePeople()
        let copy = shell.folder("copy.firn")
        let run = shell.run("Person | delete\n.at 1\n.save \(copy)", on: people)
        #expect(run.status == 0, "\(run.errors)")
        #expect(shell.run("Person | count", on: copy).output == "{\"count\":3}\n")
    }

    @Test("Leaving with unsaved changes requires a second request")
    func leaving() throws {
        let file = try makeData()
        let run = shell.talk("Data | delete", ".quit", ".quit", on: file)
        #expect(
            run.errors.contains(
                "changes to \(file) are only in memory: .save FILE.firn, or Ctrl-D again"),
            "\(run.errors)")
        #expect(run.prompts.count == 3)
        let saved = shell.talk(
            "Data | delete", ".save \(shell.folder("a.firn"))", "Data | count", ".quit", on: file)
        #expect(!saved.errors.contains("are only in memory"), "\(saved.errors)")
    }

    @Test("Opening another database over unsaved changes also requires a second request")
    func openingAnother() throws {
        let file = try makeData()
        let people = try shell.makePeople()
        let run = shell.talk(
            "Data | delete", ".open \(people)", "count", ".open \(people)", "Person | count",
            on: file)
        #expect(run.errors.contains("cannot open another database: changes to"), "\(run.errors)")
        #expect(run.prompts.dropFirst(2).first == "data.csv Data> ")
        #expect(run.prompts.last == "people> ")
    }

    @Test("Inputs can be opened one after the other, even with the same name")
    func reopening() throws {
        let file = try makeData()
        let other = try makeData("other.csv")
        let run = shell.talk(
            ".open \(other)", ".open \(file)", ".open \(file)", "Data | count", on: file)
        #expect(
            run.prompts.prefix(4) == [
                "data.csv Data> ", "other.csv Other> ", "data.csv Data> ", "data.csv Data> ",
            ], "\(run.prompts)")
        #expect(run.output.contains("2"), "\(run.output)")
    }

    @Test("An observer sees changes to a database in memory")
    func observer() throws {
        let file = try makeData()
        let run = shell.run("Data | observe\n.observers\n.stop 1\nData | count", on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasSuffix("{\"count\":2}\n"), "\(run.output)")
    }
}
