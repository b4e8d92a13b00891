import ArgumentParser
package import FirnEngine
import FirnValues

/// The version that a reading command reads.
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
        guard let reference = VersionReference(text: argument) else { return nil }
        self.reference = reference
    }
}

extension VersionReference {
    /// Parses `40`, `before-import` or `@-1`.
    package init?(text: String) {
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let number = UInt64(text) else { return nil }
            self = .number(LSN(number))
        } else if text.hasPrefix("@") {
            let digits = text.dropFirst(2)
            guard text.hasPrefix("@-"), !digits.isEmpty,
                digits.allSatisfy({ $0.isASCII && $0.isNumber }), let back = UInt64(digits)
            else { return nil }
            self = .back(back)
        } else {
            guard Freeze.problem(withName: text) == nil else { return nil }
            self = .freeze(text)
        }
    }
}
