import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// The side of a comparison that is compared with constants.
enum Subject {
    case single(Computed)
    indirect case many(Quantifier, BoundPath)

    /// The type of each value.
    var type: PropertyType {
        switch self {
        case .single(let computed): computed.type
        case .many(_, let path): path.type
        }
    }

    /// The subject as a side of a bound comparison.
    var side: BoundComparison.Side {
        switch self {
        case .single(let computed): BoundComparison.Side(computed.expression)
        case .many(let quantifier, let path): BoundComparison.Side(quantifier, .mapped(path))
        }
    }

    /// The subject including values that lead to no object, which occur only in maps of links.
    ///
    /// The last step to the objects of a map leaves out its null values.
    var withNullValues: Subject {
        guard case .many(let quantifier, let path) = self, case .object = path.terminal,
            path.measure == nil, case .elements(let property, _)? = path.steps.last,
            property.type.container == .map
        else { return self }
        let steps = Array(path.steps.dropLast())
        return .many(
            quantifier,
            BoundPath(
                root: path.root, steps: steps, terminal: .elements(property),
                type: property.type.element,
                name: Canonical.path(steps, .elements(property), nil)))
    }

    /// The subject with ANY as its quantifier.
    var withAny: Subject {
        if case .many(_, let path) = self { .many(.any, path) } else { self }
    }

    var isNone: Bool {
        if case .many(.none, _) = self { true } else { false }
    }

    /// Whether the values are type names.
    var isTypeName: Bool {
        switch self {
        case .single(let computed):
            if case .typeName = computed.expression { true } else { false }
        case .many(_, let path): path.measure == .typeName
        }
    }
}

extension ColumnTest {
    /// A test that no value passes.
    static let never = ColumnTest.oneOf([])

    var passesNull: Bool { value(.null, passes: self) }
}

extension BoundPredicate {
    /// Creates the comparison of a subject with constants, in the most specific form of the tree.
    init(_ subject: Subject, _ test: ColumnTest) {
        switch subject {
        case .single(let computed): self = BoundPredicate.single(computed.expression, test)
        case .many(let quantifier, _):
            if test == .never, quantifier != .all {
                self = .always(quantifier == .none)
            } else {
                self = BoundPredicate(subject, .constant(test))
            }
        }
    }

    /// Creates the comparison of a subject.
    init(_ subject: Subject, _ test: BoundComparison.Test) {
        self = .comparison(BoundComparison(subject.side, test))
    }

    private static func single(_ expression: BoundExpression, _ test: ColumnTest) -> BoundPredicate
    {
        if test == .never { return .always(false) }
        let comparison = BoundPredicate.comparison(
            BoundComparison(BoundComparison.Side(expression), .constant(test)))
        switch expression {
        case .condition(let predicate):
            switch (value(.bool(true), passes: test), value(.bool(false), passes: test)) {
            case (true, false): return predicate
            case (false, true): return complement(of: predicate)
            case (let passes, _): return .always(passes)
            }
        case .path(let path):
            return linkMatches(path, test) ?? comparison
        default: return comparison
        }
    }

    /// Tests a property after single links.
    ///
    /// The test is applied to the target objects instead of the values.
    private static func linkMatches(_ path: BoundPath, _ test: ColumnTest) -> BoundPredicate? {
        guard case .column(let column) = path.terminal else { return nil }
        let ifNil = test.passesNull
        var predicate = BoundPredicate.test(column, test)
        for step in path.steps.reversed() {
            guard case .link(let property, let target) = step else { return nil }
            predicate = .linkMatches(property, target, predicate, ifNil: ifNil)
        }
        return predicate
    }
}

extension Binder {
    /// Returns a side as the subject of a comparison, or `nil` if it is constant.
    func subject(_ side: QuantifiedOperand) -> Subject? {
        switch side.operand {
        case .single(let computed): .single(computed)
        case .many(let path), .collection(let path, _): .many(side.quantifier ?? .any, path)
        case .constant, .number, .duration, .list, .object, .elements: nil
        }
    }

    func describe(_ subject: Subject) -> String {
        switch subject {
        case .single(let computed): describe(computed)
        case .many(_, let path): "\(typeName(path.type)) values of \"\(path.name.shortened)\""
        }
    }
}
