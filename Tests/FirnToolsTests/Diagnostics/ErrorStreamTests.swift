import FirnTesting
import FirnText
import FirnTools
import Testing

/// With `--errors json`, every line of standard error is one JSON object.
@Suite("Standard error as JSON")
struct ErrorStreamTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func lines(_ run: CommandHarness.Run) throws -> [JSONTree] {
        var trees: [JSONTree] = []
        for line in run.errors.split(separator: "\n") {
            var reader = try JSONReader(MemorySource(Array("[\(line)]".utf8), name: "errors"))
            guard case .value(let tree, _) = try reader.next() else { continue }
            trees.append(tree)
        }
        #expect(trees.count == run.errors.split(separator: "\n").count, "\(run.errors)")
        return trees
    }

    private func text(_ tree: JSONTree, _ name: String) -> String? {
        if case .string(let text) = tree[name]?.content { text } else { nil }
    }

    @Test(
        "Errors from the parser, queries, files and input are JSON",
        arguments: [
            (["query"], "usage.arguments"),
            (["query", "@", "Person", "--limit", "x"], "usage.arguments"),
            (["query", "@", "Person", "--bogus"], "usage.arguments"),
            (["bogus"], "usage.unknown-command"),
            (["help", "bogus"], "usage.unknown-command"),
            (["query", "@", "Person nme == 1"], "query.unknown-property"),
            (["query", "@", "Person |"], "query.syntax"),
            (["query", "@", "Nobody"], "query.unknown-class"),
            (["query", "@x", "Person"], "file.missing"), (["create", "@"], "file.exists"),
            (["query", "@", "Person", "--at", "99"], "history.gone"),
            (["query", "@", "Person", "--at", "x"], "freeze.missing"),
            (["write", "@", "-", "-c", "Person"], "input.syntax"),
            (["query", "@", "Person", "-1"], "query.not-one"),
            (["diff", "@", "@x"], "file.missing"), (["log", "@", "-n", "0"], "usage.arguments"),
            (["export", "@", "-f", "table"], "usage.arguments"),
            (["schema", "@", "Nobody"], "query.unknown-class"),
            (["observe", "@", "Person | bar(age)"], "usage.query"),
            (["alter", "@", "bogus"], "usage.arguments"),
            (["write", "@", "-x", "Person | bogus"], "usage.query"),
            (["freeze", "@", "--drop", "x"], "freeze.missing"),
            (["query", "@", "Person id == $x"], "query.missing-parameter"),
        ])
    func errors(words: [String], code: String) throws {
        let words = words.map { $0.replacing("@", with: file) }
        for words in [words + ["--errors", "json"], ["--errors=json"] + words] {
            let run = harness.run(words, input: "{\"id\":")
            let trees = try lines(run)
            #expect(trees.count == 1, "\(words) \(run.errors)")
            let error = try #require(trees.last)
            #expect(text(error, "type") == "error")
            #expect(text(error, "code") == code, "\(words) \(run.errors)")
            guard case .number(let exit) = error["exit"]?.content else { continue }
            #expect(run.status.map(String.init) == exit)
        }
        var harness = harness
        harness.variables["FIRN_ERRORS"] = "json"
        #expect(try lines(harness.run(words, input: "{\"id\":")).count == 1)
    }

    @Test(
        "Notes and warnings are JSON, too, if errors are",
        arguments: [
            ["create", "@new", "--from", "@csv"], ["query", "@", "Person", "--stats"],
            ["query", "@", "Person", "-f", "table", "--rows", "1"],
            ["query", "@", "Person", "-f", "table", "--width", "10"],
            ["write", "@", "@bad", "-c", "Person", "--on-error", "skip"],
        ])
    func notes(words: [String]) throws {
        try Fixtures.write("id,name\nx,y\n", to: harness.folder("bad.csv"))
        let paths = [
            "@new": harness.folder("new.firn"), "@csv": harness.folder("people.csv"),
            "@bad": harness.folder("bad.csv"), "@": file,
        ]
        let run = harness.run(words.map { paths[$0] ?? $0 } + ["--errors", "json"])
        let trees = try lines(run)
        #expect(!trees.isEmpty, "\(words)")
        for tree in trees {
            #expect(["note", "error"].contains(text(tree, "type")))
            #expect(text(tree, "message")?.isEmpty == false)
        }
    }
}
