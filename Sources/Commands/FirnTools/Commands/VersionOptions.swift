import ArgumentParser
package import FirnEngine
import FirnFormats
import FirnValues

/// The version that a reading command reads.
struct VersionOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            """
            Read an older version: its number, the name of a freeze, @-N for N commits back, @-1h \
            or 2026-01-31T10:00 for the newest version of that time, or head.
            """,
            valueName: "VERSION|NAME|@-N|TIME"))
    var version: VersionArgument?

    var reference: VersionReference? { version?.reference }
}

/// `40`, `before-import`, `@-1`, `@-1h`, `2026-01-31T10:00`, `head`.
struct VersionArgument: ExpressibleByArgument, Hashable {
    let reference: VersionReference

    init?(argument: String) {
        guard let reference = VersionReference(text: argument) else { return nil }
        self.reference = reference
    }
}

extension VersionReference {
    /// Parses `40`, `before-import`, `@-1`, `@-1h`, `2026-01-31T10:00` or `head`.
    package init?(text: String) {
        if text == "head" {
            self = .head
        } else if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let number = UInt64(text) else { return nil }
            self = .number(LSN(number))
        } else if text.hasPrefix("@") {
            let digits = text.dropFirst(2)
            guard text.hasPrefix("@-"), !digits.isEmpty else { return nil }
            if digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
                guard let back = UInt64(digits) else { return nil }
                self = .back(back)
            } else {
                guard let span = TimeSpan(argument: String(digits)) else { return nil }
                self = .ago(nanoseconds: span.nanoseconds)
            }
        } else {
            guard Freeze.problem(withName: text) == nil else { return nil }
            self = .freeze(text)
        }
    }
}
