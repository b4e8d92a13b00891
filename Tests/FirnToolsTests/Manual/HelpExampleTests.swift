import ArgumentParser
import Testing

@testable import FirnTools

@Suite("The examples in the help")
struct HelpExampleTests {
    @Test(
        "Each example is one line, so that it can be copied", arguments: CommandName.allCases)
    func lines(command: CommandName) {
        let type = command.type
        let shown = Set(type.helpMessage(columns: 80).split(separator: "\n"))
        for line in type.configuration.discussion.split(separator: "\n")
        where line.hasPrefix("  ") {
            #expect(line.count <= 78, "\(line)")
            #expect(shown.contains(line), "\(line)")
        }
    }
}
