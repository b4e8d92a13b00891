import FirnFormats
import FirnValues
import Testing

@Suite("Texts in the width of a terminal")
struct WrappedTextTests {
    @Test("A long line is broken after a space, and its rest is indented")
    func prose() {
        let text = "one two three four five six\n  seven eight nine ten eleven\nshort\n"
        #expect(
            WrappedText.wrapping(text, columns: 20) == """
                one two three four
                  five six
                  seven eight nine
                    ten eleven
                short

                """)
        #expect(WrappedText.wrapping(text, columns: nil) == text)
        #expect(WrappedText.wrapping(text, columns: 5) == text)
        #expect(
            WrappedText.wrapping("one two three four five six", columns: 20, hanging: 0)
                == "one two three four\nfive six")
    }

    @Test("The second column of a list stays a column while there is room")
    func columns() {
        let text = "  .mode [FORMAT]  set the format of all later results\n"
        #expect(
            WrappedText.wrapping(text, columns: 40) == """
                  .mode [FORMAT]  set the format of all
                                  later results

                """)
        #expect(
            WrappedText.wrapping(text, columns: 24) == """
                  .mode [FORMAT]
                      set the format of
                      all later results

                """)
    }

    @Test("A word that is longer than the line stays whole", arguments: 20...60)
    func widths(columns: Int) {
        let text =
            "error: 日本語の文章 and anextremelylongwordthatdoesnotfitanywhereatall  and more of it"
        let lines = WrappedText.wrapping(text, columns: columns).split(separator: "\n")
        #expect(
            lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
                == text.split(separator: " ").joined(separator: " "))
        for line in lines where !line.contains("anextremely") {
            #expect(DisplayWidth.columns(of: line) <= columns, "\(line)")
        }
    }
}
