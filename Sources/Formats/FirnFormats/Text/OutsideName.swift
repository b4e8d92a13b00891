import FirnValues

/// The names of properties and classes for external names, which may be arbitrary.
///
///     "Price\n(EUR)"       Price (EUR)
///     ""                   unnamed
///     300 letters          the first of them, and a number that tells it from others
package enum OutsideName {
    private static let byteCountMaximum = 255
    private static let unnamed = "unnamed"
    /// The bytes of the number of a long name.
    private static let numberByteCount = 9

    /// Returns the name if it is valid in a database, and otherwise a similar one.
    ///
    /// Two names may get the same, which a reader of objects reports.
    package static func valid(_ name: String) -> String {
        guard !isValid(name) else { return name }
        var words = ""
        for word in name.unicodeScalars.split(whereSeparator: { isControl($0) }) {
            if !words.isEmpty, words.unicodeScalars.last != " ", word.first != " " { words += " " }
            words.unicodeScalars.append(contentsOf: word)
        }
        if words.isEmpty { return unnamed }
        guard words.utf8.count > byteCountMaximum else { return words }
        return shortened(words)
    }

    private static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        return !bytes.isEmpty && bytes.count <= byteCountMaximum
            && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F
    }

    private static func shortened(_ name: String) -> String {
        var kept = ""
        for character in name {
            guard kept.utf8.count + character.utf8.count <= byteCountMaximum - numberByteCount
            else {
                break
            }
            kept.append(character)
        }
        // FNV-1a: the number is the same in every run.
        var hash: UInt32 = 0x811C_9DC5
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        return kept + "_" + String(repeating: "0", count: numberByteCount - 1 - digits.count)
            + digits
    }
}
