import FirnValues

/// The drawing capabilities, according to the environment.
enum TerminalStyle {
    /// Returns whether to colour output to a stream; the option overrides the environment.
    static func usesColour(
        _ when: When, isTerminal: Bool, _ environment: CommandEnvironment
    ) -> Bool {
        switch when {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if environment.variable("NO_COLOR") != nil { return false }
        if let force = environment.variable("CLICOLOR_FORCE"), force != "0" { return true }
        return isTerminal && environment.variable("TERM") != "dumb"
    }

    /// Returns whether tables can use characters outside ASCII: unless the locale names an encoding
    /// other than UTF-8.
    static func usesUnicode(_ environment: CommandEnvironment) -> Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let locale = environment.variable(name)?.lowercased() else { continue }
            return locale.contains("utf-8") || locale.contains("utf8")
        }
        return true
    }

    /// Returns the maximum width of a line; `nil` if it is unlimited.
    static func width(
        _ flag: Int?, isTerminal: Bool, _ environment: CommandEnvironment
    ) -> Int? {
        if let flag { return flag }
        guard isTerminal else { return nil }
        if let text = environment.variable("COLUMNS"), let columns = Int(text), columns > 0 {
            return columns
        }
        return environment.windowColumns ?? 80
    }
}
