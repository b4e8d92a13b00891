import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Binds comparisons with the values of an Any, each of which has its own type.
extension Binder {
    /// Compares a subject with a number, at the precision of each value.
    func anyTest(
        _ subject: Subject, _ operation: ComparisonOperator, _ number: NumberLiteral
    ) -> BoundPredicate {
        switch operation {
        case .equal: BoundPredicate(subject, .oneOf(number.anyValues))
        case .notEqual: differs(subject, from: number.anyValues)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: order(subject, operation, number)
        }
    }

    /// Compares the values of an Any with a number by order.
    ///
    /// If the nearest Double `d` is not equal to the number `e`, a Double and a Decimal128 are
    /// ordered differently relative to it. `x < e` is correct for every Decimal128, and for every
    /// Double except `d`, which counts as equal to the number.
    private func order(
        _ subject: Subject, _ operation: ComparisonOperator, _ number: NumberLiteral
    ) -> BoundPredicate {
        let values = number.anyValues
        guard let nearest = values.first, let exact = values.last else {
            return BoundPredicate(subject, .never)
        }
        guard values.count == 2, let (quantifier, path) = path(subject) else {
            return BoundPredicate(
                subject, .compare(operation, number.bound(operation) ?? nearest))
        }
        let excludesEqual = operation == .less || operation == .greater
        // On one side of the number, the comparison is correct for `d` without a separate test.
        let isAbove = nearest.order(relativeTo: exact) == .greater
        guard isAbove == (operation.isUpward == excludesEqual) else {
            return BoundPredicate(subject, .compare(operation, exact))
        }
        let test = ListTest(
            quantifier: excludesEqual ? .all : .any,
            tests: [
                .test(.compare(operation, exact)),
                .test(.compare(excludesEqual ? .notEqual : .equal, nearest)),
            ],
            text: "\(operation.rawValue) \(number.text)")
        return BoundPredicate(.many(quantifier, path), .list(test))
    }

    /// Returns the subject as a path, or `nil` if it is computed.
    private func path(_ subject: Subject) -> (Quantifier, BoundPath)? {
        switch subject {
        case .many(let quantifier, let path): return (quantifier, path)
        case .single(let computed):
            switch computed.expression {
            case .path(let path): return (.any, path)
            case .column(let column):
                return (
                    .any,
                    BoundPath(
                        root: classSchema, steps: [], terminal: .column(column),
                        type: column.type, name: column.canonicalName, display: column.display)
                )
            default: return nil
            }
        }
    }

    /// Tests for values that differ from all of several constants.
    func differs(_ subject: Subject, from values: [Value]) -> BoundPredicate {
        switch subject {
        case .single: BoundPredicate.complement(of: BoundPredicate(subject, .oneOf(values)))
        case .many(.any, let path):
            BoundPredicate.complement(of: BoundPredicate(.many(.all, path), .oneOf(values)))
        case .many(.all, let path): BoundPredicate(.many(.none, path), .oneOf(values))
        case .many(.none, let path): BoundPredicate(.many(.all, path), .oneOf(values))
        }
    }

    /// Compares a whole Any with a list: the Any must be equal to the list or to one of its
    /// elements.
    func anyTest(
        _ subject: Subject, _ operation: ComparisonOperator, list elements: [ListElement],
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard comparison.options.isEmpty else {
            throw typeError("[c] and [d] need ANY or ALL before the list", comparison.operatorRange)
        }
        let equal = BoundPredicate(subject, ColumnTest(listOrElement: try plainValues(elements)))
        return operation == .equal ? equal : BoundPredicate.complement(of: equal)
    }
}

extension ComparisonOperator {
    /// Whether greater values pass.
    fileprivate var isUpward: Bool { self == .greater || self == .greaterOrEqual }
}

extension ColumnTest {
    /// Tests for equality with a list, or with one of its elements: `any == {1, 2}`.
    init(listOrElement values: [Value]) {
        self = .oneOf([.list(values)] + ColumnTest.equals(values))
    }

    /// The list that was passed to ``init(listOrElement:)``, if that initializer created the test.
    var listOrElement: [Value]? {
        guard case .oneOf(let values) = self, case .list(let elements)? = values.first,
            Array(values.dropFirst()) == ColumnTest.equals(elements)
        else { return nil }
        return elements
    }

    /// Returns all values inside an Any that are equal to one of the given values.
    private static func equals(_ values: [Value]) -> [Value] {
        values.flatMap { Operand.constant($0).number?.anyValues ?? [$0] }
    }
}
