/// The limits of a query text, which bound the time and memory that a hostile text costs.
package enum QueryLimits {
    /// The length of a text.
    package static let textBytesMax = 1 << 20
    /// The nesting depth of parentheses, lists, calls, NOT and minus signs.
    package static let nestingMax = 128
    /// The number of steps in a path.
    package static let pathSegmentsMax = 64
    /// The nesting depth of subqueries.
    package static let subqueryNestingMax = 8
    /// The nesting depth of operations in one computed value, and the number of operands in one
    /// chain.
    package static let computationDepthMax = 64
    /// The number of operations in one computed value.
    package static let computationSizeMax = 10_000
    /// The number of comparisons and other conditions in one text.
    static let termsMax = 100_000
    /// The number of elements in one list.
    package static let listElementsMax = 100_000
    /// The number of corners in all rings of a polygon.
    package static let polygonCornersMax = 10_000
    /// The number of characters (Unicode scalars) in a LIKE or MATCHES pattern.
    package static let patternScalarsMax = 10_000
    /// The length of one number.
    static let numberBytesMax = 1_000
}
