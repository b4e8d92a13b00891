import FirnFormats
import FirnValues

/// The user's settings, which apply to all commands unless an option or a variable overrides them.
///
/// Settings are read from a file of lines, and never from the working directory: a user who can
/// write there must not control commands.
///
///     # my settings
///     format = box
///     wait = 30s
struct Configuration: Hashable {
    let path: String
    private(set) var values: [ConfigurationSetting: String] = [:]

    /// - Throws: `config.invalid`, with the line, if the text is invalid.
    init(_ text: String, path: String) throws(CommandFailure) {
        self.path = path
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        )
        .enumerated() {
            let line = Configuration.trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do { try read(line) } catch {
                throw .diagnostic(error.diagnostic(in: path, line: index + 1))
            }
        }
    }

    private mutating func read(_ line: Substring) throws(ConfigurationMistake) {
        guard let (left, right) = line.cut(at: "=") else {
            throw ConfigurationMistake("\"\(line)\" is not of the form NAME = VALUE")
        }
        let name = Configuration.trimmed(left)
        guard let setting = ConfigurationSetting(rawValue: String(name)) else {
            throw ConfigurationMistake(
                "there is no setting \"\(name)\"", meant: String(name),
                among: ConfigurationSetting.allCases.map(\.rawValue))
        }
        guard values[setting] == nil else {
            throw ConfigurationMistake("\(name) is already set above")
        }
        let value = String(Configuration.trimmed(right))
        guard setting.accepts(value) else {
            throw ConfigurationMistake(
                "\(name) cannot be \"\(value)\"; expected \(setting.forms)", meant: value,
                among: setting.values)
        }
        values[setting] = value
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { text[...$0].drop(while: \.isWhitespace) } ?? ""
    }

    /// Returns the value of a variable, from the environment or else from these settings.
    func variable(_ name: String, _ real: (String) -> String?) -> String? {
        if let value = real(name) { return value }
        for (setting, value) in values where setting.variables.contains(name) {
            // Either variable in the environment overrides the color setting.
            guard setting.variables.allSatisfy({ real($0) == nil }) else { return nil }
            return setting.value(of: name, for: value)
        }
        return nil
    }
}

/// An error in a line of the settings.
struct ConfigurationMistake: Error {
    let message: String
    var suggestions: [String] = []

    /// - Parameters:
    ///   - meant: the word in the line.
    ///   - names: the valid words.
    init(_ message: String, meant: String = "", among names: [String] = []) {
        self.message = message
        suggestions = NearestNames.misspelt(meant, among: names)
    }

    func diagnostic(in path: String, line: Int) -> Diagnostic {
        var diagnostic = Diagnostic(
            .configInvalid,
            "\(SafeText.escaping(path)):\(line): \(SafeText.escaping(message))")
        diagnostic.file = path
        diagnostic.position = Diagnostic.Position(line: UInt64(line))
        diagnostic.suggestions = suggestions
        diagnostic.remedy =
            suggestions.first.map { "did you mean \"\($0)\"?" }
            ?? "correct the line, or ignore the file with --no-config"
        return diagnostic
    }
}
