import FirnEngine
import FirnFormats
import FirnValues

/// A setting of a configuration file, equivalent to an option for one command line or a variable
/// for one shell.
enum ConfigurationSetting: String, CaseIterable {
    case format
    case color
    case errors
    case wait
    case author
    case pager

    /// The equivalent variables, any of which overrides the setting.
    var variables: [String] {
        switch self {
        case .format: ["FIRN_FORMAT"]
        case .color: ["NO_COLOR", "CLICOLOR_FORCE"]
        case .errors: ["FIRN_ERRORS"]
        case .wait: ["FIRN_WAIT"]
        case .author: ["FIRN_AUTHOR"]
        case .pager: ["FIRN_PAGER"]
        }
    }

    /// Returns the value of a variable that is equivalent to a value of this setting; `nil` if the
    /// variable is unset.
    func value(of variable: String, for value: String) -> String? {
        guard self == .color else { return variables.contains(variable) ? value : nil }
        switch (variable, value) {
        case ("NO_COLOR", When.never.rawValue): return "1"
        case ("CLICOLOR_FORCE", When.always.rawValue): return "1"
        default: return nil
        }
    }

    /// Returns whether a text is a valid value of this setting.
    func accepts(_ value: String) -> Bool {
        switch self {
        case .wait: TimeSpan(argument: value) != nil
        case .author: Annotation.isAuthor(value)
        // Any command line is accepted.
        case .pager: !value.isEmpty
        case .format, .color, .errors: values.contains(value)
        }
    }

    /// The values, if they can be listed.
    var values: [String] {
        switch self {
        case .format: RowFormat.allCases.filter { !$0.isBinary }.map(\.rawValue)
        case .color: When.allCases.map(\.rawValue)
        case .errors: ErrorStyle.allCases.map(\.rawValue)
        case .wait, .author, .pager: []
        }
    }

    /// The forms of valid values.
    var forms: String {
        switch self {
        case .wait: "\(TimeSpan.forms), or 0"
        case .author: "a name of at most \(Annotation.authorByteCountMaximum) bytes"
        case .pager: "a command line"
        case .format, .color, .errors: values.joined(separator: ", ")
        }
    }
}
