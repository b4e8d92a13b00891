import FirnTesting
import Testing

/// The position of an error was once that in the composed text: of `--sort age,nme`, a caret stood
/// under a SORT that nobody had typed.
@Suite("Errors in texts that options complete")
struct TypedTextTests {
    private func errors(_ words: String...) throws -> String {
        let harness = CommandHarness()
        let run = harness.run(["query", try harness.makePeople()] + words)
        #expect(run.status != 0)
        return run.errors
    }

    @Test(
        "An error shows what was typed and marks the position in it",
        arguments: [
            (["Person", "-s", "name,nme"], "  name,nme\n       ^^^", "in the value of -s"),
            (["Person", "--sort", "-age,nme"], "  -age,nme\n       ^^^", "in the value of --sort"),
            (["Person", "--sort=-nme"], "  -nme\n   ^^^", "in the value of --sort"),
            (["Person age > 3", "nme == 4", "--limit", "3"], "  nme == 4\n  ^^^", "nme"),
            (["age > \"x\"", "-c", "Person", "--count"], "  age > \"x\"\n        ^^^", "compare"),
            (["age > 3", "-c", "Persn"], "did you mean \"Person\"?", "in the value of -c"),
        ])
    func human(words: [String], excerpt: String, part: String) throws {
        let harness = CommandHarness()
        let errors = harness.run(["query", try harness.makePeople()] + words).errors
        #expect(errors.contains(excerpt), "\(errors)")
        #expect(errors.contains(part), "\(errors)")
        #expect(!errors.contains("SORT("), "\(errors)")
        #expect(!errors.contains("select("), "\(errors)")
    }

    @Test("In JSON, an error has the position in what was typed, and the hint")
    func json() throws {
        let sorted = try errors("Person", "--sort", "age,nme", "--errors", "json")
        #expect(sorted.contains(#""at":{"line":1,"column":5,"length":3}"#), "\(sorted)")
        #expect(sorted.contains(#""hint":"did you mean \"name\"?""#), "\(sorted)")
        let unknown = try errors("age > 3", "-c", "Persn", "--errors", "json")
        #expect(!unknown.contains("\"at\""), "\(unknown)")
        #expect(unknown.contains(#""hint":"did you mean \"Person\"?""#), "\(unknown)")
    }

    @Test("With -c, the first word of a query is a property unless it is a class")
    func firstWord() throws {
        let unknown = try errors("agge SORT(age)", "-c", "Person")
        #expect(
            unknown.contains("no class \"agge\", and no property of that name in class Person"),
            "\(unknown)")
        #expect(unknown.contains("did you mean \"age\"?"), "\(unknown)")
        let property = try errors("age SORT(age)", "-c", "Person")
        #expect(property.contains("age is a property, not a condition or a class"), "\(property)")
    }

    @Test("An operator after the name of a class gets an explanation")
    func operators() throws {
        let minus = try errors("Person -age < 3")
        #expect(minus.contains("an operator follows Person"), "\(minus)")
        #expect(minus.contains("write Person | before the condition"), "\(minus)")
    }
}
