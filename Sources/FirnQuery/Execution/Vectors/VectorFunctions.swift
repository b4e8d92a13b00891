import FirnCodec
import FirnValues

/// Functions of one value, for which the result for null is null.
///
/// Letters and characters are those of Unicode. The length of Data is its number of bytes. Parts of
/// dates are those of the calendar in UTC. Weekdays are numbered as in ISO 8601: Monday is 1 and
/// Sunday is 7.
enum VectorFunctions {
    static func values(
        _ function: BoundExpression.Function, _ argument: ColumnVector, into kind: ValueTag
    ) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        for row in 0..<argument.count {
            result.append(value(function, argument.value(at: row)))
        }
        return result
    }

    private static func value(_ function: BoundExpression.Function, _ value: Value) -> Value {
        switch (function, value) {
        case (.upper, .string(let text)): return .string(text.uppercased())
        case (.lower, .string(let text)): return .string(text.lowercased())
        case (.trim, .string(let text)): return .string(trim(text))
        case (.length, .string(let text)): return .int(Int64(text.count))
        case (.length, .data(let bytes)): return .int(Int64(bytes.count))
        case (_, .date(let date)): return part(function, of: date)
        default: return .null
        }
    }

    private static func trim(_ text: String) -> String {
        let blank: (Character) -> Bool = { $0.isWhitespace }
        guard let first = text.firstIndex(where: { !blank($0) }),
            let last = text.lastIndex(where: { !blank($0) })
        else { return "" }
        return String(text[first...last])
    }

    private static func part(_ function: BoundExpression.Function, of date: Timestamp) -> Value {
        let secondsPerDay: Int64 = 86_400
        // Rounds down, for dates before 1970 too.
        let rest = ((date.seconds % secondsPerDay) + secondsPerDay) % secondsPerDay
        let days = (date.seconds / secondsPerDay) - (date.seconds % secondsPerDay < 0 ? 1 : 0)
        let civil = CivilDate(daysSince1970: days)
        switch function {
        case .year: return .int(civil.year)
        case .month: return .int(Int64(civil.month))
        case .day: return .int(Int64(civil.day))
        case .hour: return .int(rest / 3_600)
        // 1970-01-01 was a Thursday.
        case .weekday: return .int(((days + 3) % 7 + 7) % 7 + 1)
        default: return .null
        }
    }
}
