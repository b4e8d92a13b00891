import FirnTesting
import FirnTools
import Testing

@Suite("Data on a terminal")
struct TerminalOutputTests {
    private static let text = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}abc\u{7F}\u{E0041}é"

    private func database(_ harness: CommandHarness) throws -> String {
        let file = harness.folder("a.firn")
        let run = harness.run(
            ["create", file, "--from", "-", "--class", "T", "-q"],
            input:
                #"{"t":"\#(TerminalOutputTests.text.replacing("\u{1B}", with: "\\u001b").replacing("\u{7}", with: "\\u0007"))"}"#
        )
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test(
        "No format lets a control character through", .tags(.security),
        arguments: [
            "table", "box", "line", "csv", "tsv", "ndjson", "json", "markdown", "html", "insert",
            "sql",
        ])
    func formats(format: String) throws {
        var harness = CommandHarness()
        let file = try database(harness)
        harness.isTerminal = true
        for words in [["query", file, "T"], ["export", file]] {
            let run = harness.run(words + ["-f", format, "--no-header"])
            if words[0] == "export", run.status == 64 { continue }
            #expect(run.status == 0, "\(run.errors)")
            let harmful = run.output.unicodeScalars.filter {
                $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
                    || $0.value == 0x202E || $0.value == 0xE0041
            }
            #expect(harmful.isEmpty, "\(format): \(run.output.debugDescription)")
            // The text that is the same in every format.
            #expect(run.output.contains("abc") || run.output.contains("616263"))
        }
    }

    @Test(
        "Without a terminal, or with -r, data is printed unchanged", .tags(.security),
        arguments: ["csv", "raw"])
    func asItIs(how: String) throws {
        var harness = CommandHarness()
        let file = try database(harness)
        harness.isTerminal = how == "raw"
        let words = how == "raw" ? ["-r"] : ["-f", "csv", "--no-header"]
        let run = harness.run(["query", file, "T"] + words)
        #expect(run.output == TerminalOutputTests.text + "\n")
    }

    @Test("JSON printed on a terminal can be read back as the same JSON", .tags(.security))
    func json() throws {
        var harness = CommandHarness()
        let file = try database(harness)
        harness.isTerminal = true
        let shown = harness.run(["query", file, "T", "-f", "ndjson"]).output
        let copy = harness.folder("b.firn")
        let run = harness.run(["create", copy, "--from", "-", "--class", "T", "-q"], input: shown)
        #expect(run.status == 0, "\(run.errors)")
        harness.isTerminal = false
        #expect(
            harness.run(["query", copy, "T", "-r"]).output == TerminalOutputTests.text + "\n")
    }
}
