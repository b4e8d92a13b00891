import FirnEngine
import FirnSyntax
import FirnValues

/// The result of binding an expression.
///
/// The larger cases are indirect, which keeps the frames of recursive functions small.
enum Operand {
    case constant(Value)
    /// A constant that takes its type from the other operand.
    case number(NumberLiteral)
    case duration(milliseconds: Int64)
    /// The elements, constants or objects, each with its range in the text.
    case list([ListElement])
    /// An object: `obj("Class", key)`.
    indirect case object(BoundObject)
    /// One value for each object.
    case single(Computed)
    /// Any number of values for each object.
    indirect case many(BoundPath)
    /// A value computed for each element of a collection.
    indirect case elements(Computed)
    /// A collection at the end of a path: its elements, or the collection as a whole.
    indirect case collection(elements: BoundPath, whole: BoundPath)

    /// The number, if the other operand determines its type.
    ///
    /// Compared with an Any, this includes a Double argument, so that a literal and an argument
    /// give the same result.
    var number: NumberLiteral? {
        switch self {
        case .number(let number): number
        case .constant(.double(let number)) where number.isFinite:
            NumberLiteral(double: number, decimal: Decimal128(shortest: number))
        default: nil
        }
    }

    /// Whether the operand is independent of the object.
    var isConstant: Bool {
        switch self {
        case .constant, .number, .duration, .list, .object: true
        case .single, .many, .elements, .collection: false
        }
    }
}

/// One element of a list, argument of a call, or operand of a chain.
struct ListElement {
    let operand: Operand
    let range: SourceRange

    /// Whether the element is a value and not an object.
    var isValue: Bool {
        switch operand {
        case .constant, .number: true
        default: false
        }
    }
}

/// One side of a comparison: an operand and its quantifier.
struct QuantifiedOperand {
    let operand: Operand
    let quantifier: Quantifier?
    /// The range of the operand without its quantifier.
    let range: SourceRange
}

/// A value that each object has, with the cost of computing it.
struct Computed {
    let expression: BoundExpression
    let type: PropertyType
    /// The nesting depth of operations.
    let depth: Int
    /// The total number of operations.
    let size: Int

    init(_ expression: BoundExpression, of parts: [Computed] = []) {
        self.expression = expression
        type = expression.type
        depth = (parts.map(\.depth).max() ?? -1) + 1
        size = parts.reduce(1) { $0 + $1.size }
    }

    /// Whether the value is computed, and not only read.
    var isOperation: Bool {
        if case .column = expression { false } else { true }
    }

    /// Creates the value of each element of a path.
    init(elementsOf path: BoundPath) {
        expression = .mapped(path)
        type = path.type
        depth = 0
        size = 1
    }
}

extension PropertyType {
    var isNumeric: Bool {
        switch base {
        case .int, .float, .double, .decimal128: container == .single
        default: false
        }
    }

    /// Returns whether values of both types can be equal.
    func isComparable(to other: PropertyType) -> Bool {
        if isNumeric && other.isNumeric { return true }
        if base == .any || other.base == .any || base == .null || other.base == .null {
            return true
        }
        return base == other.base && target == other.target
    }
}
