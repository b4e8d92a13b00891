import FirnValues

extension TextBuffer {
    /// Returns a time in seconds since 1970 as text.
    package static func moment(_ seconds: Int64) -> String {
        var buffer = TextBuffer(capacity: 32)
        buffer.append(seconds: seconds, nanoseconds: 0)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Appends ISO 8601 in UTC, with a fraction only if it is not zero; `T<seconds>:<nanoseconds>`
    /// outside the years 0000 to 9999.
    package mutating func append(seconds: Int64, nanoseconds: Int32) {
        let (day, clock) = TextBuffer.split(seconds)
        let mark = count
        guard append(day: day) else {
            truncate(to: mark)
            append(
                string: Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)).description)
            return
        }
        append(UInt8(ascii: "T"))
        append(unsigned: clock / 3600, digits: 2)
        append(UInt8(ascii: ":"))
        append(unsigned: clock / 60 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        append(unsigned: clock % 60, digits: 2)
        if nanoseconds != 0 { append(fraction: nanoseconds) }
        append(UInt8(ascii: "Z"))
    }

    /// Appends `yyyy-mm-dd` if the time is midnight, and the full form otherwise.
    package mutating func append(dateOnly seconds: Int64, nanoseconds: Int32) {
        let (day, clock) = TextBuffer.split(seconds)
        let mark = count
        if clock == 0, nanoseconds == 0, append(day: day) { return }
        truncate(to: mark)
        append(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Returns the day since 1970, rounded down, and the second of the day.
    private static func split(_ seconds: Int64) -> (day: Int64, clock: UInt64) {
        var (day, clock) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if clock < 0 {
            day -= 1
            clock += 86_400
        }
        return (day, UInt64(clock))
    }

    /// Appends the date, unless its year does not have exactly four digits.
    private mutating func append(day: Int64) -> Bool {
        // 0000-01-01 and 9999-12-31.
        guard day >= -719_528, day <= 2_932_896 else { return false }
        let date = CivilDate(daysSince1970: day)
        append(unsigned: UInt64(date.year), digits: 4)
        append(UInt8(ascii: "-"))
        append(unsigned: UInt64(date.month), digits: 2)
        append(UInt8(ascii: "-"))
        append(unsigned: UInt64(date.day), digits: 2)
        return true
    }

    private mutating func append(fraction nanoseconds: Int32) {
        append(UInt8(ascii: "."))
        append(unsigned: UInt64(nanoseconds.magnitude), digits: 9)
        var kept = count
        while kept > 0, bytes[kept - 1] == UInt8(ascii: "0") { kept -= 1 }
        truncate(to: kept)
    }
}
