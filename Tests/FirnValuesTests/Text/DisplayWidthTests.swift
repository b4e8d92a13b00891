import FirnValues
import Testing

/// Tables with Thai, Devanagari or halfwidth Kana had frames that did not meet.
@Suite("The width of text in a terminal")
struct DisplayWidthTests {
    @Test(
        "A string takes as many columns as on a terminal",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("👨‍👩‍👧", 2), ("❤️", 2), ("한국", 4),
            // As tmux places the cursor after them.
            ("กำ", 2), ("ก็", 1), ("की", 2), ("कि", 2), ("ﾊﾞ", 2), ("ﾊﾟ", 2), ("ກຳ", 2),
            ("નો", 2), ("বো", 2), ("ำ", 1), ("a\u{AD}b", 2), ("\u{200B}", 0),
        ])
    func widths(text: String, expected: Int) {
        #expect(DisplayWidth.columns(of: text) == expected)
    }
}
