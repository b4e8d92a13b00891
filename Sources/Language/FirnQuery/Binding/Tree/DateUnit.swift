import FirnValues

/// A unit of time to which dates are truncated, or which is added to and subtracted from dates.
package enum DateUnit: String, Hashable, Sendable, CaseIterable {
    case second, minute, hour, day, week, month, quarter, year

    /// Creates a unit from its name, in the singular or plural.
    package init?(name: String) {
        let name = name.lowercased()
        let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
        self.init(rawValue: singular)
    }

    /// The number of seconds; `nil` if it varies or depends on the zone.
    var fixedSeconds: Int64? {
        switch self {
        case .second: 1
        case .minute: 60
        case .hour: 3_600
        case .day, .week, .month, .quarter, .year: nil
        }
    }

    /// The number of months; `nil` for other units.
    var months: Int64? {
        switch self {
        case .month: 1
        case .quarter: 3
        case .year: 12
        case .second, .minute, .hour, .day, .week: nil
        }
    }
}

extension BoundExpression {
    /// The text, if the expression is a constant text.
    var constantText: String? {
        if case .constant(.string(let text)) = self { text } else { nil }
    }

    /// The number of parts of `date(year, month, day, hour, minute, second)`.
    static var dateParts: Int { 6 }

    /// The unit of time that a constant text names.
    var dateUnit: DateUnit? { constantText.flatMap { DateUnit(name: $0) } }
}
