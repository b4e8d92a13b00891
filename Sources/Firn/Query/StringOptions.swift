import FirnQuery

/// Options for comparing strings.
public struct StringOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int8

    /// Creates options from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Ignores the difference between uppercase and lowercase letters.
    public static let caseInsensitive = StringOptions(rawValue: 1)

    /// Ignores diacritics, such as accents.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var comparisonOptions: Comparison.Options {
        var options: Comparison.Options = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
