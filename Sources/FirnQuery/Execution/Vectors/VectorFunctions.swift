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

/// Moves dates by a fixed duration.
enum DateMove {
    private static let nanosecondsPerMillisecond: Int64 = 1_000_000

    /// Returns the moved dates; null for results outside the range of dates.
    static func values(_ dates: ColumnVector, _ milliseconds: Int64) -> ColumnVector {
        var moved = ColumnVector(kind: .date)
        let seconds = milliseconds / 1_000
        let rest = milliseconds % 1_000 * nanosecondsPerMillisecond
        for row in 0..<dates.count {
            guard !dates.isNull(row) else {
                moved.appendNull()
                continue
            }
            let (sum, overflow) = dates.ints[row].addingReportingOverflow(seconds)
            let nanoseconds = Int64(dates.nanoseconds[row]) + rest
            let isBeyond =
                overflow || sum == .min && nanoseconds < 0
                || sum == .max && nanoseconds >= 1_000 * nanosecondsPerMillisecond
            moved.append(
                isBeyond ? .null : .date(Timestamp(seconds: sum, nanoseconds: nanoseconds)))
        }
        return moved
    }
}

/// Finds the first of several values that is not null.
enum Coalescing {
    static func values(_ vectors: [ColumnVector], _ kind: ValueTag, count: Int) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        for row in 0..<count {
            let value = vectors.lazy.filter { !$0.isNull(row) }.first?.value(at: row)
            result.append(converting: value ?? .null)
        }
        return result
    }
}

/// Chooses between two values by a Bool.
enum Choice {
    /// Returns the second value of each row if the first is true, otherwise the third.
    static func values(_ vectors: [ColumnVector], _ kind: ValueTag) -> ColumnVector {
        guard vectors.count == 3 else { return ColumnVector(kind: kind) }
        let condition = vectors[0]
        let count = condition.count
        var rows = [UInt32](repeating: 0, count: count)
        for row in 0..<count {
            // A null is stored as 0.
            let isChosen = condition.ints[row] != 0
            rows[row] = UInt32(truncatingIfNeeded: isChosen ? row : row + count)
        }
        var values = vectors[1].converted(to: kind)
        values.append(vectors[2].converted(to: kind))
        return values.picking(rows)
    }
}

/// The type names that `@type` returns.
enum TypeNameVectors {
    /// Returns the type name of each value.
    ///
    /// - Parameter isLink: whether integers are the row ids of links.
    static func of(_ values: ColumnVector, isLink: Bool) -> ColumnVector {
        var names = ColumnVector(kind: .string)
        for row in 0..<values.count {
            let tag = values.value(at: row).tag
            names.append(.string((isLink && tag == .int ? ValueTag.link : tag).name))
        }
        return names
    }
}
