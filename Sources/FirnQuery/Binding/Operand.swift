import FirnEngine
import FirnValues

/// What an expression turns out to be.
///
/// The larger cases are indirect to keep the frames of the functions small that call themselves.
enum Operand {
    case constant(Value)
    /// A constant whose type is that of what it meets.
    case number(NumberLiteral)
    case duration(milliseconds: Int64)
    /// Each element, a constant or an object, with its place in the text.
    case list([ListElement])
    /// `obj("Class", key)`
    indirect case object(ClassSchema, key: Value)
    /// One value for each object.
    case single(Computed)
    /// Any number of values for each object.
    indirect case many(BoundPath)
    /// A collection at the end of a path: its elements, or all of it.
    indirect case collection(elements: BoundPath, whole: BoundPath)

    /// The number, where its type is left to what it meets.
    ///
    /// Against an Any also a Double of a program, so that both ways of asking get one answer.
    var number: NumberLiteral? {
        switch self {
        case .number(let number): number
        case .constant(.double(let number)) where number.isFinite:
            NumberLiteral(double: number, decimal: Decimal128(shortest: number))
        default: nil
        }
    }

    /// Whether it depends on no object.
    var isConstant: Bool {
        switch self {
        case .constant, .number, .duration, .list, .object: true
        case .single, .many, .collection: false
        }
    }
}

/// One element of a list, argument of a call or operand of a chain.
struct ListElement {
    let operand: Operand
    let range: SourceRange

    /// Whether it is a value, and not an object.
    var isValue: Bool {
        switch operand {
        case .constant, .number: true
        default: false
        }
    }
}

/// One side of a comparison.
struct Side {
    let operand: Operand
    let quantifier: Quantifier?
    /// Of the operand without its quantifier.
    let range: SourceRange
}

/// A value that each object has, and how much there is to compute.
struct Computed {
    let expression: BoundExpression
    let type: PropertyType
    /// Operations inside of each other.
    let depth: Int
    /// All operations.
    let size: Int

    init(_ expression: BoundExpression, of parts: [Computed] = []) {
        self.expression = expression
        type = expression.type
        depth = (parts.map(\.depth).max() ?? -1) + 1
        size = parts.reduce(1) { $0 + $1.size }
    }
}

extension PropertyType {
    var isNumeric: Bool {
        switch base {
        case .int, .float, .double, .decimal128: container == .single
        default: false
        }
    }

    /// Whether values of both types can be equal.
    func isComparable(to other: PropertyType) -> Bool {
        if isNumeric && other.isNumeric { return true }
        if base == .any || other.base == .any || base == .null || other.base == .null {
            return true
        }
        return base == other.base && target == other.target
    }
}
