import FirnCodec
import FirnValues

/// Texts of dates by a pattern, or of numbers with a number of places.
struct NumberOrDateFormat {
    let vectors: [ColumnVector]
    let pattern: String?
    let zone: ZoneRules

    func values() -> ColumnVector {
        guard vectors[0].kind == .date else { return numbers() }
        var result = ColumnVector(kind: .string)
        let pattern = DatePattern(pattern ?? "")
        var cursor = ZoneCursor(zone)
        let dates = vectors[0]
        for row in 0..<dates.count {
            guard !dates.isNull(row), let local = cursor.local(dates.ints[row]) else {
                result.appendNull()
                continue
            }
            pattern.append(local, dates.nanoseconds[row], to: &result.bytes)
            result.offsets.append(UInt32(truncatingIfNeeded: result.bytes.count))
            result.count += 1
        }
        return result
    }

    private func numbers() -> ColumnVector {
        var result = ColumnVector(kind: .string)
        for row in 0..<vectors[0].count {
            guard !vectors[1].isNull(row), let digits = DecimalDigits(vectors[0].value(at: row)),
                (0...DecimalDigits.placesMax).contains(vectors[1].ints[row])
            else {
                result.appendNull()
                continue
            }
            digits.append(places: Int(vectors[1].ints[row]), to: &result.bytes)
            result.offsets.append(UInt32(truncatingIfNeeded: result.bytes.count))
            result.count += 1
        }
        return result
    }
}
