import FirnFormats
import FirnQuery
import FirnValues
import Testing

private let people = SampleResult(
    [("id", .int, nil), ("name", .string, nil), ("age", .int, nil), ("city", .string, nil)],
    [
        [.int(11), .string("Al"), .int(52), .string("Oslo")],
        [.int(7), .string("Bo"), .null, .null],
    ])

@Suite("Tables")
struct TableWriterTests {
    private func table(
        _ sample: SampleResult, _ change: (inout TableOptions) -> Void = { _ in }
    ) throws -> String {
        var options = TableOptions()
        change(&options)
        return try sample.written { TableWriter($0, options) }
    }

    @Test("Numbers are right-aligned, text is left-aligned, and null is a word")
    func plain() throws {
        #expect(
            try table(people) == """
                 id │ name │  age │ city
                ────┼──────┼──────┼──────
                 11 │ Al   │   52 │ Oslo
                  7 │ Bo   │ null │ null

                """)
    }

    @Test("Without UTF-8, lines are ASCII, and with colour, null is dim")
    func variants() throws {
        let ascii = try table(people) {
            $0.drawsUnicode = false
            $0.header = true
            $0.nullText = "-"
        }
        #expect(
            ascii == """
                 id | name | age | city
                ----+------+-----+------
                 11 | Al   |  52 | Oslo
                  7 | Bo   |   - | -

                """)
        let colour = try table(people) {
            $0.colour = true
            $0.header = false
        }
        #expect(colour.contains("│ \u{1B}[2mnull\u{1B}[0m │ \u{1B}[2mnull\u{1B}[0m\n"))
        #expect(colour.hasPrefix(" 11 │"))
    }

    /// Rows after the first thousand showed 2,500 as `2…`: another number, although there was room.
    @Test("A number longer than the measured numbers is never cut, but text is")
    func longerLater() throws {
        let sample = SampleResult(
            [("n", .int, nil), ("t", .string, nil)],
            (0..<1500).map { row in
                row < 1200
                    ? [.int(Int64(row % 10)), .string("ab")]
                    : [.int(1_000_000 + Int64(row)), .string("abcdef")]
            })
        let lines = try table(sample) { $0.width = 80 }.split(separator: "\n")
        #expect(lines[2] == " 0 │ ab")
        #expect(lines.last == " 1001499 │ a…")
    }

    @Test("Control characters and direction marks never reach the terminal", .tags(.security))
    func controls() throws {
        let sample = SampleResult(
            [("t", .string, nil), ("u\u{1B}", .string, nil)],
            [[.string("\u{1B}[31mred\n\t"), .string("\u{202E}abc\u{9B}")]])
        let text = try table(sample)
        #expect(text.contains(#"\x1b[31mred\n\t │ \u{202e}abc\x9b"#))
        #expect(text.contains(#"u\x1b"#))
        let unsafe = text.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E
        }
        #expect(unsafe.isEmpty)
    }

    @Test("Wide characters count as two columns, combining characters as none")
    func wide() throws {
        let sample = SampleResult(
            [("a", .string, nil), ("b", .int, nil)],
            [
                [.string("日本"), .int(1)], [.string("e\u{301}"), .int(2)],
                [.string("👨‍👩‍👧"), .int(3)], [.string("abcd"), .int(4)],
            ])
        #expect(
            try table(sample) == """
                 a    │ b
                ──────┼───
                 日本 │ 1
                 e\u{301}    │ 2
                 👨‍👩‍👧   │ 3
                 abcd │ 4

                """)
    }

    @Test("Text shrinks to fit the terminal, but numbers never do")
    func shrinks() throws {
        let sample = SampleResult(
            [("number", .int, nil), ("text", .string, nil), ("other", .string, nil)],
            [[.int(1_234_567_890), .string("abcdefghijklmnopqrstuvwxyz"), .string("0123456789")]])
        let text = try table(sample) { $0.width = 40 }
        #expect(
            text == """
                     number │ text         │ other
                ────────────┼──────────────┼────────────
                 1234567890 │ abcdefghijk… │ 0123456789

                """)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test("Remaining space goes to the columns that need the least to be shown in full")
    func leftOver() throws {
        let sample = SampleResult(
            [("tailnum", .string, nil), ("maker", .string, nil), ("model", .string, nil)],
            [[.string("N10156"), .string("EMBRAER REGIONAL"), .string("EMB-145XR 2")]])
        #expect(
            try table(sample) { $0.width = 28 } == """
                 tailnum │ maker  │ model
                ─────────┼────────┼─────────
                 N10156  │ EMBRA… │ EMB-14…

                """)
    }

    @Test("A row that does not fit at all is written as one line per property")
    func lines() throws {
        var isLines = false
        var options = TableOptions()
        options.width = 16
        let text = try people.written { sink in
            TableWriter(sink, options)
        }
        isLines = text.hasPrefix("   id │ 11\n name │ Al\n  age │ 52\n city │ Oslo\n\n   id │ 7\n")
        #expect(isLines, "\(text)")
        #expect(text.hasSuffix(" city │ null\n"))
    }

    @Test(
        "Column widths come from the first thousand rows, and longer later values are cut or overflow"
    )
    func sampled() throws {
        var rows = (0..<1500).map { _ in [Value.string("abc"), .int(1)] }
        rows[1400][0] = .string("abcdefgh")
        let sample = SampleResult([("a", .string, nil), ("b", .int, nil)], rows)
        #expect(try table(sample).contains("\n abcdefgh │ 1\n"))
        #expect(try table(sample) { $0.width = 80 }.contains("\n ab… │ 1\n"))
    }

    @Test("A table has no more rows than requested")
    func rowsMax() throws {
        let text = try table(people) { $0.rowsMax = 1 }
        #expect(text.split(separator: "\n").count == 3)
    }
}
