import FirnPlatform

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
