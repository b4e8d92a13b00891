/// Formats counts for human readers.
package enum CountText {
    /// Returns a number with grouped digits: `336,776`.
    package static func grouped(_ number: UInt64) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    /// Returns a number with its noun: `1 row`, `2 rows`.
    package static func of(_ number: UInt64, _ noun: String) -> String {
        switch number {
        case 1: "1 \(noun)"
        case _ where noun.hasSuffix("y"): "\(grouped(number)) \(noun.dropLast())ies"
        case _ where noun.hasSuffix("ss"): "\(grouped(number)) \(noun)es"
        default: "\(grouped(number)) \(noun)s"
        }
    }
}
