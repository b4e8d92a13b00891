import FirnValues

/// The type of the values of a column.
package indirect enum ColumnarType: Hashable, Sendable {
    case bool
    /// An integer of 8, 16, 32 or 64 bits.
    ///
    /// Unsigned integers of 64 bits are decimals of 20 digits, because lanes are signed.
    case int(bits: Int, isSigned: Bool)
    case float
    case double
    case string
    case json
    case binary
    /// 16 bytes.
    case uuid
    /// An integer of up to 38 digits, divided by ten to the power of the scale.
    case decimal(precision: Int, scale: Int)
    /// Days since 1970-01-01.
    case date
    /// The time of a day.
    case time(ColumnarTimeUnit)
    /// The difference of two times.
    case duration(ColumnarTimeUnit)
    /// Time since 1970-01-01T00:00, in UTC or in an unknown zone.
    case timestamp(ColumnarTimeUnit, isUTC: Bool)
    case list(ColumnarField)
    case structure([ColumnarField])
    case map(key: ColumnarField, value: ColumnarField)
    /// No value but null.
    case null
}

/// The unit of the numbers of a column of times.
package enum ColumnarTimeUnit: Hashable, Sendable {
    case seconds
    case milliseconds
    case microseconds
    case nanoseconds
    /// Seconds, with the nanoseconds in a separate lane.
    case secondsAndNanoseconds

    /// The name of the unit of the numbers.
    package var name: String {
        switch self {
        case .seconds, .secondsAndNanoseconds: "seconds"
        case .milliseconds: "milliseconds"
        case .microseconds: "microseconds"
        case .nanoseconds: "nanoseconds"
        }
    }

    /// The number of units in a second.
    package var perSecond: Int64 {
        switch self {
        case .seconds, .secondsAndNanoseconds: 1
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }

    /// Returns a time in this unit; `nil` if it is not a whole number of 64 bits.
    package func number(seconds: Int64, nanoseconds: Int32) -> Int64? {
        let (units, rest) = Int64(nanoseconds).quotientAndRemainder(
            dividingBy: 1_000_000_000 / perSecond)
        guard rest == 0 else { return nil }
        // The seconds alone can be below the limit that the sum is above.
        return Int64(exactly: Int128(seconds) * Int128(perSecond) + Int128(units))
    }
}

/// A named column, or a part of one.
package struct ColumnarField: Hashable, Sendable {
    package let name: String
    package let type: ColumnarType
    package let isOptional: Bool

    package init(_ name: String, _ type: ColumnarType, isOptional: Bool = true) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
    }
}

extension ColumnarType {
    /// The lane that has the values.
    var lane: ColumnarLane {
        switch self {
        case .bool, .int, .date, .time, .duration, .timestamp: .ints
        case .float, .double: .doubles
        case .string, .json, .binary, .uuid: .bytes
        case .decimal: .decimals
        case .list, .map: .elements
        case .structure: .parts
        case .null: .nothing
        }
    }

    /// The name in messages.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .int(let bits, let isSigned): (isSigned ? "int" : "uint") + String(bits)
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .json: "json"
        case .binary: "binary"
        case .uuid: "uuid"
        case .decimal(let precision, let scale): "decimal(\(precision), \(scale))"
        case .date: "date"
        case .time: "time"
        case .duration: "duration"
        case .timestamp: "timestamp"
        case .list(let element): "list<\(element.type.name)>"
        case .structure: "struct"
        case .map(_, let value): "map<\(value.type.name)>"
        case .null: "null"
        }
    }
}

/// The memory that has the values of a column.
enum ColumnarLane {
    case ints
    case doubles
    case bytes
    case decimals
    case elements
    case parts
    case nothing
}
