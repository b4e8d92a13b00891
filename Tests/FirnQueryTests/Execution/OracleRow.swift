import FirnValues

/// One object of the oracle.
struct OracleRow: Sendable {
    let id: Int64
    var values: [Value]

    /// The value of a column; column -1 is `@id`.
    func value(_ column: Int) -> Value { column < 0 ? .int(id) : values[column] }
}

/// The properties of the class that random queries use.
enum OracleColumn {
    static let names = [
        "flag", "flagN", "i", "iN", "d", "dN", "s", "sN", "t", "tN", "nothing",
    ]
    static let types: [PropertyType] = [
        PropertyType(.bool), PropertyType(.bool, isOptional: true),
        PropertyType(.int), PropertyType(.int, isOptional: true),
        PropertyType(.double), PropertyType(.double, isOptional: true),
        PropertyType(.string), PropertyType(.string, isOptional: true),
        PropertyType(.date), PropertyType(.date, isOptional: true),
        PropertyType(.int, isOptional: true),
    ]

    static func name(_ column: Int) -> String { column < 0 ? "@id" : names[column] }
    static func kind(_ column: Int) -> ValueTag { column < 0 ? .int : types[column].base }

    /// All columns of some kinds, including `@id`.
    static func all(_ kinds: [ValueTag]) -> [Int] {
        (-1..<names.count).filter { kinds.contains(kind($0)) }
    }
}

/// Literals of the query language.
enum OracleLiteral {
    static func text(_ value: Value) -> String {
        switch value {
        case .null: "nil"
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): "\(number)"
        case .double(let number): number.isNaN ? "nan" : "\(number)"
        case .string(let string): text(string)
        case .date(let date): text(date)
        default: "unsupported"
        }
    }

    static func text(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\0": result += "\\0"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// `T<seconds>:<nanoseconds>`, in which the signs must agree.
    private static func text(_ date: Timestamp) -> String {
        guard date.seconds < 0, date.nanoseconds > 0 else {
            return "T\(date.seconds):\(date.nanoseconds)"
        }
        return "T\(date.seconds + 1):\(date.nanoseconds - 1_000_000_000)"
    }
}
