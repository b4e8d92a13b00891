import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnShell

@Suite("Completion of lines")
struct CompleterTests {
    private let scope: CompletionScope
    private let completer: Completer

    init() throws {
        let disk = SimulatedFileSystem()
        let creation = try Store.create("/n.firn", services: disk.services(clock: SimulatedClock()))
        let transaction = try creation.store.beginWrite()
        let person = try transaction.addClass(
            ClassDefinition(
                name: "Person",
                properties: [
                    .init(name: "name", type: PropertyType(.string)),
                    .init(name: "city", type: PropertyType(.string)),
                ], keyName: nil))
        for (name, city) in [("Bo", "Oslo"), ("Cy", "Rome"), ("Al", "Oslo")] {
            _ = try transaction.create(in: person.id, [.string(name), .string(city)])
        }
        _ = try transaction.commit()
        try creation.publish()
        var scope = CompletionScope()
        scope.snapshot = try Database(creation.store).snapshot()
        scope.savedResults = ["old": "Person"]
        scope.arguments = ["min": .int(3)]
        scope.freezes = ["before"]
        scope.formats = ["csv", "json"]
        scope.topics = ["query"]
        self.scope = scope
        completer = Completer { scope }
    }

    private func complete(_ line: String, before: String = "") -> Completion {
        completer.completion(before: before, line: line, cursor: line.utf8.count)
    }

    private func texts(_ line: String, before: String = "") -> [String] {
        complete(line, before: before).candidates.map(\.text)
    }

    @Test("Statements are completed with names and values of the database")
    func statements() {
        #expect(texts("Per") == ["Person"])
        #expect(texts("Person ci") == ["city"])
        #expect(texts("Person city == \"") == ["Oslo\"", "Rome\""])
        #expect(texts("Person city == \"R") == ["Rome\""])
        #expect(texts("Person | to js") == ["json"])
        #expect(texts(":o") == ["old"])
    }

    @Test("Only the text before the cursor counts")
    func cursor() {
        let line = "Person na > 3"
        let found = completer.completion(before: "", line: line, cursor: 9)
        #expect(found.candidates.map(\.text) == ["name"])
        #expect(found.start == 7)
        #expect(completer.completion(before: "", line: "é", cursor: 1).candidates.isEmpty)
        #expect(completer.completion(before: "", line: "Per", cursor: 99).candidates.count == 1)
    }

    @Test("A statement continues from the lines before, and positions refer to the current line")
    func severalLines() {
        let found = complete("na", before: "Person\n| ")
        #expect(found.candidates.map(\.text) == ["name"])
        #expect(found.start == 0)
        #expect(complete("| SORT(ci", before: "Person").start == 7)
        // The string began in the line before.
        #expect(texts("Os", before: "Person city == \"").isEmpty)
        #expect(texts(".he", before: "Person\n|").isEmpty)
    }

    @Test("Dot commands and their arguments are completed with descriptions")
    func dotCommands() {
        #expect(texts(".clas") == [".classes"])
        #expect(texts("  .clas") == [".classes"])
        #expect(complete("  .clas").start == 2)
        #expect(complete(".clas").candidates.first?.note == DotCommandName.classes.summary)
        #expect(texts(".").count == DotCommandName.allCases.count)
        #expect(texts(".use Pe") == ["Person"])
        #expect(texts(".mode c") == ["csv"])
        #expect(texts(".timer o") == ["on", "off"])
        #expect(texts(".at be") == ["before"])
        #expect(texts(".unset m") == ["min"])
        #expect(texts(".help que") == ["query"])
        #expect(texts(".code r") == ["rql"])
        #expect(texts(".nothing x").isEmpty)
        #expect(texts(".begin x").isEmpty)
    }

    @Test("A query after a dot command is completed like a statement")
    func dotQueries() {
        #expect(texts(".observe Person na") == ["name"])
        #expect(complete(".observe Person na").start == 16)
        #expect(texts(".observe Person city == \"O") == ["Oslo\""])
    }

    @Test("Files are completed with escaped spaces, and hidden files only on request")
    func files() throws {
        let folder = TemporaryFolder()
        for name in ["a file.csv", "another.csv", ".hidden", "b"] {
            close(open(folder(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        }
        mkdir(folder("apart"), 0o700)
        #expect(
            texts(".read \(folder("a"))")
                == [folder("a\\ file.csv"), folder("another.csv"), folder("apart/")])
        #expect(texts(".read \(folder("a\\ f"))") == [folder("a\\ file.csv")])
        #expect(texts(".cd \(folder(""))") == [folder("apart/")])
        #expect(texts(".read \(folder("."))") == [folder(".hidden")])
        #expect(complete(".read \(folder("an"))").candidates.first?.shown == "another.csv")
        #expect(texts(".read /nothing/here/x").isEmpty)
        #expect(texts(".read \"\(folder("a"))").isEmpty)
    }

    @Test("Without a database, only dot commands are completed")
    func closed() {
        let completer = Completer { CompletionScope() }
        #expect(completer.completion(before: "", line: "Per", cursor: 3).candidates.isEmpty)
        #expect(completer.completion(before: "", line: ".hel", cursor: 4).candidates.count == 1)
    }
}
