import FirnPlatform
import FirnTesting
import Testing

@testable import FirnTools

@Suite("Statements that firn query reads from standard input")
struct QueryStatementTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    /// A carriage return with a line feed is one character for Swift, so that the whole file was one line.
    @Test("Lines with Windows line ends are statements")
    func windows() {
        let statements = QueryStatements("A | count\r\nB\r\n| count\r\n").all
        #expect(statements.map(\.line) == [1, 2])
        #expect(
            statements.map { $0.text.filter { !$0.isWhitespace } } == ["A|count", "B|count"])
        let text = QueryStatements("A | set b = \"x\r\ny\"\r\n").all.first?.text
        #expect(text?.contains("\"x\ny\"") == true)
    }

    @Test("The rows of a statement directly follow the rows of the previous one")
    func several() {
        let two = "{\"name\":\"Al\"}\n{\"count\":3}\n"
        for input in [
            "Person id == 11 | select(name)\nPerson | count\n",
            "Person id == 11 | select(name); Person | count",
            "Person id == 11 | select(name);\n\n-- how many?\nPerson | count;",
        ] {
            for words in [[], ["-"]] {
                let run = harness.run(["query", file] + words, input: input)
                #expect(run.output == two, "\(input) \(run.errors)")
                #expect(run.status == 0)
                #expect(run.errors.isEmpty)
            }
        }
    }

    @Test("An incomplete statement, or one with a continuation mark, continues on the next line")
    func lines() {
        for input in [
            "Person\n  | age > 40\n  -- the oldest first\n  | SORT(age DESC)\n  | select(name)",
            "Person age > 40 SORT(age DESC) |\nselect(name)",
            "Person age > 40\nAND id > 1\nSORT(age DESC)\n| select(name)\n",
            "Person (age >\n40) SORT(age\nDESC) | select(name)",
        ] {
            let run = harness.run(["query", file, "-r"], input: input)
            #expect(run.output == "Al\nBo\n", "\(input) \(run.errors)")
        }
    }

    @Test("Strings may contain line breaks and semicolons")
    func strings() {
        let texts = QueryStatements("A b == \"x;\ny\"; C\n\n\nD").all.map(\.text)
        #expect(texts.count == 3)
        #expect(texts.first == "A b == \"x;\ny\"")
        #expect(texts.dropFirst().map { $0.filter { !$0.isWhitespace } } == ["C", "D"])
        #expect(QueryStatements("A\n\nB; C\nD").all.map(\.line) == [1, 3, 3, 4])
        #expect(QueryStatements(" \n-- nothing\n;;").all.isEmpty)
    }

    @Test("Options apply to each statement, and -e to all of them together")
    func options() {
        let input = "Person SORT(id)\nPerson SORT(name)"
        let run = harness.run(["query", file, "-s", "name", "--limit", "1", "-r"], input: input)
        #expect(run.output == "Bo\nAl\n", "\(run.errors)")
        let none = "Person id == 0\nPerson id == 1"
        #expect(harness.run(["query", file, "-e"], input: none).status == 1)
        #expect(harness.run(["query", file, "-e"], input: none + "\nPerson").status == 0)
        #expect(harness.run(["query", file, "-1"], input: "Person id == 7\nPerson").status == 1)
    }

    @Test("All statements read the same version, and an invalid one is reported before any output")
    func wrong() throws {
        let run = harness.run(["query", file], input: "Person\nPerson nme == 1\n")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("did you mean \"name\"?"), "\(run.errors)")
        #expect(run.errors.contains("in line 2 of standard input"), "\(run.errors)")
        let out = harness.folder("out.ndjson")
        #expect(harness.run(["query", file, "-o", out], input: "Person\nNobody").status == 66)
        #expect(try SystemServices.real.files.status(of: out) == nil)
        // A single statement needs no line number.
        let alone = harness.run(["query", file], input: "Person nme == 1\n")
        #expect(!alone.errors.contains("in line"), "\(alone.errors)")
        #expect(harness.run(["query", file], input: "").status == 65)
    }
}
