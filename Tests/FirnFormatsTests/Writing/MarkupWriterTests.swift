import FirnFormats
import FirnQuery
import FirnValues
import Testing

private let hostile = SampleResult(
    [("id", .int, nil), ("a|b", .string, nil), ("<i>", .double, nil)],
    [
        [.int(7), .string("x | y\nz"), .double(1.5)],
        [.int(11), .string("<script>alert('1')</script>"), .null],
        [.null, .string("**a** `b` [c](d) ~e~ \\ _f_ g_h &amp;\u{1B}[31m"), .double(-0.25)],
    ])

@Suite("Markdown and HTML")
struct MarkupWriterTests {
    @Test("Text in a Markdown cell neither ends the cell nor acts as markup", .tags(.security))
    func markdown() throws {
        var options = TableOptions()
        options.style = .markdown
        options.nullText = ""
        options.width = 10
        let text = try hostile.written { TableWriter($0, options) }
        #expect(
            text == #"""
                | id | a\|b                                                           | &lt;i> |
                |---:|----------------------------------------------------------------|-------:|
                |  7 | x \| y<br>z                                                    |    1.5 |
                | 11 | &lt;script>alert('1')&lt;/script>                              |        |
                |    | \*\*a\*\* \`b\` \[c\](d) \~e\~ \\ \_f\_ g_h &amp;amp;\x1b\[31m |  -0.25 |

                """#)
    }

    @Test(
        "Special characters with combining accents are escaped in Markdown and HTML",
        .tags(.security),
        arguments: ["<", "|", "`", "&", "\"", "'", ">"])
    func combining(sign: String) throws {
        let sample = SampleResult(
            [("a", .string, nil)], [[.string("x" + sign + "\u{301}y\r\nz")]])
        var options = TableOptions()
        options.style = .markdown
        let markdown = try sample.written { TableWriter($0, options) }
        let html = try sample.written { HTMLWriter($0) }
        // The byte before the accent's sign is the x: nothing escapes it.
        let plain = "x" + sign + "\u{301}"
        #expect(html.contains(plain) == ["|", "`"].contains(sign) && html.contains("y<br>z"))
        #expect(
            markdown.contains(plain) == ["\"", "'", ">"].contains(sign)
                && markdown.contains("y<br>z"))
    }

    @Test("Text in an HTML cell is never a tag, and null is empty", .tags(.security))
    func html() throws {
        let text = try hostile.written { HTMLWriter($0) }
        #expect(
            text == #"""
                <table>
                <tr><th>id</th><th>a|b</th><th>&lt;i&gt;</th></tr>
                <tr><td style="text-align: right">7</td><td>x | y<br>z</td><td style="text-align: right">1.5</td></tr>
                <tr><td style="text-align: right">11</td><td>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</td><td style="text-align: right"></td></tr>
                <tr><td style="text-align: right"></td><td>**a** `b` [c](d) ~e~ \ _f_ g_h &amp;amp;\x1b[31m</td><td style="text-align: right">-0.25</td></tr>
                </table>

                """#)
        var options = WriterOptions()
        options.header = false
        options.nullText = "<nil>"
        let bare = try hostile.written { HTMLWriter($0, options) }
        #expect(!bare.contains("<th>"))
        #expect(bare.contains("&lt;nil&gt;"))
    }
}
