import FirnValues

/// What a configuration file can say: what a flag says for one command line, and a variable for one
/// shell.
enum ConfigurationSetting: String, CaseIterable {
    case format
    case color
    case errors
    case wait
    case pager

    /// The variables that mean the same, and win: one of these is enough.
    var variables: [String] {
        switch self {
        case .format: ["FIRN_FORMAT"]
        case .color: ["NO_COLOR", "CLICOLOR_FORCE"]
        case .errors: ["FIRN_ERRORS"]
        case .wait: ["FIRN_WAIT"]
        case .pager: ["FIRN_PAGER"]
        }
    }

    /// The value of a variable that means the same as a value of this setting; `nil` if that
    /// variable is to stay unset.
    func value(of variable: String, for value: String) -> String? {
        guard self == .color else { return variables.contains(variable) ? value : nil }
        switch (variable, value) {
        case ("NO_COLOR", When.never.rawValue): return "1"
        case ("CLICOLOR_FORCE", When.always.rawValue): return "1"
        default: return nil
        }
    }

    /// Whether a text is a value of this setting.
    func accepts(_ value: String) -> Bool {
        switch self {
        case .wait: TimeSpan(argument: value) != nil
        // Whatever command line the user likes.
        case .pager: !value.isEmpty
        case .format, .color, .errors: values.contains(value)
        }
    }

    /// The values that can be listed.
    var values: [String] {
        switch self {
        case .format: RowFormat.allCases.map(\.rawValue)
        case .color: When.allCases.map(\.rawValue)
        case .errors: ErrorStyle.allCases.map(\.rawValue)
        case .wait, .pager: []
        }
    }

    /// What its values look like.
    var forms: String {
        switch self {
        case .wait: "\(TimeSpan.forms), or 0"
        case .pager: "a command line"
        case .format, .color, .errors: values.joined(separator: ", ")
        }
    }
}
