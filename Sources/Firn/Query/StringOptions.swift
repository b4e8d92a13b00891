import FirnQuery

/// How texts are compared.
public struct StringOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int8

    /// Makes options of bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Upper and lower case are equal.
    public static let caseInsensitive = StringOptions(rawValue: 1)

    /// Letters with and without accents are equal.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var comparisonOptions: Comparison.Options {
        var options: Comparison.Options = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
