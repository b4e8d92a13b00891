import FirnSyntax
import FirnValues

/// The arguments that a function takes.
struct FunctionSignature {
    enum Parameter {
        case text
        /// A String or Data.
        case sized
        /// An Int, Float or Double.
        case number
        /// A number of any kind.
        case anyNumber
        case int
        case date
        /// A date or a number.
        case formatted
        case bool
        /// A value with an order: a number, text, date or Bool.
        case ordered
        /// Any single value other than a link.
        case value
        /// A constant text: a unit of time.
        case unit
        /// A constant text: a time zone.
        case zone
        /// A constant text: the pattern of a date, or a number of places.
        case pattern

        /// The noun for errors.
        var noun: String {
            switch self {
            case .text, .sized: "a String"
            case .number: "an Int or a Double"
            case .anyNumber: "a number"
            case .int: "an Int"
            case .date: "a Date"
            case .formatted: "a number or a Date"
            case .bool: "a condition"
            case .ordered: "values with an order"
            case .value: "values"
            case .unit: "a unit in quotes"
            case .zone: "a time zone in quotes"
            case .pattern: "a pattern in quotes or a number of places"
            }
        }

        /// Returns whether values of a type are accepted.
        func accepts(_ type: PropertyType) -> Bool {
            guard type.container == .single else { return false }
            switch self {
            case .text, .unit, .zone: return type.base == .string
            case .sized: return type.base == .string || type.base == .data
            case .number: return type.isNumeric && type.base != .decimal128
            case .anyNumber: return type.isNumeric
            case .int: return type.base == .int
            case .date: return type.base == .date
            case .formatted: return type.base == .date || type.isNumeric
            case .bool: return type.base == .bool
            case .ordered:
                return type.isNumeric || [.string, .date, .bool].contains(type.base)
            case .value: return type.base != .link
            case .pattern: return type.base == .string || type.base == .int
            }
        }
    }

    private(set) var parameters: [Parameter]
    /// The number of parameters that are required.
    let required: Int
    /// Whether the last parameter can be repeated.
    var repeats = false
    /// The index of the first of the arguments that need a common type; `nil` if none does.
    var commonFrom: Int?

    init(_ parameters: Parameter..., required: Int? = nil) {
        self.parameters = parameters
        self.required = required ?? parameters.count
    }

    /// Returns the parameter of an argument.
    func parameter(_ index: Int) -> Parameter {
        parameters[min(index, parameters.count - 1)]
    }

    /// The number of arguments for errors.
    var countText: String {
        func values(_ count: Int) -> String {
            switch count {
            case 1: "one value"
            case 2: "two values"
            case 3: "three values"
            default: "\(count) values"
            }
        }
        if repeats { return "at least \(values(required))" }
        if required == parameters.count { return values(required) }
        return "\(required) to \(parameters.count) values"
    }

    /// The arguments of `date(text, pattern)`.
    static let dateReading = FunctionSignature(.text, .pattern, .zone, required: 2)

    /// Returns the arguments of `date(year, month, day, ...)` with a zone after a number of parts.
    static func dateMaking(partCount: Int) -> FunctionSignature {
        var signature = FunctionSignature(.value, required: partCount + 1)
        signature.parameters += Array(repeating: .int, count: partCount - 1) + [.zone]
        return signature
    }

    static func of(_ function: ScalarFunction) -> FunctionSignature {
        var signature: FunctionSignature
        switch function {
        case .upper, .lower, .trim: return FunctionSignature(.text)
        case .length: return FunctionSignature(.sized)
        case .substring: return FunctionSignature(.text, .int, .int, required: 2)
        case .replace: return FunctionSignature(.text, .text, .text)
        case .split: return FunctionSignature(.text, .text, .int)
        case .extract: return FunctionSignature(.text, .text, .int, required: 2)
        case .substitute: return FunctionSignature(.text, .text, .text)
        case .concat:
            signature = FunctionSignature(.text, .text)
            signature.repeats = true
            return signature
        case .round: return FunctionSignature(.anyNumber, .int, required: 1)
        case .sqrt, .exp, .ln: return FunctionSignature(.number)
        case .floor, .ceil, .abs, .sign: return FunctionSignature(.anyNumber)
        case .power: return FunctionSignature(.number, .number)
        case .log: return FunctionSignature(.number, .number, required: 1)
        case .min, .max:
            signature = FunctionSignature(.ordered, .ordered)
            signature.repeats = true
            signature.commonFrom = 0
            return signature
        case .coalesce:
            signature = FunctionSignature(.value, .value)
            signature.repeats = true
            signature.commonFrom = 0
            return signature
        case .if:
            signature = FunctionSignature(.bool, .value, .value)
            signature.commonFrom = 1
            return signature
        case .truncate: return FunctionSignature(.date, .unit, .zone, required: 2)
        case .difference: return FunctionSignature(.date, .date, .unit, .zone, required: 3)
        case .add: return FunctionSignature(.date, .int, .unit, .zone, required: 3)
        case .format: return FunctionSignature(.formatted, .pattern, .zone, required: 2)
        case .int, .double, .decimal, .text, .bool: return FunctionSignature(.value)
        case .date:
            return FunctionSignature(.value, .int, .int, .int, .int, .int, .zone, required: 1)
        default: return FunctionSignature(.date, .zone, required: 1)
        }
    }
}
