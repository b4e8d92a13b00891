import FirnPlatform
import FirnTesting
import FirnTools
import FirnValues
import Glibc
import Testing

/// The inputs that `firn write` accepts, and its errors about them.
@Suite("Inputs of write")
struct WriteInputTests {
    private let harness = CommandHarness()

    @Test("Empty input from a program is accepted, but an empty table is an error")
    func nothing() throws {
        let file = try harness.makePeople()
        let before = try Fixtures.read(file)
        let run = harness.run(["write", file, "-", "-c", "Person"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""inserted":0,"updated":0"#))
        let table = harness.run(["write", file, "-", "-c", "Person", "--input", "csv"])
        #expect(table.status == 65)
        #expect(table.errors.contains("the first line must name the columns"))
        #expect(try Fixtures.read(file) == before)
    }

    @Test("A table without rows must still have valid property names")
    func headers() throws {
        let file = try harness.makePeople()
        for input in ["5\n", "id,nmae\n"] {
            let run = harness.run(["write", file, "-", "-c", "Person"], input: input)
            #expect(run.status == 65, "\(input)")
            #expect(run.errors.contains("there is no property of Person"), "\(run.errors)")
        }
        let good = harness.run(["write", file, "-", "-c", "Person"], input: "id,name\n")
        #expect(good.status == 0, "\(good.errors)")
    }

    @Test("An option that needs a file reports that it was given a folder")
    func folders() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "create", harness.folder("new.firn"), "--schema", harness.folder.path, "--errors",
            "json",
        ])
        #expect(run.status == 66)
        #expect(run.errors.contains(#""code":"input.not-a-file""#), "\(run.errors)")
        #expect(run.errors.contains("it is a folder"))
        // Its files are inputs.
        let all = harness.run(["write", file, harness.folder.path, "-c", "Person", "--upsert"])
        #expect(all.errors.contains("people.firn: it is a Firn database"), "\(all.errors)")
    }

    @Test("A FIFO, such as one made by <(command), is an input like any other")
    func pipes() throws {
        let file = try harness.makePeople()
        let path = harness.folder("fifo")
        mkfifo(path, 0o600)
        let text = "{\"id\":20,\"name\":\"Di\",\"age\":1,\"city\":\"X\"}\n"
        // A thread of its own: opening blocks, and the threads of tests are few.
        let writer = try WorkerThread {
            let descriptor = open(path, O_WRONLY)
            write(descriptor, text, text.utf8.count)
            close(descriptor)
        }
        let run = harness.run(["write", file, path, "-c", "Person"])
        writer.join()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""inserted":1,"#))
    }

    @Test("In JSON, an error has the property and the value")
    func structured() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            ["write", file, "-", "-c", "Person", "--upsert", "--errors", "json"],
            input: #"{"id":7,"age":"old"}"#)
        #expect(
            run.errors.contains(#""at":{"line":1},"property":"age","value":"\"old\"""#),
            "\(run.errors)")
    }

    @Test(
        "The error for an invalid operation is not about a missing class",
        arguments: [
            (#"{"op":"upsret","class":"Person","id":7}"#, #"did you mean "upsert"?"#),
            (#"{"op":"edit","class":"Person","id":7,"path":"a","at":0}"#, "members: op, class"),
        ])
    func operations(record: String, text: String) throws {
        let file = try harness.makePeople()
        #expect(harness.run(["alter", file, "add Dog", "add Person.tags List<Int>"]).status == 0)
        let run = harness.run(["write", file, "-"], input: record)
        #expect(run.status == 65)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test("The error of an edit names its property once")
    func edits() throws {
        let file = try harness.makePeople()
        #expect(
            harness.run(["alter", file, "add Person.friends List<Person>"]).status == 0)
        func edit(_ edit: String) -> String {
            harness.run(
                ["write", file, "-"],
                input: #"{"op":"edit","class":"Person","id":7,"path":"friends",\#(edit)}"#
            ).errors
        }
        #expect(edit(#""append":99"#).contains(":1, friends: there is no Person with id 99"))
        #expect(edit(#""append":true"#).contains(":1, friends: "))
        #expect(edit(#""remove":5"#).contains(":1, friends: there is no position 5"))
    }

    @Test("A name of one letter suggests only the same letter in another case")
    func suggestions() {
        #expect(NearestNames.misspelt("y", among: ["x", "Y", "z"]) == ["Y"])
        #expect(NearestNames.misspelt("nme", among: ["name", "no"]) == ["name"])
    }
}
