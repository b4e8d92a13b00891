/// What may be drawn, from the environment.
enum TerminalStyle {
    /// Whether to colour output to a stream; the flag wins over the environment.
    static func usesColour(
        _ when: When, isTerminal: Bool, _ surroundings: Surroundings
    ) -> Bool {
        switch when {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if surroundings.variable("NO_COLOR") != nil { return false }
        if let force = surroundings.variable("CLICOLOR_FORCE"), force != "0" { return true }
        return isTerminal && surroundings.variable("TERM") != "dumb"
    }

    /// Whether lines may be drawn with characters outside of ASCII: unless the locale names
    /// another encoding than UTF-8.
    static func usesUnicode(_ surroundings: Surroundings) -> Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let locale = surroundings.variable(name)?.lowercased() else { continue }
            return locale.contains("utf-8") || locale.contains("utf8")
        }
        return true
    }

    /// The columns that a line may take; `nil` for as many as it needs.
    static func width(
        _ flag: Int?, isTerminal: Bool, _ surroundings: Surroundings
    ) -> Int? {
        if let flag { return flag }
        guard isTerminal else { return nil }
        if let text = surroundings.variable("COLUMNS"), let columns = Int(text), columns > 0 {
            return columns
        }
        return surroundings.windowColumns ?? 80
    }
}
