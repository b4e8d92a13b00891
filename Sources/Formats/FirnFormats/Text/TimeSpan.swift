import FirnValues

/// `250ms`, `5s`, `2m`, `1h`, `7d`, `2w`, `0`.
package struct TimeSpan: Hashable {
    /// The accepted forms, for help and errors.
    package static let forms = "250ms, 5s, 2m, 1h, 7d or 2w"

    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits) else { return nil }
        let unit: UInt64
        switch argument[digits.endIndex...] {
        case "ms": unit = 1_000_000
        case "s": unit = 1_000_000_000
        case "m": unit = 60_000_000_000
        case "h": unit = 3_600_000_000_000
        case "d": unit = 86_400_000_000_000
        case "w": unit = 604_800_000_000_000
        case "" where number == 0: unit = 1
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        if overflow { return nil }
        nanoseconds = product
    }

    /// The seconds, rounded up.
    package var seconds: UInt64 {
        (nanoseconds / 1_000_000_000) + (nanoseconds % 1_000_000_000 == 0 ? 0 : 1)
    }

    /// The text for people.
    package var text: String {
        nanoseconds % 1_000_000_000 == 0
            ? Formatting.age(seconds) : "\(Formatting.count(nanoseconds / 1_000_000)) ms"
    }
}
