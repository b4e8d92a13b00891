import FirnCodec
import FirnSyntax
import FirnValues

/// Dates made from texts, or from a year, a month, a day and a time of day.
struct DateMaking {
    let vectors: [ColumnVector]
    let zone: ZoneRules
    let count: Int

    func values() -> ColumnVector {
        guard vectors.count > 1 else { return ValueCast.values(vectors[0], as: .date, kind: .date) }
        let numbers = Array(vectors.prefix(6))
        var result = ColumnVector(zeros: .date, count: count, nullsOf: numbers)
        var cursor = ZoneCursor(zone)
        for row in 0..<count where !result.isNull(row) {
            func number(_ index: Int) -> Int64 {
                index < numbers.count ? numbers[index].ints[row] : 0
            }
            let (hour, minute, second) = (number(3), number(4), number(5))
            guard let month = Int(exactly: number(1)), let day = Int(exactly: number(2)),
                let civil = CivilDate(year: number(0), month: month, day: day),
                (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
                let midnight = LocalTime.midnight(civil),
                let utc = cursor.utc(midnight + hour * 3_600 + minute * 60 + second)
            else {
                result.setNull(row)
                continue
            }
            result.ints[row] = utc
        }
        return result
    }
}

/// Dates that are read from texts by a pattern; null for a text that has another form.
struct DateReading {
    let pattern: DatePattern
    let zone: ZoneRules

    func values(_ texts: ColumnVector) -> ColumnVector {
        var result = ColumnVector(zeros: .date, count: texts.count, nullsOf: [texts])
        var cursor = ZoneCursor(zone)
        for row in 0..<texts.count where !texts.isNull(row) {
            let bytes = texts.bytes[Int(texts.offsets[row])..<Int(texts.offsets[row + 1])]
            guard let local = pattern.read(bytes), let seconds = cursor.utc(local.seconds) else {
                result.setNull(row)
                continue
            }
            result.ints[row] = seconds
            result.nanoseconds[row] = local.nanoseconds
        }
        return result
    }
}
