import FirnFormats
import FirnTesting
import Testing

@Suite("Words of command lines in messages")
struct ShellWordTests {
    /// A quote with a combining accent was not escaped, and ended the word.
    @Test(
        "A shell reads a quoted word unchanged, and nothing after it", .tags(.security),
        arguments: [
            "plain.csv", "a b", "it's", "'; touch x; '", "a'\u{301}; touch x; '", "$(touch x)", "",
            "\\", "-n",
        ])
    func words(word: String) throws {
        let folder = TemporaryFolder()
        let result = try CommandRunner("/bin/sh").run(
            ["-c", "printf '%s|' \(ShellWord.quoted(word)); ls"], in: folder.path)
        #expect(result.outputText.utf8.elementsEqual((word + "|").utf8), "\(result)")
    }
}
