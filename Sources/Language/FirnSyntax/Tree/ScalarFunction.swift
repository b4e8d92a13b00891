import FirnValues

/// The functions of values, by the words that call them.
package enum ScalarFunction: String, Hashable, Sendable, CaseIterable {
    case upper, lower, trim, length, substring, replace, split, extract, substitute, concat
    case round, floor, ceil, abs, sign, min, max, power, sqrt, exp, ln, log
    case coalesce
    /// The second value if the first, a Bool, is true; otherwise the third.
    case `if`
    case year, quarter, month, week, day, yearday, weekday, hour, minute, second
    case truncate, difference, add, format
    case int, double, decimal, text, bool, date
}
