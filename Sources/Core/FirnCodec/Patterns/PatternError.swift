import FirnValues

/// A mistake in a regular expression.
package struct PatternError: Error, Equatable {
    package let message: String
    /// The characters concerned, as indices of the scalars of the pattern.
    package let range: Range<Int>
    package let hint: String?
    /// Whether the pattern exceeds one of the ``PatternLimits``.
    package let isLimit: Bool

    init(_ message: String, _ range: Range<Int>, hint: String? = nil, isLimit: Bool = false) {
        self.message = message
        self.range = range
        self.hint = hint
        self.isLimit = isLimit
    }
}

/// The limits of a regular expression, which bound the time and memory of a match.
package enum PatternLimits {
    /// The highest count of a repetition such as `{1000}`.
    package static let repetitionMax = 1_000
    /// The maximum depth of nested groups.
    package static let nestingMax = 100
    /// The maximum number of steps of a compiled pattern.
    package static let programStepsMax = 5_000
}
