import Testing

@testable import FirnShell

@Suite struct DotCommandNameTests {
    @Test(arguments: DotCommandName.allCases)
    func `A command has a line of help, and arguments where its usage has some`(
        _ name: DotCommandName
    ) {
        #expect(!name.summary.isEmpty && !name.summary.hasSuffix("."))
        #expect(name.arguments.isEmpty == name.usage.isEmpty)
    }
}
