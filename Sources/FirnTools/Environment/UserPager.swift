import FirnPlatform

/// The program that shows what does not fit the screen.
package enum UserPager {
    /// Its command line: `$FIRN_PAGER`, `$PAGER`, or less if it is there; `nil` for none.
    package static func command(_ environment: CommandEnvironment) -> String? {
        // Readline or not, a terminal that cannot move its cursor has no use for a pager.
        guard environment.variable("TERM") != "dumb" else { return nil }
        let chosen = environment.variable("FIRN_PAGER") ?? environment.variable("PAGER")
        guard let chosen else {
            // Colours are shown, long lines are cut, the screen is not cleared.
            return isThere("less", environment) ? "less -RSFX" : nil
        }
        let program = chosen.split(separator: " ").first.map {
            PathName.lastComponent(of: String($0))
        }
        // That is how users ask for none.
        return program == nil || program == "cat" ? nil : chosen
    }

    /// Whether there is a program of that name in the folders of `$PATH`.
    private static func isThere(_ program: String, _ environment: CommandEnvironment) -> Bool {
        guard let path = environment.variable("PATH") else { return false }
        return path.split(separator: ":").contains { folder in
            // A folder that cannot be looked into has nothing for us.
            (try? environment.services.files.status(of: "\(folder)/\(program)"))?.kind == .regular
        }
    }
}
