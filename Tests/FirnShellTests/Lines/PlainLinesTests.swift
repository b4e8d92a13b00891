import Testing

@testable import FirnShell

@Suite("Terminals without escapes")
struct PlainLinesTests {
    @Test("Parts of the prompt that are marked as invisible are omitted")
    func prompts() {
        #expect(PlainLines.withoutEscapes("\u{1}\u{1b}[1m\u{2}app\u{1}\u{1b}[0m\u{2}> ") == "app> ")
        #expect(PlainLines.withoutEscapes("app> ") == "app> ")
        #expect(PlainLines.withoutEscapes("\u{1}x") == "")
    }
}
