import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import Testing

@testable import FirnShell

@Suite struct DestinationTests {
    let harness = ShellHarness()

    @Test func `Errors name the output file`() throws {
        let environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: MemorySink(), errors: MemorySink())
        let path = harness.folder("out.csv")
        let destination = try Destination(.file(path), pager: nil, environment)
        #expect(destination.environment.outputName == path)
        destination.abandon()
        let screen = try Destination(.standard, pager: nil, environment)
        #expect(screen.environment.outputName == "standard output")
    }
}
