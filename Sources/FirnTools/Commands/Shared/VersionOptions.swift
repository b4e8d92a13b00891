import ArgumentParser
import FirnEngine
import FirnValues

/// Which version a reading command reads.
struct VersionOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Read an older version: its number, the name of a freeze, or @-N for N commits back.",
            valueName: "VERSION|NAME|@-N"))
    var version: VersionArgument?

    var reference: VersionReference? { version?.reference }
}

/// `40`, `before-import`, `@-1`.
struct VersionArgument: ExpressibleByArgument, Hashable {
    let reference: VersionReference

    init?(argument: String) {
        if !argument.isEmpty, argument.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let number = UInt64(argument) else { return nil }
            reference = .number(LSN(number))
        } else if argument.hasPrefix("@") {
            let digits = argument.dropFirst(2)
            guard argument.hasPrefix("@-"), !digits.isEmpty,
                digits.allSatisfy({ $0.isASCII && $0.isNumber }), let back = UInt64(digits)
            else { return nil }
            reference = .back(back)
        } else {
            guard FreezeName.problem(of: argument) == nil else { return nil }
            reference = .freeze(argument)
        }
    }
}

/// What a freeze may be called.
enum FreezeName {
    static let bytesMax = 255

    /// Why a text cannot be the name of a freeze; `nil` if it can.
    ///
    /// A name must not look like anything else that stands for a version, nor like an option.
    static func problem(of name: String) -> String? {
        if name.isEmpty { return "a name has at least one character" }
        if name.utf8.count > bytesMax { return "a name has at most \(bytesMax) bytes" }
        if name.allSatisfy({ $0.isASCII && $0.isNumber }) {
            return "a number stands for a version, so it cannot be a name"
        }
        if name.hasPrefix("@") || name.hasPrefix("-") {
            return "a name does not begin with @ or -"
        }
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control
        }
        if name.contains("/") || name.unicodeScalars.contains(where: isControl) {
            return "a name has no / and no control characters"
        }
        return nil
    }
}
