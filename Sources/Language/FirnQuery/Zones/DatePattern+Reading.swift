import FirnValues

/// Reading dates by a pattern.
extension DatePattern {
    /// Returns the reason why a pattern for reading dates is invalid; `nil` if it is valid.
    static func readingError(in text: String) -> String? {
        if let error = error(in: text) { return error }
        var letters: Set<Unicode.Scalar> = []
        for case .field(let letter, _) in DatePattern(text).parts {
            letters.insert(Unicode.Scalar(letter))
        }
        for letter in ["D", "Q"] as [Unicode.Scalar] where letters.contains(letter) {
            return "the field \"\(letter)\" cannot be read"
        }
        if !letters.contains("y") { return "a date cannot be read without a year" }
        if letters.contains("h") != letters.contains("a") {
            return "\"h\" and \"a\" need each other"
        }
        return nil
    }

    /// Reads a whole text as local seconds since 1970; `nil` if the text has another form, or if
    /// the date does not exist.
    ///
    /// A month or a day that the pattern does not have is the first, and a time is 0.
    func read(_ text: ArraySlice<UInt8>) -> (seconds: Int64, nanoseconds: Int32)? {
        var reader = DateFieldReader()
        var rest = text
        for part in parts {
            switch part {
            case .text(let bytes):
                guard rest.starts(with: bytes) else { return nil }
                rest = rest.dropFirst(bytes.count)
            case .field(let letter, let count):
                guard reader.read(letter, count, &rest) else { return nil }
            }
        }
        return rest.isEmpty ? reader.instant : nil
    }
}

/// The fields of a date that is being read.
private struct DateFieldReader {
    private var year: Int64 = 1
    private var month: Int64 = 1
    private var day: Int64 = 1
    private var hour: Int64 = 0
    private var minute: Int64 = 0
    private var second: Int64 = 0
    private var nanoseconds: Int64 = 0
    /// Whether the hour is on a 12-hour clock, and which half of the day it is in.
    private var isTwelve = false
    private var isAfternoon = false

    /// Reads a field from the start of a text, and removes it.
    mutating func read(_ letter: UInt8, _ count: Int, _ text: inout ArraySlice<UInt8>) -> Bool {
        func number(upTo digitsMax: Int) -> Int64? {
            let digits = text.prefix(digitsMax).prefix { $0 &- UInt8(ascii: "0") < 10 }
            guard count == 1 ? !digits.isEmpty : digits.count == digitsMax else { return nil }
            text = text.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        func name(_ names: [String], isWhole: Bool) -> Int64? {
            for (index, name) in names.enumerated() {
                let wanted = Array(isWhole ? name.utf8[...] : name.utf8.prefix(3))
                guard text.count >= wanted.count,
                    zip(text, wanted).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
                else { continue }
                text = text.dropFirst(wanted.count)
                return Int64(index)
            }
            return nil
        }
        let value: Int64?
        switch Unicode.Scalar(letter) {
        case "y":
            value = number(upTo: count == 1 ? 9 : count)
            // As in POSIX, 69 to 99 are years of the last century.
            year = (value ?? 1) + (count == 2 ? (value ?? 0 < 69 ? 2_000 : 1_900) : 0)
        case "M" where count >= 3:
            value = name(DatePattern.months, isWhole: count == 4)
            month = (value ?? 0) + 1
        case "E": value = name(DatePattern.weekdays, isWhole: count == 4)
        case "a":
            value = name(["AM", "PM"], isWhole: true)
            isAfternoon = value == 1
        case "S":
            value = count == 1 ? number(upTo: 1) : number(upTo: count)
            nanoseconds = value ?? 0
            for _ in count..<9 { nanoseconds *= 10 }
        default:
            value = number(upTo: 2)
            set(letter, value ?? 0)
        }
        return value != nil
    }

    private mutating func set(_ letter: UInt8, _ value: Int64) {
        switch Unicode.Scalar(letter) {
        case "M": month = value
        case "d": day = value
        case "H": hour = value
        case "h":
            hour = value
            isTwelve = true
        case "m": minute = value
        default: second = value
        }
    }

    /// The point in time; `nil` if it does not exist.
    var instant: (seconds: Int64, nanoseconds: Int32)? {
        guard !isTwelve || (1...12).contains(hour) else { return nil }
        let hour = isTwelve ? hour % 12 + (isAfternoon ? 12 : 0) : hour
        guard hour < 24, minute < 60, second < 60,
            let civil = CivilDate(year: year, month: Int(month), day: Int(day)),
            let midnight = LocalTime.midnight(civil)
        else { return nil }
        return (midnight + hour * 3_600 + minute * 60 + second, Int32(nanoseconds))
    }
}
