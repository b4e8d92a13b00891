package import FirnValues

extension BoundExpression {
    /// The type of the values; `isOptional` unless every object has a value.
    package var type: PropertyType {
        switch self {
        case .constant(let value): PropertyType(value.tag, isOptional: value.isNull)
        case .column(let column): column.type
        case .path(let path): path.singleType
        case .reduction(let reduction, let path): reduction.type(over: path)
        case .subqueryCount: PropertyType(.int)
        case .aggregate(_, let aggregate): aggregate.type
        case .arithmetic(_, let left, let right):
            PropertyType(
                BoundExpression.commonKind(left.type.base, right.type.base), isOptional: true)
        case .moved: PropertyType(.date, isOptional: true)
        case .function(let function, let arguments): function.type(of: arguments)
        case .typeName: PropertyType(.string)
        case .mapped(let path): path.listType
        case .condition: PropertyType(.bool)
        }
    }

    /// Returns the common kind of two numeric kinds, which holds the values of both.
    static func commonKind(_ left: ValueTag, _ right: ValueTag) -> ValueTag {
        if left == .any || right == .any { return .any }
        if left == .decimal128 || right == .decimal128 { return .decimal128 }
        return left == .int && right == .int ? .int : .double
    }

    /// The display form of the source column; a computed number has the decimal places of its
    /// operands.
    package var display: DisplayForm? {
        switch self {
        case .column(let column): column.display
        case .path(let path), .mapped(let path): path.display
        case .aggregate(_, let aggregate): aggregate.display
        case .reduction(.minimum, let path), .reduction(.maximum, let path): path.display
        case .reduction(.sum, let path), .reduction(.average, let path): path.display?.computed
        case .arithmetic(let operation, let left, let right):
            BoundExpression.places(operation, left.places, right.places)
        case .function(let function, let arguments): function.display(of: arguments)
        default: nil
        }
    }

    /// The number of digits after the decimal point of every value, if known.
    private var places: Int? {
        if case .constant(let value) = self, case .double(let number) = value {
            let parts = number.description.split(separator: ".")
            guard parts.count == 2, let digits = parts.last, !digits.contains("e") else {
                return nil
            }
            return digits == "0" ? 0 : digits.count
        }
        if type.base == .int { return 0 }
        switch display {
        case .decimalPlaces(let places)?, .computedPlaces(let places)?: return places
        case .dateOnly?, nil: return nil
        }
    }

    /// Returns the places of a result.
    ///
    /// A quotient has any number of places, and is displayed with those of its operands only if it
    /// has no more.
    private static func places(
        _ operation: Arithmetic, _ left: Int?, _ right: Int?
    ) -> DisplayForm? {
        guard let left, let right else { return nil }
        let places = operation == .multiply ? left + right : max(left, right)
        return (1...15).contains(places) ? .computedPlaces(places) : nil
    }
}

extension BoundPath {
    /// The type of the single value, which is missing if a step leads to nothing.
    var singleType: PropertyType {
        guard type.container == .single, !steps.isEmpty || isElement else { return type }
        return PropertyType(
            type.base, isOptional: true, target: type.target, integerWidth: type.integerWidth)
    }

    /// Whether the path ends in an element of a collection, which may not exist.
    private var isElement: Bool {
        switch terminal {
        case .element, .mapValue, .nested: true
        case .column, .object, .elements, .keys, .collection: false
        }
    }

    /// The type of all values as a list.
    var listType: PropertyType {
        PropertyType(
            type.base, isOptional: type.isOptional, container: .list, target: type.target,
            integerWidth: type.integerWidth)
    }
}

extension BoundExpression.Reduction {
    /// Returns the type of the result over the values of a path.
    package func type(over path: BoundPath) -> PropertyType {
        if self == .count { return PropertyType(.int, isOptional: path.countMayBeMissing) }
        return type(of: path.type)
    }
}

extension BoundPath {
    /// Whether counting means the size of a single value, which may be null.
    fileprivate var countMayBeMissing: Bool {
        switch terminal {
        case .collection, .object: return false
        default: break
        }
        return !isMultiple && (singleType.isOptional || type.base == .any)
    }
}

extension DisplayForm {
    /// The form of numbers that are computed from numbers of this form.
    var computed: DisplayForm? {
        switch self {
        case .dateOnly: nil
        case .decimalPlaces(let places), .computedPlaces(let places): .computedPlaces(places)
        }
    }
}
