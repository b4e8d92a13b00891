import FirnValues

/// Parses dates from bytes, strictly: an accepted text prints again as exactly the same text.
package enum DateText {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Parses `yyyy-mm-dd`; returns the seconds of its midnight in UTC.
    static func date(_ text: Bytes) -> Int64? {
        guard text.count == 10 else { return nil }
        return day(text).map { $0 * 86_400 }
    }

    /// Parses `yyyy-mm-ddThh:mm:ssZ`, with a fraction of up to nine digits that does not end in a
    /// zero.
    static func dateTime(_ text: Bytes) -> Timestamp? {
        guard text.count >= 20, text.count <= 30, text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[text.count - 1] == UInt8(ascii: "Z"),
            let day = day(text), let hour = number(text, 11..<13), hour < 24,
            let minute = number(text, 14..<16), minute < 60,
            let second = number(text, 17..<19), second < 60,
            let nanoseconds = fraction(text)
        else { return nil }
        let seconds = day * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Returns the nanoseconds between the seconds and the `Z`; 0 without a fraction.
    private static func fraction(_ text: Bytes) -> Int64? {
        let digits = text.count - 21
        if digits == -1 { return 0 }
        guard text[19] == UInt8(ascii: "."), digits >= 1,
            text[text.count - 2] != UInt8(ascii: "0"),
            let number = number(text, 20..<20 + digits)
        else { return nil }
        var nanoseconds = Int64(number)
        for _ in digits..<9 { nanoseconds *= 10 }
        return nanoseconds
    }

    /// Returns the day since 1970 of the first ten bytes.
    private static func day(_ text: Bytes) -> Int64? {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10),
            let date = CivilDate(year: Int64(year), month: month, day: day)
        else { return nil }
        return date.daysSince1970
    }

    /// Parses a number of at most nine digits.
    private static func number(_ text: Bytes, _ range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
