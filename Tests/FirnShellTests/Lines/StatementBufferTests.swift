import FirnQuery
import FirnSyntax
import Testing

@testable import FirnShell

@Suite struct StatementBufferTests {
    private func missing(_ line: String) -> StatementScanner.Missing? {
        var buffer = StatementBuffer()
        if case .needs(let missing, _) = buffer.add(line) { return missing }
        return nil
    }

    @Test func `A complete line is a statement`() {
        var buffer = StatementBuffer()
        #expect(
            buffer.add("Person age > 30 SORT(age)")
                == .complete([.statement("Person age > 30 SORT(age)")]))
        #expect(buffer.isEmpty)
    }

    @Test func `The last token decides whether a statement is incomplete`() {
        #expect(missing("Person name == 'a") == .quote("'"))
        #expect(missing("Person name == \"a") == .quote("\""))
        #expect(missing("Person `a b") == .quote("`"))
        #expect(missing("Person (age > 3") == .bracket("("))
        #expect(missing("Person age IN {1,") == .bracket("{"))
        #expect(missing("Person age > 3 |") == .stage)
        #expect(missing("Person | set age = 3,") == .item)
        #expect(missing("Person age >") == .operand)
        #expect(missing("Person age > 3 AND") == .operand)
        #expect(missing("Person name BEGINSWITH") == .operand)
        #expect(missing("Person | ! grep '") == nil)
    }

    @Test func `Lines are joined until the statement is complete`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add("(age > 3") == .needs(.bracket("("), after: []))
        #expect(buffer.add(")") == .complete([.statement("Person |\n(age > 3\n)")]))
    }

    @Test func `A semicolon ends a statement, except in strings and brackets`() {
        var buffer = StatementBuffer()
        #expect(
            buffer.add("a; b == 'x;y'; group(c; @count); d |")
                == .needs(
                    .stage,
                    after: [
                        .statement("a"), .statement(" b == 'x;y'"), .statement(" group(c; @count)"),
                    ]))
        #expect(buffer.add("e;") == .complete([.statement(" d |\ne")]))
    }

    @Test func `A string continues over lines with any content`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("name == 'a") == .needs(.quote("'"), after: []))
        #expect(buffer.add(".quit; \\' \"") == .needs(.quote("'"), after: []))
        #expect(
            buffer.add("b' AND x") == .complete([.statement("name == 'a\n.quit; \\' \"\nb' AND x")])
        )
    }

    @Test func `A system command extends to the end of its line`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add(" ! grep 'a;") == .complete([.statement("Person |\n ! grep 'a;")]))
    }

    @Test func `Spaces and comments are ignored`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("") == .complete([]))
        #expect(buffer.add("  -- only words; and a (") == .complete([]))
        #expect(buffer.add("Person -- all") == .complete([.statement("Person -- all")]))
    }

    @Test func `A line that starts with a dot is a command, except within a statement`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("  .mode csv") == .complete([.command(".mode csv")]))
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add(".mode csv") == .complete([.statement("Person |\n.mode csv")]))
        #expect(buffer.add(".5") == .complete([.statement(".5")]))
    }

    @Test func `An invalid line ends the statement, so that its error is reported`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person (age > #") == .complete([.statement("Person (age > #")]))
        #expect(buffer.isEmpty)
    }

    @Test func `An endless statement ends at the maximum length of a query`() {
        var buffer = StatementBuffer()
        let line = String(repeating: "a", count: 100_000) + " ||"
        var lineCount = 0
        while case .needs = buffer.add(line) { lineCount += 1 }
        #expect(lineCount == 10)
    }

    @Test(arguments: [
        "| count", "  AND age > 3", "or x == 1", ", b = 2", ")", "}", "== 3", "!= 3", "&& x",
        "|| x", "+ 1", "SORT(age)", "limit (3)", "BETWEEN {1, 2}", "NOT IN {1}", "-- a comment", "",
    ])
    func `A line that begins as no statement does continues the one before`(line: String) {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person age > 30", mayContinue: true) == .complete([]))
        #expect(buffer.isComplete)
        #expect(buffer.take(before: line) == nil)
    }

    @Test(arguments: [
        "Person", "age > 3", ".mode csv", "_ | count", ":old", "order == 1", "Text x == 1",
        "sort == 1", "NOT age > 3", "(age > 3)", "!x",
    ])
    func `A line that can begin a statement ends the one before`(line: String) {
        var buffer = StatementBuffer()
        _ = buffer.add("Person age > 30", mayContinue: true)
        #expect(buffer.take(before: line) == .statement("Person age > 30"))
        #expect(buffer.isEmpty)
    }

    @Test func `Nothing continues a system command or a line that cannot be read`() {
        var buffer = StatementBuffer()
        #expect(
            buffer.add("Person | ! wc", mayContinue: true)
                == .complete([.statement("Person | ! wc")]))
        #expect(
            buffer.add("Person # 3", mayContinue: true) == .complete([.statement("Person # 3")]))
    }
}
