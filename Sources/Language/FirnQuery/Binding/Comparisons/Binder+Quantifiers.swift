import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Compares each element of a collection with each constant of a list.
///
/// There are two quantifiers, and that of the collection is the outer one.
///
///     outer \ inner   ANY of the constants      ALL of them              NONE of them
///     ANY element     any constant, ANY each    a list test              not (ALL, ANY)
///     ALL elements    IN, or a list test        all constants, ALL each  not (ANY, ANY)
///     NONE of them    not (ANY, ANY)            not (ANY, ALL)           (ALL, ANY)
///
/// Two ANYs can be swapped, and so can two ALLs; this yields one condition per constant. ANY and
/// ALL cannot be swapped: the constants must then be tested element by element.
struct NestedQuantifiers {
    let binder: Binder
    let path: BoundPath
    let elements: [ListElement]
    /// The operator with its options, as written in the query.
    let operation: String
    let operatorRange: SourceRange
    /// Returns the condition for one constant.
    let condition: (Subject, ListElement) throws(QueryError) -> BoundPredicate
    /// Returns the condition for any of the constants, if the operator has such a form.
    let conditionOfAny: ((Subject) throws(QueryError) -> BoundPredicate)?

    func bind(_ outer: Quantifier, _ inner: Quantifier) throws(QueryError) -> BoundPredicate {
        switch (outer, inner) {
        case (.any, .any), (.all, .all):
            if inner == .any, let conditionOfAny { return try conditionOfAny(.many(outer, path)) }
            var conditions: [BoundPredicate] = []
            for element in elements {
                conditions.append(try condition(.many(outer, path), element))
            }
            return binder.combined(conditions, inner)
        case (.none, .any), (.all, .none):
            return BoundPredicate.complement(of: try bind(.any, .any))
        case (.none, .all): return BoundPredicate.complement(of: try bind(.any, .all))
        case (.any, .none): return BoundPredicate.complement(of: try bind(.all, .any))
        case (.none, .none): return try bind(.all, .any)
        case (.all, .any):
            if let conditionOfAny { return try conditionOfAny(.many(.all, path)) }
            return try listTest(outer, inner)
        case (.any, .all): return try listTest(outer, inner)
        }
    }

    private func listTest(
        _ outer: Quantifier, _ inner: Quantifier
    ) throws(QueryError) -> BoundPredicate {
        var tests: [ListTest.Part] = []
        var tested = path
        for element in elements {
            let condition = try condition(.many(.any, path), element)
            if condition == .always(false) {
                tests.append(.test(.never))
                continue
            }
            guard case .comparison(let comparison) = condition, comparison.left.quantifier == .any,
                let path = comparison.eachPath, let test = ListTest.Part(comparison.test)
            else {
                throw binder.unsupported(
                    "\(outer.rawValue) with \(inner.rawValue) of these constants", operatorRange)
            }
            tested = path
            tests.append(test)
        }
        if tests.count == 1, let only = tests.first {
            return BoundPredicate(.many(outer, tested), only.test)
        }
        let constants = try elements.map { element throws(QueryError) in try literal(element) }
        let test = ListTest(
            quantifier: inner, tests: tests,
            text: "\(operation) \(inner.rawValue) {\(constants.joined(separator: ", "))}")
        return BoundPredicate(.many(outer, tested), .list(test))
    }

    private func literal(_ element: ListElement) throws(QueryError) -> String {
        switch element.operand {
        case .object(let object): Canonical.literal(object.value)
        default: Canonical.literal(try binder.constant(element, for: path.type))
        }
    }
}

extension ListTest.Part {
    /// Creates the part of a comparison with constants; `nil` for any other comparison.
    fileprivate init?(_ test: BoundComparison.Test) {
        switch test {
        case .constant(let test): self = .test(test)
        case .list(let test): self = .list(test)
        case .isCollection, .relation: return nil
        }
    }

    fileprivate var test: BoundComparison.Test {
        switch self {
        case .test(let test): .constant(test)
        case .list(let test): .list(test)
        }
    }
}

extension Binder {
    /// Binds `ALL path < ANY {1, 2}`, with the collection on the left.
    func each(
        _ outer: Quantifier, _ path: BoundPath, _ operation: ComparisonOperator,
        _ inner: Quantifier, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        // Differing from ALL, NONE or ANY is the same as equaling NONE, ALL or not ALL of them.
        guard operation == .notEqual else {
            return try equalsOrOrders(path, operation, elements, comparison).bind(outer, inner)
        }
        let equals = try equalsOrOrders(path, .equal, elements, comparison)
        switch (outer, inner) {
        case (_, .all): return try equals.bind(outer, .none)
        case (_, .none): return try equals.bind(outer, .all)
        case (.any, .any): return BoundPredicate.complement(of: try equals.bind(.all, .all))
        case (.all, .any): return try equals.bind(.none, .all)
        case (.none, .any): return try equals.bind(.all, .all)
        }
    }

    private func equalsOrOrders(
        _ path: BoundPath, _ operation: ComparisonOperator, _ elements: [ListElement],
        _ comparison: Comparison
    ) throws(QueryError) -> NestedQuantifiers {
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        return NestedQuantifiers(
            binder: self, path: path, elements: elements,
            operation: operation.rawValue + options.text,
            operatorRange: comparison.operatorRange,
            condition: { subject, element throws(QueryError) in
                try test(subject, operation, element, comparison)
            },
            conditionOfAny: operation != .equal || !options.isEmpty
                ? nil
                : { subject throws(QueryError) in try oneOf(subject, elements, comparison) })
    }
}
