package import FirnCodec
import FirnValues

/// A comparison whose sides can both have several values: `ALL a == ANY b`, `ANY a + 1 > 3`.
///
/// Each side has groups of values. A path through several `[*]` of an Any has one group for each
/// innermost collection, and any other path has one group for each object. The comparison holds
/// if it holds for any group of the left and any group of the right side.
package struct ElementComparison: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// The order of two values, with the nulls of `BoundPredicate.compareColumns`.
        case compare(ComparisonOperator)
        /// A text or Data matched against another one.
        case match(TextPattern.Kind, TextPattern.Options)
        /// A value between the two constants on the right, inclusive.
        case between
        /// The groups are equal: their values, and for lists also the order.
        case wholes
    }

    package struct Side: Hashable, Sendable {
        package let quantifier: Quantifier
        /// The values.
        ///
        /// ``BoundExpression/mapped(_:)`` inside it is each value of a path in turn, and a constant
        /// list is each of its elements. Any other expression has one value for each object.
        package let value: BoundExpression

        package init(_ quantifier: Quantifier, _ value: BoundExpression) {
            self.quantifier = quantifier
            self.value = value
        }
    }

    /// The outer side.
    package let left: Side
    package let test: Test
    package let right: Side

    package init(_ left: Side, _ test: Test, _ right: Side) {
        self.left = left
        self.test = test
        self.right = right
    }
}

extension BoundExpression {
    /// The path whose values the expression has in turn; `nil` if it has one value for each object.
    package var elementPath: BoundPath? {
        switch self {
        case .mapped(let path): path
        case .reduction(_, let path): path.hasInnerCollections ? path : nil
        case .arithmetic(_, let left, let right): left.elementPath ?? right.elementPath
        case .moved(let date, _): date.elementPath
        case .function(_, let arguments):
            arguments.lazy.compactMap(\.elementPath).first
        case .constant, .column, .path, .subqueryCount, .aggregate, .typeName, .condition: nil
        }
    }
}

extension BoundPath {
    /// The path to the innermost collections, and the steps inside each of them.
    ///
    /// - Returns: `nil` unless the path leads to several collections inside an Any.
    package var innerCollections: (collections: BoundPath, inner: [Inner])? {
        guard case .nested(let property, let steps) = terminal, measure == nil,
            let last = steps.lastIndex(where: { $0 == .all || $0 == .keys }),
            steps[..<last].contains(.all)
        else { return nil }
        let outer = Array(steps[..<last])
        let path = BoundPath(
            root: root, steps: self.steps, terminal: .nested(property, outer),
            type: PropertyType(.any, isOptional: true),
            name: Canonical.path(self.steps, .nested(property, outer), nil))
        return (path, Array(steps[last...]))
    }

    /// Whether quantifiers and aggregates apply to each of several collections.
    package var hasInnerCollections: Bool { innerCollections != nil }
}
