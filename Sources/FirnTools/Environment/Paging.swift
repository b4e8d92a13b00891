import ArgumentParser
import FirnPlatform

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
