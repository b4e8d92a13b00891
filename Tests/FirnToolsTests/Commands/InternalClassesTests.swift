import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnTools

/// Classes that belong to the object API contain no objects of the user.
@Suite("Internal classes")
struct InternalClassesTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople()
        let store = try Store.open(file, readOnly: false)
        let transaction = try store.beginWrite()
        let made = try transaction.addClass(
            ClassDefinition(
                name: "firn.Subscription",
                properties: [.init(name: "name", type: PropertyType(.string))]))
        _ = try transaction.create(in: made.id, [.string("all")])
        _ = try transaction.commit()
        try store.close()
    }

    @Test(
        "No command shows internal classes unless asked",
        arguments: [
            ["schema", "FILE", "-f", "text"], ["schema", "FILE"],
            ["schema", "FILE", "-f", "swift"],
            ["export", "FILE"], ["export", "FILE", "--schema-only"],
            ["export", "FILE", "-f", "csv"], ["export", "FILE", "-f", "json", "--with-schema"],
            ["observe", "FILE", "--idle", "1ms"],
        ])
    func hidden(words: [String]) {
        let run = harness.run(words.map { $0 == "FILE" ? file : $0 })
        #expect(run.status == (words[0] == "observe" ? 124 : 0), "\(run)")
        #expect(!run.output.contains("firn.Subscription"), "\(run.output)")
        #expect(run.output.contains("city"), "\(run.output)")
    }

    @Test("Internal classes are shown by name")
    func named() {
        let schema = harness.run(["schema", file, "firn.Subscription", "-f", "text"])
        #expect(schema.status == 0, "\(schema)")
        #expect(schema.output.contains("firn.Subscription"))
        let export = harness.run(["export", file, "-c", "firn.Subscription", "--with-schema"])
        #expect(export.status == 0, "\(export)")
        #expect(export.output.contains(#""name":"all""#), "\(export.output)")
    }

    @Test("The only class of a model still counts as the only one beside internal classes")
    func onlyClass() {
        let run = harness.run(
            ["write", file, "-q", "-"], input: #"{"id":1,"name":"Di","age":1,"city":"Bern"}"#)
        #expect(run.status == 0, "\(run)")
        let wrong = harness.run(["schema", file, "Persn"])
        #expect(wrong.status == 66)
        #expect(!wrong.errors.contains("firn.Subscription"), "\(wrong.errors)")
        for words in [["query", file, "Foo x > 1"], ["alter", file, "rename Foo.x y"]] {
            let wrong = harness.run(words)
            #expect(wrong.errors.contains("classes: Person\n"), "\(wrong.errors)")
        }
    }

    /// The error about such a class recommends to rename it, and that change was refused with the same
    /// error.
    @Test("A class of another program with the name of an internal one can be renamed")
    func renamed() {
        let run = harness.run(["alter", file, "rename \"firn.Subscription\" Newsletter", "-q"])
        #expect(run.status == 0, "\(run)")
        let renamed = harness.run(["query", file, "Newsletter | select(name)", "-r"])
        #expect(renamed.output == "all\n", "\(renamed)")
    }
}
