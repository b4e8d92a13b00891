import FirnFormats
import FirnValues
import Testing

@Suite("Errors in the width of a terminal")
struct DiagnosticWidthTests {
    private func diagnostic(_ query: String, caretAt offset: Int, hint: String) -> Diagnostic {
        var diagnostic = Diagnostic(.queryUnknownProperty, "no property \"nme\" in class Person")
        let caret = String(repeating: " ", count: offset) + "^^^ " + hint
        diagnostic.details = [query, caret, "properties: age Int · name String · city String"]
        diagnostic.remedy = "see: .schema"
        return diagnostic
    }

    @Test("The caret stays under its position, and the hint moves to the line below")
    func narrow() {
        let diagnostic = diagnostic("Person nme == 3", caretAt: 7, hint: "did you mean \"name\"?")
        #expect(
            diagnostic.rendered(.human, columns: 30) == """
                error: no property "nme" in
                  class Person
                  Person nme == 3
                         ^^^
                  did you mean "name"?
                  properties: age Int · name
                    String · city String
                  see: .schema

                """)
        #expect(diagnostic.rendered(.human) == diagnostic.rendered(.human, columns: 200))
    }

    @Test("A query that is wider than the window shows where the error is", arguments: 20...90)
    func wide(columns: Int) {
        let before = String(repeating: "age > 1 AND ", count: 6)
        let query = before + "nme == 3 AND age > 7"
        let text = diagnostic(query, caretAt: before.count, hint: "unknown")
            .rendered(.human, columns: columns)
        let lines = text.split(separator: "\n").map(String.init)
        for line in lines {
            #expect(DisplayWidth.columns(of: line) <= columns, "\(columns): \(line)")
        }
        guard let place = lines.firstIndex(where: { $0.contains("^^^") }) else {
            Issue.record("no caret: \(text)")
            return
        }
        let start = lines[place].prefix { $0 == " " }.count
        #expect(lines[place - 1].dropFirst(start).hasPrefix("nme"), "\(text)")
    }

    @Test("JSON is one line, whatever the window")
    func json() {
        let diagnostic = diagnostic("Person nme == 3", caretAt: 7, hint: "x")
        #expect(diagnostic.rendered(.json, columns: 20) == diagnostic.rendered(.json))
    }
}
