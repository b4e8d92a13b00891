import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// The user's editor, which edits a text in a file.
struct TextEditor {
    /// The maximum size of the edited text, which can be longer than a query, but not unlimited.
    private static let textBytesMax = 16 << 20

    private let environment: CommandEnvironment

    init(_ environment: CommandEnvironment) { self.environment = environment }

    /// The command line of the editor: `$VISUAL`, `$EDITOR`, or else vi.
    var command: String {
        environment.variable("VISUAL") ?? environment.variable("EDITOR") ?? "vi"
    }

    /// Lets the user edit a text; the terminal must be in its normal mode.
    ///
    /// - Returns: the edited text, without the last line end; `nil` if it is unchanged.
    func edit(_ text: String) throws(CommandFailure) -> String? {
        let folder = environment.variable("TMPDIR") ?? "/tmp"
        let random = String(environment.services.entropy.random64(), radix: 36)
        let path = "\(folder)/firn-\(random).firnq"
        let written = Array((text + "\n").utf8)
        let result = written.withUnsafeBytes { bytes in
            Result { () throws(PlatformError) in
                try environment.services.files.open(path, .createNew).write(bytes, at: 0)
            }
        }
        do throws(PlatformError) { try result.get() } catch {
            throw .diagnostic(Diagnostic(error, "cannot write a file for the editor"))
        }
        // An error is ignored: a leftover file only takes space.
        defer { try? environment.services.files.remove(path) }
        try run(on: path)
        let edited: String
        do {
            let bytes = try PrivateFile(path).read(bytesMax: TextEditor.textBytesMax)
            edited = TextEditor.withoutLastLineEnd(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .diagnostic(Diagnostic(error, "cannot read the edited file"))
        }
        return edited == text ? nil : edited
    }

    private func run(on path: String) throws(CommandFailure) {
        let status: Int32
        do { status = try ShellCommand.runHere("\(command) \(TextEditor.quoted(path))") } catch {
            throw .diagnostic(Diagnostic(error, "cannot start the editor"))
        }
        guard status != 0 else { return }
        var diagnostic = Diagnostic(
            .usageArguments, "the editor exited with status \(status)")
        diagnostic.remedy = "set EDITOR to an installed editor"
        throw .diagnostic(diagnostic)
    }

    private static func withoutLastLineEnd(_ text: String) -> String {
        var utf8 = text.utf8[...]
        while utf8.last == UInt8(ascii: "\n") || utf8.last == UInt8(ascii: "\r") {
            utf8.removeLast()
        }
        return String(Substring(utf8))
    }

    /// Quotes a word for the shell, with any content.
    static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
