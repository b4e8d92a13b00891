import FirnTesting
import Testing

@testable import FirnTools

/// The output of `firn help` is in Tests/Fixtures/Help. After a change, this test shows the text
/// that users will read; update the files with:
///
///     for name in Tests/Fixtures/Help/*; do
///         name=$(basename "$name" .txt)
///         firn help ${name#firn} > "Tests/Fixtures/Help/$name.txt" < /dev/null
///     done
@Suite("The help of the firn program")
struct HelpProgramTests {
    private static let names =
        ["firn"] + CommandName.allCases.map(\.rawValue) + HelpTopic.allCases.map(\.rawValue)

    @Test("firn help prints the text of the fixtures in 80 columns", arguments: names)
    func texts(name: String) throws {
        let firn = CommandRunner(try builtExecutable(named: "firn"))
        let expected = String(decoding: try Fixtures.bytes("Help/\(name).txt"), as: UTF8.self)
        let run = try firn.run(["help"] + (name == "firn" ? [] : [name]), input: "")
        #expect(run.status == 0 && run.errorText.isEmpty, "\(run)")
        let (found, wanted) = (lines(run.outputText), lines(expected))
        for (index, line) in found.enumerated() {
            #expect(index < wanted.count && line == wanted[index], "line \(index + 1)")
            #expect(line.count <= 80, "\(line)")
        }
        #expect(found.count == wanted.count)
        guard let command = CommandName(rawValue: name) else { return }
        let asked = try firn.run([command.rawValue, "--help"], input: "")
        #expect(asked.status == 0 && asked.outputText == run.outputText, "\(asked)")
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
