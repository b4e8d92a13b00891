import FirnValues

/// A path from an object to a value, such as `dogs[0].name` or `lines.@sum.price`.
package struct Path: Hashable, Sendable {
    package struct Segment: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case name(String)
            /// `@count`, `@id`, `@links` and so on, with the `@`.
            case attribute(String)
            case index(Index)
            /// `%K`: the path given as an argument, with its index among the `%@` and `%K`.
            case placeholder(Int)
        }

        package let kind: Kind
        package let range: SourceRange

        package init(_ kind: Kind, range: SourceRange) {
            self.kind = kind
            self.range = range
        }
    }

    /// The content of brackets.
    package enum Index: Hashable, Sendable {
        case position(Int64)
        case key(String)
        case argument(String)
        /// A value argument: `%@`.
        case placeholder(Int)
        case first
        case last
        case size
        /// All elements: `[*]`.
        case all
    }

    /// The variable of a subquery that the path starts from, without the `$`.
    package let variable: String?
    /// The segments; there is at least one.
    package let segments: [Segment]
    package let range: SourceRange

    package init(variable: String? = nil, segments: [Segment], range: SourceRange) {
        self.variable = variable
        self.segments = segments
        self.range = range
    }
}
