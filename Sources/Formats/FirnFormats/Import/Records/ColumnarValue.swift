import FirnColumnar
import FirnText
import FirnValues

/// The values of a column as the records of an import have them.
enum ColumnarValue {
    static func tree(
        _ column: ColumnarColumn, _ row: Int, at position: TextPosition
    ) -> JSONTree {
        guard column.isValid(row) else { return JSONTree(absent(column.type), at: position) }
        let content: JSONTree.Content
        switch column.type {
        case .null: content = .null
        case .bool: content = .bool(column.ints[row] != 0)
        case .int, .duration: content = .number(String(column.ints[row]))
        case .float: content = number(column.doubles[row], "\(Float(column.doubles[row]))")
        case .double: content = number(column.doubles[row], "\(column.doubles[row])")
        case .string: content = .string(text(column, row))
        case .json:
            return JSONTree(parsing: Array(bytes(column, row)))
                ?? JSONTree(.string(text(column, row)), at: position)
        case .binary: content = .string(Base64.encoded(Array(bytes(column, row))))
        case .uuid: content = .string(uuid(column, row).description)
        case .decimal(_, let scale): content = .string(decimal(column.decimals[row], scale))
        case .date, .timestamp: content = .string(time(column, row).description)
        case .time(let unit): content = .string(timeOfDay(column.ints[row], unit))
        case .list: content = .array(elements(column.children[0], range(column, row), position))
        case .map:
            let values = elements(column.children[1], range(column, row), position)
            let names = range(column, row).map { name(column.children[0], $0) }
            content = .object(zip(names, values).map { JSONTree.Member(name: $0, value: $1) })
        case .structure(let fields):
            content = .object(
                zip(fields, column.children).map { field, child in
                    JSONTree.Member(name: field.name, value: tree(child, row, at: position))
                })
        }
        return JSONTree(content, at: position)
    }

    /// Returns the value in place of a missing one: a collection in a database is empty.
    private static func absent(_ type: ColumnarType) -> JSONTree.Content {
        switch type {
        case .list: .array([])
        case .map: .object([])
        default: .null
        }
    }

    private static func number(_ value: Double, _ text: String) -> JSONTree.Content {
        if value.isNaN { return .string("NaN") }
        if value.isInfinite { return .string(value < 0 ? "-Infinity" : "Infinity") }
        return .number(text)
    }

    private static func elements(
        _ column: ColumnarColumn, _ range: Range<Int>, _ position: TextPosition
    ) -> [JSONTree] {
        range.map { tree(column, $0, at: position) }
    }

    /// Returns the key of a map as a name; in a file, keys need not be texts.
    private static func name(_ column: ColumnarColumn, _ row: Int) -> String {
        switch tree(column, row, at: TextPosition(offset: 0, line: 1)).content {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        default: ""
        }
    }

    // MARK: Values

    static func range(_ column: ColumnarColumn, _ row: Int) -> Range<Int> {
        Int(column.offsets[row])..<Int(column.offsets[row + 1])
    }

    static func bytes(_ column: ColumnarColumn, _ row: Int) -> ArraySlice<UInt8> {
        column.bytes[range(column, row)]
    }

    static func text(_ column: ColumnarColumn, _ row: Int) -> String {
        String(decoding: bytes(column, row), as: UTF8.self)
    }

    private static func uuid(_ column: ColumnarColumn, _ row: Int) -> UUID {
        let words = bytes(column, row).reduce(into: (high: UInt64(0), low: UInt64(0))) {
            $0.high = $0.high << 8 | $0.low >> 56
            $0.low = $0.low << 8 | UInt64($1)
        }
        return UUID(high: words.high, low: words.low)
    }

    static func time(_ column: ColumnarColumn, _ row: Int) -> Timestamp {
        let number = column.ints[row]
        switch column.type {
        case .date: return Timestamp(seconds: number &* 86_400)
        case .timestamp(.secondsAndNanoseconds, _):
            return Timestamp(seconds: number, nanoseconds: Int64(column.nanoseconds[row]))
        case .timestamp(let unit, _):
            let perSecond = unit.perSecond
            var seconds = number / perSecond
            var rest = number % perSecond
            if rest < 0 {
                rest += perSecond
                seconds -= 1
            }
            return Timestamp(seconds: seconds, nanoseconds: rest * (1_000_000_000 / perSecond))
        default: return Timestamp(seconds: number)
        }
    }

    /// Returns the exact text of a decimal.
    static func decimal(_ value: Int128, _ scale: Int) -> String {
        var digits = String(value.magnitude)
        guard scale > 0 else { return (value < 0 ? "-" : "") + digits }
        if digits.utf8.count <= scale {
            digits = String(repeating: "0", count: scale + 1 - digits.utf8.count) + digits
        }
        return (value < 0 ? "-" : "") + digits.dropLast(scale) + "." + digits.suffix(scale)
    }

    /// Returns the number of a decimal; `nil` if it has more than 34 digits.
    static func number(_ value: Int128, _ scale: Int) -> Decimal128? {
        Decimal128(isNegative: value < 0, coefficient: value.magnitude, exponent: -scale)
    }

    private static func timeOfDay(_ number: Int64, _ unit: ColumnarTimeUnit) -> String {
        let seconds = number / unit.perSecond
        let rest = number % unit.perSecond
        func two(_ value: Int64) -> String { (value < 10 ? "0" : "") + String(value) }
        var text = "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        if rest > 0 {
            let fraction = String(unit.perSecond + rest).dropFirst()
            text += "." + fraction
        }
        return text
    }
}
