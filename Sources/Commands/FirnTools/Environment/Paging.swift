import ArgumentParser
import FirnFormats
import FirnPlatform
import FirnValues

/// The option of commands whose result may be longer than the screen.
///
/// The option is read before parsing, because help text can be long too.
struct PagerOptions: ParsableArguments {
    @Flag(name: .long, help: "Do not use a pager, even if the result is longer than the screen.")
    var noPager = false
}

extension CommandEnvironment {
    /// Returns the pager for the output of a command line; `nil` if there is no terminal or the
    /// user disabled paging.
    func pages(for words: [String]) -> PagedSink? {
        guard outputIsTerminal, let windowRows, let pager = UserPager.command(self) else {
            return nil
        }
        let options = words.prefix { $0 != "--" }
        guard !options.contains("--no-pager") else { return nil }
        let asksForHelp = options.contains("--help") || options.contains("-h")
        guard asksForHelp || CommandEnvironment.isPaged(CommandLineWords(words).command) else {
            return nil
        }
        return PagedSink(output, rows: windowRows, pager: pager)
    }

    private static func isPaged(_ command: String?) -> Bool {
        switch command {
        case nil, "help", CommandName.query.rawValue, CommandName.log.rawValue,
            CommandName.diff.rawValue, CommandName.schema.rawValue:
            true
        default: false
        }
    }
}

/// The pager for output longer than the screen.
package enum UserPager {
    /// Returns its command line: `$FIRN_PAGER`, `$PAGER`, or less if it is installed; `nil` for
    /// none.
    package static func command(_ environment: CommandEnvironment) -> String? {
        // A terminal that cannot move its cursor cannot use a pager.
        guard environment.variable("TERM") != "dumb" else { return nil }
        let chosen = environment.variable("FIRN_PAGER") ?? environment.variable("PAGER")
        guard let chosen else {
            // Colours are shown, long lines are truncated, and the screen is not cleared.
            return isThere("less", environment) ? "less -RSFX" : nil
        }
        let program = chosen.split(separator: " ").first.map {
            PathName.lastComponent(of: String($0))
        }
        // Users disable paging in this way.
        return program == nil || program == "cat" ? nil : chosen
    }

    /// Returns whether a program of that name exists in the folders of `$PATH`.
    private static func isThere(_ program: String, _ environment: CommandEnvironment) -> Bool {
        guard let path = environment.variable("PATH") else { return false }
        return path.split(separator: ":").contains { folder in
            // A folder that cannot be read is skipped.
            (try? environment.services.files.status(of: "\(folder)/\(program)"))?.kind == .regular
        }
    }
}
