import FirnQuery
import Testing

@testable import FirnShell

@Suite struct StatementBufferTests {
    private func missing(_ line: String) -> StatementScanner.Missing? {
        var buffer = StatementBuffer()
        if case .needs(let missing, _) = buffer.add(line) { return missing }
        return nil
    }

    @Test func `A line that is complete is a statement`() {
        var buffer = StatementBuffer()
        #expect(
            buffer.add("Person age > 30 SORT(age)")
                == .complete([.statement("Person age > 30 SORT(age)")]))
        #expect(buffer.isEmpty)
    }

    @Test func `What stands behind the last sign decides what is missing`() {
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

    @Test func `Lines go together until nothing is missing`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add("(age > 3") == .needs(.bracket("("), after: []))
        #expect(buffer.add(")") == .complete([.statement("Person |\n(age > 3\n)")]))
    }

    @Test func `A semicolon ends a statement, and not in strings and brackets`() {
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

    @Test func `A string goes on over lines, whatever stands in them`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("name == 'a") == .needs(.quote("'"), after: []))
        #expect(buffer.add(".quit; \\' \"") == .needs(.quote("'"), after: []))
        #expect(
            buffer.add("b' AND x") == .complete([.statement("name == 'a\n.quit; \\' \"\nb' AND x")])
        )
    }

    @Test func `A command of the system goes to the end of its line`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add(" ! grep 'a;") == .complete([.statement("Person |\n ! grep 'a;")]))
    }

    @Test func `Blanks and comments are nothing`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("") == .complete([]))
        #expect(buffer.add("  -- only words; and a (") == .complete([]))
        #expect(buffer.add("Person -- all") == .complete([.statement("Person -- all")]))
    }

    @Test func `A line that begins with a dot is a command, but not within a statement`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("  .mode csv") == .complete([.command(".mode csv")]))
        #expect(buffer.add("Person |") == .needs(.stage, after: []))
        #expect(buffer.add(".mode csv") == .complete([.statement("Person |\n.mode csv")]))
        #expect(buffer.add(".5") == .complete([.statement(".5")]))
    }

    @Test func `What cannot be read at all ends with its line, for its error to be told`() {
        var buffer = StatementBuffer()
        #expect(buffer.add("Person (age > #") == .complete([.statement("Person (age > #")]))
        #expect(buffer.isEmpty)
    }

    @Test func `An endless statement ends when no query could be so long`() {
        var buffer = StatementBuffer()
        let line = String(repeating: "a", count: 100_000) + " ||"
        var lineCount = 0
        while case .needs = buffer.add(line) { lineCount += 1 }
        #expect(lineCount == 10)
    }
}
