import FirnValues

/// A text that takes over a terminal which shows it unchanged.
package enum HostileText {
    /// Sets the title, clears the screen, turns the direction of text, and hides a letter.
    package static let sample = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}abc\u{7F}\u{E0041}\u{E9}"

    /// The same text as a JSON string with its quotes, in ASCII.
    package static let json =
        #""\u001b]0;owned\u0007\u009b2J\u202eabc\u007f\udb40\udc41\u00e9""#

    /// The characters of a text that must not reach a terminal; line breaks and tabs may.
    package static func harmful(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && SafeText.isHarmful($0) }
    }

    /// The parts of ``sample`` that reached a terminal unchanged, among the escapes of the program
    /// itself.
    package static func reached(_ shown: String) -> [Unicode.Scalar] {
        let marks: Set<Unicode.Scalar> = ["\u{7}", "\u{9B}", "\u{202E}", "\u{7F}", "\u{E0041}"]
        return shown.unicodeScalars.filter { marks.contains($0) }
    }
}
