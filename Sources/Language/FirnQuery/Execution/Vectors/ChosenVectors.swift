import FirnCodec
import FirnValues

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
