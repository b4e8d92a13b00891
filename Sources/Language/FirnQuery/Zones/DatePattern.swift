import FirnSyntax
import FirnValues

/// A pattern for dates with the letters of Unicode: `yyyy-MM-dd HH:mm:ss`.
///
/// Text in single quotes, and every character other than a letter, is copied.
struct DatePattern {
    enum Part {
        case text([UInt8])
        case field(UInt8, count: Int)
    }

    private static let fields: [UInt8: ClosedRange<Int>] = [
        UInt8(ascii: "y"): 1...4, UInt8(ascii: "M"): 1...4, UInt8(ascii: "d"): 1...2,
        UInt8(ascii: "H"): 1...2, UInt8(ascii: "h"): 1...2, UInt8(ascii: "m"): 1...2,
        UInt8(ascii: "s"): 1...2, UInt8(ascii: "S"): 1...9, UInt8(ascii: "a"): 1...1,
        UInt8(ascii: "E"): 1...4, UInt8(ascii: "Q"): 1...1, UInt8(ascii: "D"): 1...3,
    ]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private(set) var parts: [Part] = []

    /// Creates a pattern, which must be valid.
    init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first {
            if byte == UInt8(ascii: "'") {
                let rest = bytes.dropFirst()
                let end = rest.firstIndex(of: byte) ?? rest.endIndex
                // Two quotes are one.
                append(rest.startIndex == end ? [byte] : Array(rest[..<end]))
                bytes = rest[end...].dropFirst()
            } else if Self.isLetter(byte) {
                let count = bytes.prefix { $0 == byte }.count
                parts.append(.field(byte, count: count))
                bytes = bytes.dropFirst(count)
            } else {
                append([byte])
                bytes = bytes.dropFirst()
            }
        }
    }

    private mutating func append(_ text: [UInt8]) {
        if case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + text)
        } else {
            parts.append(.text(text))
        }
    }

    /// Whether a field is part of the time of day.
    var hasTime: Bool {
        parts.contains { part in
            if case .field(let letter, _) = part { "HhmsSa".utf8.contains(letter) } else { false }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Returns the reason why a pattern is invalid; `nil` if it is valid.
    static func error(in text: String) -> String? {
        guard text.utf8.count(where: { $0 == UInt8(ascii: "'") }) % 2 == 0 else {
            return "a quote of the pattern is not closed"
        }
        for case .field(let letter, let count) in DatePattern(text).parts {
            let name = String(repeating: Character(Unicode.Scalar(letter)), count: count)
            guard let counts = fields[letter] else {
                return "no field \"\(name.shortened)\" in dates"
            }
            let isYear = letter == UInt8(ascii: "y")
            guard counts.contains(count), !isYear || count != 3 else {
                return "no field \"\(name.shortened)\" in dates"
            }
        }
        return nil
    }

    func append(
        _ seconds: Int64, _ nanoseconds: Int32, to text: inout [UInt8]
    ) {
        let time = LocalTime(seconds)
        let civil = CivilDate(daysSince1970: time.days)
        for part in parts {
            switch part {
            case .text(let bytes): text.append(contentsOf: bytes)
            case .field(let letter, let count):
                append(letter, count, time, civil, nanoseconds, to: &text)
            }
        }
    }

    private func append(
        _ letter: UInt8, _ count: Int, _ time: LocalTime, _ civil: CivilDate, _ nanoseconds: Int32,
        to text: inout [UInt8]
    ) {
        func number(_ value: Int64, _ digits: Int) {
            let written = String(value.magnitude)
            if value < 0 { text.append(UInt8(ascii: "-")) }
            for _ in 0..<max(0, digits - written.utf8.count) { text.append(UInt8(ascii: "0")) }
            text.append(contentsOf: written.utf8)
        }
        func name(_ names: [String], _ index: Int, isWhole: Bool) {
            text.append(contentsOf: isWhole ? names[index].utf8[...] : names[index].utf8.prefix(3))
        }
        let hour = time.clock / 3_600
        switch Unicode.Scalar(letter) {
        case "y": number(count == 2 ? (civil.year % 100 + 100) % 100 : civil.year, count)
        case "Q": number(Int64(civil.month + 2) / 3, 1)
        case "M" where count >= 3: name(Self.months, civil.month - 1, isWhole: count == 4)
        case "M": number(Int64(civil.month), count)
        case "d": number(Int64(civil.day), count)
        case "D":
            let first = CivilDate(year: civil.year, month: 1, day: 1)?.daysSince1970 ?? 0
            number(time.days - first + 1, count)
        case "E": name(Self.weekdays, Int(time.weekday) - 1, isWhole: count == 4)
        case "H": number(hour, count)
        case "h": number((hour + 11) % 12 + 1, count)
        case "a": text.append(contentsOf: (hour < 12 ? "AM" : "PM").utf8)
        case "m": number(time.clock / 60 % 60, count)
        case "s": number(time.clock % 60, count)
        default:
            var divisor: Int32 = 1_000_000_000
            for _ in 0..<count { divisor /= 10 }
            number(Int64(nanoseconds / divisor), count)
        }
    }
}
