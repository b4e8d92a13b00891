import ArgumentParser
import FirnPlatform
import FirnTesting
import Testing

@testable import FirnServe

@Suite("The manual of firn serve")
struct ManualTests {
    private func lines(of name: String, file: String = #filePath) throws -> [Substring] {
        let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
        return try Fixtures.text(at: "/\(root)/man/man1/\(name)").split(separator: "\n")
    }

    @Test("The manual page explains exactly the options of the parser")
    func options() throws {
        let help = ServeCommand.helpMessage()
        let parsed = Set(
            help.matches(of: /^  (?:-[a-z], )?(--[a-z-]+)/.anchorsMatchLineEndings()).map { $0.1 })
        let page = try lines(of: "firn-serve.1").filter { $0.hasPrefix(".It Fl ") }
        let explained = Set(
            page.flatMap { line in line.matches(of: /-([a-z]+(?:-[a-z]+)*)/).map { "--\($0.1)" } })
        let common = ["--version", "--help"]
        #expect(Set(parsed.map(String.init)).subtracting(common) == explained)
    }

    @Test("The page explains every path of the interface")
    func paths() throws {
        let text = try lines(of: "firn-serve.1").joined(separator: "\n")
        for route in Router.standard.routes {
            #expect(text.contains(route.path), "\(route.path)")
        }
    }
}
