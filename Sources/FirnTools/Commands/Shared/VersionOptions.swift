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
            guard Freeze.problem(withName: argument) == nil else { return nil }
            reference = .freeze(argument)
        }
    }
}
