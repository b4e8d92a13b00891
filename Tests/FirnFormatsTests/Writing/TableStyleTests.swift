import FirnFormats
import FirnQuery
import FirnValues
import Testing

private let people = SampleResult(
    [("id", .int, nil), ("name", .string, nil)],
    [[.int(11), .string("日本 is far away")], [.int(7), .null]])

@Suite("Boxes, lines and wrapped tables")
struct TableStyleTests {
    private func table(
        _ sample: SampleResult, _ style: TableStyle,
        _ change: (inout TableOptions) -> Void = { _ in }
    ) throws -> String {
        var options = TableOptions()
        options.style = style
        change(&options)
        return try sample.written { TableWriter($0, options) }
    }

    @Test("A box has lines on all sides, even in ASCII")
    func box() throws {
        #expect(
            try table(people, .box) == """
                ┌────┬──────────────────┐
                │ id │ name             │
                ├────┼──────────────────┤
                │ 11 │ 日本 is far away │
                │  7 │ null             │
                └────┴──────────────────┘

                """)
        #expect(
            try table(people, .box) {
                $0.drawsUnicode = false
                $0.header = false
            } == """
                +----+------------------+
                | 11 | 日本 is far away |
                |  7 | null             |
                +----+------------------+

                """)
    }

    @Test("A box fits into any line width", arguments: [16, 17, 20, 24, 25])
    func boxWidth(width: Int) throws {
        let text = try table(people, .box) { $0.width = width }
        for line in text.split(separator: "\n") {
            #expect(DisplayWidth.columns(of: line) <= width, "\(line)")
        }
        #expect(text.hasPrefix("┌"))
    }

    @Test("A long value continues on the next line, broken after a space if there is one")
    func wrapped() throws {
        #expect(
            try table(people, .box) {
                $0.width = 16
                $0.wraps = true
            } == """
                ┌────┬─────────┐
                │ id │ name    │
                ├────┼─────────┤
                │ 11 │ 日本 is │
                │    │ far     │
                │    │ away    │
                │  7 │ null    │
                └────┴─────────┘

                """)
        let long = SampleResult(
            [("t", .string, nil)], [[.string("abcdefghijk lm")], [.string("日本日本日")]])
        #expect(
            try table(long, .plain) {
                $0.width = 9
                $0.wraps = true
            } == """
                 t
                ─────────
                 abcdefg
                 hijk lm
                 日本日
                 本日

                """)
    }

    @Test("A table that is too wide prints a note, but a table printed line by line does not")
    func lines() throws {
        var options = TableOptions()
        options.width = 10
        var writer: TableWriter?
        func make(_ sink: any ByteSink) -> any ResultWriter {
            let table = TableWriter(sink, options)
            writer = table
            return table
        }
        let text = try people.written(make)
        #expect(writer?.isTooWide == true)
        options.style = .lines
        options.width = nil
        #expect(try people.written(make) == text)
        #expect(writer?.isTooWide == false)
        #expect(text == "   id │ 11\n name │ 日本 is far away\n\n   id │ 7\n name │ null\n")
    }

    /// Any class with many properties was printed with one line per property.
    @Test("Columns that do not fit are omitted, and the preferred columns come first")
    func omitted() throws {
        let names = (1...9).map { "column\($0)" }
        let wide = SampleResult(
            names.map { ($0, .int, nil) }, [names.indices.map { .int(Int64($0)) }])
        var options = TableOptions()
        options.width = 30
        options.leadingColumns = ["column8", "column3", "other"]
        var writer: TableWriter?
        func make(_ sink: any ByteSink) -> any ResultWriter {
            let table = TableWriter(sink, options)
            writer = table
            return table
        }
        #expect(
            try wide.written(make) == """
                 column8 │ column3 │ column1
                ─────────┼─────────┼─────────
                       7 │       2 │       0

                """)
        #expect(writer?.omittedColumnCount == 6)
        options.style = .box
        options.width = 20
        #expect(try wide.written(make).hasPrefix(" column1 │ 0\n"))
        #expect(writer?.isTooWide == true)
        #expect(writer?.omittedColumnCount == 0)
        options.width = 200
        #expect(try wide.written(make).contains("│ column1 │ column2 │ column3 │"))
        #expect(writer?.omittedColumnCount == 0)
    }

    @Test("With colours, the sort keys are highlighted")
    func marks() throws {
        let table = try table(people, .plain) {
            $0.colour = true
            $0.sortKeys = ["id": true, "name": false]
        }
        #expect(table.hasPrefix(" id ↓ │ name ↑\n"), "\(table)")
        let ascii = try self.table(people, .plain) {
            $0.colour = true
            $0.drawsUnicode = false
            $0.sortKeys = ["id": true]
        }
        #expect(ascii.hasPrefix(" id v | name\n"), "\(ascii)")
        #expect(try self.table(people, .plain) { $0.sortKeys = ["id": true] }.hasPrefix(" id │ na"))
    }

    @Test(
        "The width of every kind of text is known",
        arguments: [
            ("abc", 3), ("日本", 4), ("ｱｲｳ", 3), ("Ａ", 2), ("e\u{301}", 1), ("\u{5E9}\u{5C1}", 1),
            ("שלום", 4), ("السلام", 6), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇳🇴", 2), ("❤\u{FE0F}", 2),
            ("☃", 1), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("नि", 2), ("ก็", 1), ("\u{AD}", 0),
            ("🌡", 1), ("🈁", 2), ("…│", 2), ("〈", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test("Zero-width and wide characters never make a line too long")
    func boundaries() throws {
        let texts = ["日e\u{301}本👨‍👩‍👧x", "שלום עולם ארוך", "a\u{200D}b", "\u{301}\u{301}"]
        let sample = SampleResult([("t", .string, nil)], texts.map { [.string($0)] })
        for width in 3...20 {
            for wraps in [true, false] {
                let text = try table(sample, .box) {
                    $0.width = width
                    $0.wraps = wraps
                }
                guard text.hasPrefix("┌") else { continue }
                for line in text.split(separator: "\n") {
                    #expect(DisplayWidth.columns(of: line) <= max(width, 6), "\(width) \(line)")
                }
            }
        }
    }
}
