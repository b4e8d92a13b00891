import FirnValues

/// Replaces the signs of our messages in terminals that cannot show them.
package enum ASCIIText {
    private static let signs: [Character: String] = [
        "\u{B7}": "-", "\u{2026}": "...", "\u{2014}": "-", "\u{2192}": "->",
    ]

    /// Returns the text with an ASCII equivalent of each sign.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return text.reduce(into: "") { result, character in
            if let sign = signs[character] { result += sign } else { result.append(character) }
        }
    }

    /// Returns a bar or a line of a chart in ASCII.
    ///
    /// - Returns: `nil` if the text is not a drawing.
    static func drawing(_ text: String) -> String? {
        var drawn = ""
        for scalar in text.unicodeScalars {
            guard let sign = drawings[scalar.value] else { return nil }
            drawn += sign
        }
        return drawn
    }

    /// The blocks of U+2581 to U+258F: rising levels, and bars from left.
    private static let drawings: [UInt32: String] = [
        0x2581: "_", 0x2582: ".", 0x2583: ",", 0x2584: "-", 0x2585: "=", 0x2586: "+", 0x2587: "*",
        0x2588: "#", 0x2589: "#", 0x258A: "#", 0x258B: "#", 0x258C: "=", 0x258D: "-", 0x258E: "-",
        0x258F: ".",
    ]
}
