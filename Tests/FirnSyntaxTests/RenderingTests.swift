import FirnSyntax
import Testing

@Suite("Errors on the terminal")
struct RenderingTests {
    @Test("The caret is below the characters, the hint after it, and notes are further below")
    func caret() {
        let error = QueryError(
            .unknownProperty, "no property", at: 7..<10, hint: "did you mean \"name\"?",
            notes: ["properties: age Int · name String"])
        #expect(
            error.render(source: "Person nme == \"Ann\"") == [
                "  Person nme == \"Ann\"",
                "         ^^^ did you mean \"name\"?",
                "  properties: age Int · name String",
            ])
    }

    @Test("Wide and combining characters are counted in terminal columns")
    func widths() {
        let wide = "名前 == 'x' nme"
        let start = wide.utf8.count - 3
        let error = QueryError(.syntax, "m", at: start..<start + 3)
        #expect(error.render(source: wide) == ["  " + wide, "              ^^^"])
        let combining = "e\u{301} == nme"
        let place = combining.utf8.count - 3
        let other = QueryError(.syntax, "m", at: place..<place + 3)
        #expect(other.render(source: combining) == ["  " + combining, "       ^^^"])
        #expect(other.position(in: combining) == (1, 6, 3))
    }

    @Test("Only the line with the error is shown, and the end of the text belongs to the last line")
    func lines() {
        let error = QueryError(.syntax, "m", at: 7..<9)
        #expect(error.render(source: "a ==\n  bb\nc") == ["    bb", "    ^^"])
        #expect(error.position(in: "a ==\n  bb\nc") == (2, 3, 2))
        let atEnd = QueryError(.syntax, "m", at: 6..<6)
        #expect(atEnd.render(source: "a == \n") == ["  a == ", "      ^"])
        let acrossLines = QueryError(.syntax, "m", at: 0..<5)
        #expect(acrossLines.render(source: "aaa\nb") == ["  aaa", "  ^^^"])
    }

    @Test("A long line is cut around the error position", arguments: [0, 30, 500, 900, 995])
    func longLines(start: Int) throws {
        let source = String(repeating: "abcdefghi ", count: 100)
        let error = QueryError(.syntax, "m", at: start..<start + 3)
        let lines = error.render(source: source)
        #expect(lines.allSatisfy { $0.count <= 100 })
        let caret = try #require(lines[1].firstIndex(of: "^"))
        let offset = lines[1].distance(from: lines[1].startIndex, to: caret)
        let expected = Array(source)[start..<start + 3]
        #expect(Array(Array(lines[0]).dropFirst(offset).prefix(3)) == Array(expected))
        #expect(lines[1].count { $0 == "^" } == 3)
    }

    @Test("Control characters never reach the terminal", .tags(.security))
    func controls() {
        let source = "a\u{1b}[2J\u{202e} == $"
        let error = QueryError(.syntax, "found \u{1b}[2J", at: 1..<2, hint: "\u{7}")
        #expect(error.message == "found \\x1b[2J")
        #expect(
            error.render(source: source) == [
                "  a\\x1b[2J\\u{202e} == $", "   ^^^^ \\x07",
            ])
    }

    @Test("An empty text has no line")
    func empty() {
        let error = QueryError(.syntax, "m", at: 0..<0, hint: "write something")
        #expect(error.render(source: " \n") == ["  write something"])
    }

    @Test("Positions outside of the text do not trap", arguments: [0..<900, 50..<60, 3..<3])
    func anyPlace(range: Range<Int>) {
        let error = QueryError(.syntax, "m", at: range)
        for source in ["", "ab", "名前", "a\n", "\r\n"] {
            _ = error.render(source: source)
            _ = error.position(in: source)
        }
    }

    @Test("A long list of properties is wrapped")
    func wrapping() {
        let names = (0..<40).map { "property\($0) Int" }.joined(separator: " · ")
        let error = QueryError(.syntax, "m", at: 0..<1, notes: ["properties: " + names])
        let lines = error.render(source: "x")
        #expect(lines.count > 3)
        #expect(lines.allSatisfy { $0.count <= 100 })
    }
}
