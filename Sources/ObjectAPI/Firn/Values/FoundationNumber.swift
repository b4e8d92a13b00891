import FirnValues
import Foundation

/// The content of an `NSNumber`, which Foundation's JSON uses for numbers and Booleans.
///
/// A cast cannot determine the content: it finds a Bool in the number 1, an Int in `true`, and a
/// Float in 0.5.
enum FoundationNumber {
    case bool(Bool)
    case int(Int64)
    case unsigned(UInt64)
    case float(Float)
    case double(Double)
    case decimal(Decimal128)

    /// - Returns: `nil` for all other values, including Swift numbers.
    init?(_ value: Any) {
        // Compares the type, because casting the value would convert a number of Swift to an
        // NSNumber.
        guard type(of: value) is NSNumber.Type else {
            guard let content = contentOfOptional(value) else { return nil }
            self.init(content)
            return
        }
        guard let number = value as? NSNumber else { return nil }
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(Decimal128(decimal.decimalValue))
            return
        }
        // The type encoding of `@encode` tells which type was stored. Only Booleans are encoded as
        // bytes.
        switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
        case "c", "B": self = .bool(number.boolValue)
        case "f": self = .float(number.floatValue)
        case "d": self = .double(number.doubleValue)
        case "Q": self = .unsigned(number.uint64Value)
        default: self = .int(number.int64Value)
        }
    }

    /// Creates a number from an integer of any Swift type.
    init(integer: some BinaryInteger) {
        if let number = Int64(exactly: integer) {
            self = .int(number)
        } else if let number = UInt64(exactly: integer) {
            self = .unsigned(number)
        } else {
            self = .decimal(Decimal128(string: "\(integer)"))
        }
    }

    /// The stored form of the number.
    var value: Value {
        switch self {
        case .bool(let value): .bool(value)
        case .int(let number): .int(number)
        case .unsigned(let number):
            Int64(exactly: number).map { .int($0) }
                ?? .decimal128(Decimal128(string: "\(number)").bits)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .decimal(let number): .decimal128(number.bits)
        }
    }

    /// Returns the Swift value of a Foundation object, or `nil` for any other value.
    static func swiftValue(of value: Any) -> Any? {
        switch value {
        case let text as NSString: String(describing: text)
        case let data as NSData: Data(referencing: data)
        case let date as NSDate:
            Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let id as NSUUID: Foundation.UUID(uuidString: id.uuidString)
        default: nil
        }
    }

    /// Returns the number as an integer, if it is whole and fits.
    func integer<Number: FixedWidthInteger>() -> Number? {
        switch self {
        case .bool: nil
        case .int(let number): Number(exactly: number)
        case .unsigned(let number): Number(exactly: number)
        case .float(let number): Number(exactly: number)
        case .double(let number): Number(exactly: number)
        case .decimal(let number): Int64(exactly: number).flatMap { Number(exactly: $0) }
        }
    }

    /// The nearest double, or `nil` for a Boolean.
    var double: Double? {
        switch self {
        case .bool: nil
        case .int(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): Double(number.stringValue)
        }
    }

    /// The Boolean value, which may also be encoded as 0 or 1.
    var bool: Bool? {
        if case .bool(let value) = self { return value }
        let number: Int? = integer()
        return number == 0 ? false : number == 1 ? true : nil
    }
}
