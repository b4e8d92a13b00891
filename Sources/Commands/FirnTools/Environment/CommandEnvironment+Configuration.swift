import FirnFormats
import FirnPlatform
import FirnValues

extension CommandEnvironment {
    /// Returns the environment of a command line with the user's settings, if there are any.
    ///
    /// - Throws: `config.unreadable` and `config.invalid`.
    func configured(for words: [String]) throws(CommandFailure) -> CommandEnvironment {
        // An invalid file must not prevent help or the start of a shell.
        guard let command = CommandLineWords(words).command,
            !["help", CommandName.completions.rawValue].contains(command),
            !CommandEnvironment.asksForHelp(words)
        else { return self }
        guard let configuration = try configuration(ConfigurationChoice(words)) else { return self }
        var environment = self
        let variable = variable
        environment.variable = { configuration.variable($0, variable) }
        environment.configuration = configuration
        return environment
    }

    private static func asksForHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { ["-h", "--help", "--version"].contains($0) }
    }

    private func configuration(
        _ choice: ConfigurationChoice
    ) throws(CommandFailure) -> Configuration? {
        switch choice {
        case .none: return nil
        case .file(let path): return try Configuration(readText(path), path: path)
        case .usual:
            guard let path = usualPath else { return nil }
            do {
                guard try services.files.status(of: path) != nil else { return nil }
            } catch {
                // A home that is not a folder has no settings.
                guard error.code != .notFound else { return nil }
                throw unreadable(path, Diagnostic.classify(error).reason)
            }
            return try Configuration(readText(path), path: path)
        }
    }

    /// `$XDG_CONFIG_HOME/firn/config`, or else `~/.config/firn/config`.
    private var usualPath: String? {
        // The specification of these folders requires that a relative path is ignored.
        if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return folder + "/firn/config"
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/firn/config"
    }

    private func readText(_ path: String) throws(CommandFailure) -> String {
        do {
            return try SmallText.read(path, called: "the text", bytesMax: 64 << 10, self)
        } catch {
            guard case .diagnostic(let diagnostic) = error else { throw error }
            throw unreadable(path, diagnostic.message)
        }
    }

    private func unreadable(_ path: String, _ reason: String) -> CommandFailure {
        var diagnostic = Diagnostic(
            .configUnreadable, "cannot read the settings in \(SafeText.escaping(path)): \(reason)")
        diagnostic.file = path
        diagnostic.remedy = "ignore them with --no-config"
        return .diagnostic(diagnostic)
    }
}

/// The source of the settings of a command line.
enum ConfigurationChoice: Hashable {
    /// The default file of the user.
    case usual
    case file(String)
    case none

    /// The last of several options takes precedence, as with other options.
    init(_ words: [String]) {
        self = .usual
        let words = words.prefix { $0 != "--" }
        for (index, word) in words.enumerated() {
            if word == "--no-config" {
                self = .none
            } else if word == "--config", index + 1 < words.count {
                self = .file(words[index + 1])
            } else if word.hasPrefix("--config=") {
                self = .file(String(word.dropFirst("--config=".count)))
            }
        }
    }
}
