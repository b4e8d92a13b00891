import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds `a + b - c` from left to right.
    ///
    /// Constant parts are computed during binding.
    func chain(
        _ operands: [ListElement], _ terms: [ArithmeticTerm]
    ) throws(QueryError) -> Operand {
        guard let first = operands.first else { return .constant(.null) }
        var result = first
        for (term, operand) in zip(terms, operands.dropFirst()) {
            result = ListElement(
                operand: try combine(result, term.operator, operand, term.operatorRange),
                range: result.range.to(operand.range))
        }
        return result.operand
    }

    func negated(_ operands: [ListElement], _ range: SourceRange) throws(QueryError) -> Operand {
        guard let operand = operands.first?.operand else { return .constant(.null) }
        switch operand {
        case .constant(.int(let number)) where number != .min: return .constant(.int(-number))
        case .constant(.double(let number)): return .constant(.double(-number))
        case .number(let number): return .number(number.negated)
        case .constant(.decimal128(let number)):
            return .constant(.decimal128(number.negated))
        case .duration(let milliseconds) where milliseconds != .min:
            return .duration(milliseconds: -milliseconds)
        case .single(let computed) where computed.type.isComputable:
            let zero = Computed(.constant(.int(0)))
            return .single(
                try limited(
                    Computed(
                        .arithmetic(.subtract, zero.expression, computed.expression),
                        of: [zero, computed]), range))
        case let other:
            guard let elements = other.elements, elements.type.isComputable else {
                throw typeError("\(describe(other)) has no negative", range)
            }
            let zero = ListElement(operand: .constant(.int(0)), range: range)
            return try combineElements(
                zero, .subtract, ListElement(operand: other, range: range), range)
        }
    }

    /// Throws an error for `a-b` if the class has a property `a-b`, because it is read as a
    /// subtraction.
    func checkHyphenatedName(_ range: SourceRange) throws(QueryError) {
        let name = typed(range)
        guard classSchema.propertyNamed(name) != nil else { return }
        throw QueryError(
            .unknownProperty, "\(name) is a subtraction", at: range.bytes,
            hint: "write `\(name)` for the property", suggestions: ["`\(name)`"])
    }

    private func combine(
        _ leftSide: ListElement, _ operation: ArithmeticOperator, _ rightSide: ListElement,
        _ range: SourceRange
    ) throws(QueryError) -> Operand {
        if leftSide.operand.elements != nil || rightSide.operand.elements != nil {
            return try combineElements(leftSide, operation, rightSide, range)
        }
        let (left, right) = (leftSide.operand, rightSide.operand)
        if left.isConstant, right.isConstant, !left.isDecimal, !right.isDecimal {
            guard let combined = ConstantArithmetic.combine(left, operation, right) else {
                throw mismatch(
                    left, operation, right, range, hint: dateHint(leftSide, operation, rightSide))
            }
            guard let combined else {
                throw typeError("the result of this \(operation.rawValue) does not exist", range)
            }
            return combined
        }
        if operation == .add, left.isText, right.isText {
            let texts = [
                try computed(left, leftSide.range), try computed(right, rightSide.range),
            ]
            return .single(
                try limited(
                    Computed(.function(.concat, texts.map(\.expression)), of: texts), range))
        }
        if let moved = try moved(left, operation, right, range) { return .single(moved) }
        if case .duration = left { throw mismatch(left, operation, right, range) }
        if case .duration = right { throw mismatch(left, operation, right, range) }
        let operands = [
            try computed(left, leftSide.range, for: right.numberType),
            try computed(right, rightSide.range, for: left.numberType),
        ]
        guard operands.allSatisfy(\.type.isComputable),
            let arithmetic = BoundExpression.Arithmetic(rawValue: operation.rawValue)
        else {
            throw mismatch(
                left, operation, right, range,
                hint: dateHint(leftSide, operation, rightSide))
        }
        return .single(
            try limited(
                Computed(
                    .arithmetic(arithmetic, operands[0].expression, operands[1].expression),
                    of: operands), range))
    }

    /// Computes a value for each element of a collection.
    private func combineElements(
        _ left: ListElement, _ operation: ArithmeticOperator, _ right: ListElement,
        _ range: SourceRange
    ) throws(QueryError) -> Operand {
        if left.operand.elements != nil, right.operand.elements != nil {
            throw typeError(
                "two collections cannot be computed with each other", left.range.to(right.range),
                hint: "compute with their @sum, or use SUBQUERY")
        }
        func single(_ side: ListElement) -> ListElement {
            ListElement(
                operand: side.operand.elements.map { .single($0) } ?? side.operand,
                range: side.range)
        }
        guard
            case .single(let computed) = try combine(
                single(left), operation, single(right), range)
        else { throw mismatch(left.operand, operation, right.operand, range) }
        return .elements(computed)
    }

    /// Binds a Date of each object plus or minus a duration.
    private func moved(
        _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand, _ range: SourceRange
    ) throws(QueryError) -> Computed? {
        let date: Computed
        let distance: Int64?
        switch (left, right) {
        case (.single(let computed), .duration(let milliseconds))
        where operation == .add || operation == .subtract:
            date = computed
            distance =
                operation == .add
                ? milliseconds : ConstantArithmetic.integers(0, .subtract, milliseconds)
        case (.duration(let milliseconds), .single(let computed)) where operation == .add:
            date = computed
            distance = milliseconds
        default: return nil
        }
        guard date.type.base == .date else { return nil }
        guard let distance, distance != .min else {
            throw typeError("the result of this \(operation.rawValue) does not exist", range)
        }
        return try limited(
            Computed(.moved(date.expression, milliseconds: distance), of: [date]), range)
    }

    /// Returns the function to use instead of arithmetic on a Date whose unit is unknown.
    private func dateHint(
        _ left: ListElement, _ operation: ArithmeticOperator, _ right: ListElement
    ) -> String? {
        let (date, other) = (typed(left.range), typed(right.range))
        switch (left.operand.base, operation, right.operand.base) {
        case (.date, .subtract, .date): return "write difference(\(date), \(other), \"minute\")"
        case (.date, .add, .int): return "write add(\(date), \(other), \"day\")"
        case (.date, .subtract, .int): return "write add(\(date), -(\(other)), \"day\")"
        case (.int, .add, .date): return "write add(\(other), \(date), \"day\")"
        default: return nil
        }
    }

    private func mismatch(
        _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand, _ range: SourceRange,
        hint: String? = nil
    ) -> QueryError {
        typeError(
            "cannot compute \(kind(left)) \(operation.rawValue) \(kind(right))", range, hint: hint)
    }

    private func kind(_ operand: Operand) -> String {
        switch operand {
        case .constant(let value): value.tag.name
        case .number: ValueTag.double.name
        case .single(let computed): typeName(computed.type)
        default: describe(operand)
        }
    }
}

extension Operand {
    /// The value of each element, if there are any number of values for each object.
    fileprivate var elements: Computed? {
        switch self {
        case .elements(let computed): computed
        case .many(let path), .collection(let path, _): Computed(elementsOf: path)
        case .constant, .number, .duration, .list, .object, .single: nil
        }
    }

    /// The type of the single value; `nil` for anything else.
    fileprivate var base: ValueTag? {
        switch self {
        case .constant(let value): value.tag
        case .single(let computed): computed.type.container == .single ? computed.type.base : nil
        default: nil
        }
    }

    /// Whether this is a text, or nil in place of a text.
    fileprivate var isText: Bool {
        switch self {
        case .constant(.string), .constant(.null): true
        case .single(let computed):
            computed.type.base == .string && computed.type.container == .single
        default: false
        }
    }

    /// Whether this is a decimal constant, which is computed during execution with all of its
    /// digits.
    fileprivate var isDecimal: Bool {
        if case .constant(.decimal128) = self { true } else { false }
    }

    /// The type that a number takes if it is combined with this operand.
    var numberType: PropertyType {
        switch self {
        case .single(let computed) where computed.type.base == .decimal128: computed.type
        case .constant(.decimal128): PropertyType(.decimal128)
        case .single(let computed) where computed.type.isNumeric: PropertyType(.double)
        default: PropertyType(.any)
        }
    }
}

extension PropertyType {
    /// Whether arithmetic is possible on the values.
    ///
    /// An Any may be a number.
    var isComputable: Bool { isNumeric || (base == .any && container == .single) }
}
