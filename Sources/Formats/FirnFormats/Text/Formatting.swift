import FirnValues

/// Formats numbers for people.
package enum Formatting {
    /// Returns a size such as `4.0 KiB`, `12 B` or `1.5 GiB`.
    package static func bytes(_ count: UInt64) -> String {
        guard count >= 1024 else { return "\(count) B" }
        var value = Double(count) / 1024
        var unit = 0
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return tenths >= 1000
            ? "\(tenths / 10) \(units[unit])"
            : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Returns a time such as `0.4 ms` or `1.25 s`.
    package static func time(_ nanoseconds: UInt64) -> String {
        if nanoseconds < 1_000_000_000 {
            let tenths = nanoseconds / 100_000
            return "\(tenths / 10).\(tenths % 10) ms"
        }
        let hundredths = nanoseconds / 10_000_000
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
    }

    /// Formats a duration: `38 s`, `5 min`, `3 h`, `3 days`.
    package static func age(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(count(seconds / 86_400)) days"
        }
    }

    /// Returns a number such as `336,776`.
    package static func count(_ number: UInt64) -> String { CountText.grouped(number) }

    /// Returns a number with its noun, such as `1 row` or `2 rows`.
    package static func count(_ number: UInt64, _ noun: String) -> String {
        CountText.of(number, noun)
    }
}
