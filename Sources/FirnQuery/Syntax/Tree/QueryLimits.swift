/// What a query text may not exceed, so that hostile text costs bounded time and memory.
package enum QueryLimits {
    /// The length of a text.
    package static let textBytesMax = 1 << 20
    /// Parentheses, lists, calls, NOT and minus signs inside of each other.
    package static let nestingMax = 128
    /// Steps of one path.
    package static let pathSegmentsMax = 64
    /// Subqueries inside of each other.
    package static let subqueryNestingMax = 8
    /// Operations inside of each other in one computed value, and operands of one chain.
    package static let computationDepthMax = 64
    /// Operations of one computed value.
    package static let computationSizeMax = 10_000
    /// Comparisons and other conditions in one text.
    package static let termsMax = 100_000
    /// Elements of one list.
    package static let listElementsMax = 100_000
    /// Corners of all rings of a polygon.
    package static let polygonCornersMax = 10_000
    /// Characters (Unicode scalars) of a LIKE or MATCHES pattern.
    package static let patternScalarsMax = 10_000
    /// The length of one number.
    package static let numberBytesMax = 1_000
}
