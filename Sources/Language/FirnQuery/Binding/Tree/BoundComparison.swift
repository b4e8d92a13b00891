package import FirnCodec
package import FirnSyntax
package import FirnValues

/// A comparison of the values of an object with constants, or with other values.
///
///     age > 3               column(age)            constant(> 3)
///     price < list * 0.9    column(price)          relation(<, list * 0.9)
///     NONE tags == name     NONE mapped(tags)      relation(==, column(name))
///     ALL a + 1 > ANY b     ALL mapped(a) + 1      relation(>, ANY mapped(b))
///
/// A path through several `[*]` of an Any has one group of values for each innermost collection, and
/// any other path has one group for each object. A comparison of two sides holds if it holds for any
/// group of the left and any group of the right side. Tests with constants have no groups.
package struct BoundComparison: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        /// The quantifier of the values; ANY if there is only one.
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

        /// A side with one value for each object.
        package init(_ value: BoundExpression) { self.init(.any, value) }

        /// Whether there is one value for each object.
        package var isSingle: Bool {
            if case .constant(.list) = value { false } else { value.elementPath == nil }
        }
    }

    package enum Test: Hashable, Sendable {
        /// A comparison with constants that fit the type of the value.
        ///
        /// For a number, the constants are numbers of any kind; otherwise they have the kind of the
        /// value.
        case constant(ColumnTest)
        /// Several tests with constants.
        case list(ListTest)
        /// The collection has exactly these elements.
        ///
        /// For a list, the values are in its order; for a set, in the order of sets. For a map, the
        /// only supported test is whether it is empty. The condition never holds if there is no object
        /// that could have the collection.
        case isCollection([Value])
        /// A comparison with another side.
        case relation(Relation, Side)
    }

    /// A relation between two values, or between two groups of values.
    package enum Relation: Hashable, Sendable {
        /// The order of two values.
        ///
        /// Null equals null. `<` and `>` never hold with a null; `<=` and `>=` hold if both are null.
        /// `!=` is the complement of `==`.
        case compare(ComparisonOperator)
        /// A text or Data matched against another: `name BEGINSWITH[c] city`.
        ///
        /// Null is LIKE, and equal to, only null.
        case match(TextPattern.Kind, TextPattern.Options)
        /// A value between the two constants on the right, inclusive.
        case between
        /// The groups are equal: their values and, for lists, their order.
        case wholes
    }

    /// The outer side.
    package let left: Side
    package let test: Test

    package init(_ left: Side, _ test: Test) {
        self.left = left
        self.test = test
    }

    /// The other side; `nil` if the left one is compared with constants of the test.
    package var right: Side? {
        if case .relation(_, let right) = test { right } else { nil }
    }

    /// The path whose values are compared one by one; `nil` if the left side is something else.
    package var eachPath: BoundPath? {
        if case .mapped(let path) = left.value { path } else { nil }
    }

    /// The two columns whose values can be compared page by page; `nil` for any other comparison.
    var columns: (left: BoundColumn, operator: ComparisonOperator, right: BoundColumn)? {
        guard case .relation(.compare(let operation), let right) = test,
            case .column(let first) = left.value,
            case .column(let second) = right.value,
            first.type.base == second.type.base || first.type.isNumeric,
            first.type.base != .any, second.type.base != .any
        else { return nil }
        return (first, operation, second)
    }
}

/// Several tests of one value; either any or all of them must pass.
package struct ListTest: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case test(ColumnTest)
        case list(ListTest)
    }

    /// The quantifier: any or all.
    package let quantifier: Quantifier
    package let tests: [Part]
    /// The operator and the list, in canonical form.
    package let text: String

    package init(quantifier: Quantifier, tests: [Part], text: String) {
        self.quantifier = quantifier
        self.tests = tests
        self.text = text
    }
}

extension BoundExpression {
    /// The path whose values the expression takes one after another; `nil` if it has one value for
    /// each object.
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
