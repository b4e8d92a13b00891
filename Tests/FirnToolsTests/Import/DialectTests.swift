import FirnPlatform
import FirnTesting
import FirnTools
import Testing

/// Tables in other forms than RFC 4180, and the options that read them.
@Suite("Tables in other forms")
struct DialectTests {
    private let harness = CommandHarness()

    /// A table, the options that read it, its rows as an export prints them, and a part of the
    /// report.
    struct Table: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let options: [String]
        let rows: String
        let note: String
        var testDescription: String { name }

        init(
            _ name: String, _ text: String, _ options: [String], _ rows: String,
            note: String = ""
        ) {
            self.init(name, bytes: Array(text.utf8), options, rows, note: note)
        }

        init(
            _ name: String, bytes: [UInt8], _ options: [String], _ rows: String,
            note: String = ""
        ) {
            self.name = name
            self.bytes = bytes
            self.options = options
            self.rows = rows
            self.note = note
        }
    }

    private static func utf16(_ text: String, isBig: Bool = false, mark: Bool = true) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
            return isBig ? [high, low] : [low, high]
        }
    }

    static let delimiters: [Table] = [
        Table("pipes", "a|b\n1|x,y\n", [], "a,b\n1,\"x,y\"\n", note: "fields are separated by |"),
        Table("pipes with a comma in the header", "a|b, c|d\n1|2|3\n", [], "a,\"b, c\",d\n1,2,3\n"),
        Table(
            "semicolons with a comma in the header", "a;b, c;d\n1;2;3\n", [],
            "a,\"b, c\",d\n1,2,3\n"),
        Table("commas with a semicolon in a field", "a,b\n1,x;y\n", [], "a,b\n1,x;y\n"),
        Table("a colon", "a:b\n1:2\n", ["--delimiter", ":"], "a,b\n1,2\n"),
        Table("tabs by name", "a\tb\n1\t2\n", ["--delimiter", "tab"], "a,b\n1,2\n"),
        Table("spaces by name", "a b\n1 2\n", ["--delimiter", "space"], "a,b\n1,2\n"),
        Table(
            "a comma although semicolons fit", "a;b,c;d\n1;2,3;4\n", ["--delimiter", ","],
            "a;b,c;d\n1;2,3;4\n"),
        Table("apostrophes as quotes", "a,b\n'x,''y',2\n", ["--quote", "'"], "a,b\n\"x,'y\",2\n"),
        Table("no quotes", "a,b\n\"x,2\n", ["--quote", "none"], "a,b\n\"\"\"x\",2\n"),
        Table(
            "comments", "# made by hand\na,b\n# first\n1,2\n#\n3,4\n", ["--comment", "#"],
            "a,b\n1,2\n3,4\n"),
        Table("a comment after the last row", "a,b\n1,2\n#\"", ["--comment", "#"], "a,b\n1,2\n"),
        Table(
            "lines before the header", "Report of \"May\n\na;b\n1;2\n", ["--skip", "2"],
            "a,b\n1,2\n"),
        Table("no header", "1,x\n2,y\n", ["--no-header"], "column1,column2\n1,x\n2,y\n"),
        Table(
            "names of the columns", "1,x\n2,y\n", ["--columns", "id, name"], "id,name\n1,x\n2,y\n"),
        Table("no header and no rows", "", ["--columns", "id,name"], "id,name\n"),
    ]

    static let numbers: [Table] = [
        Table(
            "decimal commas", "a;b\n1,5;x\n-2,25;1,5x\n", ["--decimal", ","],
            "a,b\n1.5,x\n-2.25,\"1,5x\"\n"),
        Table(
            "decimal commas with groups of points", "a;n\n1.234,5;1.234.567\n0,5;12\n",
            ["--decimal", ","], "a,n\n1234.5,1234567\n0.5,12\n"),
        Table(
            "groups of spaces", "a;n\n1 234,5;1 234\n12,5;7\n", ["--decimal", ","],
            "a,n\n1234.5,1234\n12.5,7\n"),
        Table(
            "groups of no-break spaces", "a\n1\u{A0}234,5\n1\u{202F}234,5\n", ["--decimal", ","],
            "a\n1234.5\n1234.5\n"),
        Table(
            "groups of apostrophes", "a\n1'234.5\n12.5\n", ["--decimal", "."],
            "a\n1234.5\n12.5\n"),
        Table(
            "groups of commas", "a,b\n\"1,234.5\",\"1,234\"\n2.5,7\n", ["--decimal", "."],
            "a,b\n1234.5,1234\n2.5,7\n"),
        Table(
            "a point where commas are", "a\n1,5\n2.5\n", ["--decimal", ","],
            "a\n\"1,5\"\n2.5\n", note: "\"2.5\" is not a number with --decimal , (line 3)"),
        Table(
            "dates beside decimal commas", "d;a\n31.01.2013;1,5\n", ["--decimal", ","],
            "d,a\n31.01.2013,1.5\n"),
        Table(
            "decimal commas that are found", "a;b\n1,5;1,50\n12,25;x\n", [],
            "a,b\n1.5,\"1,50\"\n12.25,x\n", note: "--exact keeps them as text"),
        Table(
            "found groups of no-break spaces", "a;n\n1\u{A0}234,5;1\u{202F}000\n2,5;7\n", [],
            "a,n\n1234.5,1000\n2.5,7\n"),
        Table(
            "texts like groups that no number has", "a;tel\n1,5;212 555\n2,5;415 123\n", [],
            "a,tel\n1.5,212 555\n2.5,415 123\n"),
        Table(
            "points that may be groups", "a;n\n1,5;1.234\n2,5;2.345\n", [],
            "a,n\n1.5,1.234\n2.5,2.345\n", note: "\"1.234\" is not a number"),
        Table(
            "exact texts", "a;b\n1,5;2\n2,5;3\n", ["--exact"],
            "a,b\n\"1,5\",2\n\"2,5\",3\n"),
        Table(
            "decimal commas where points are said", "a;b\n1,5;2\n", ["--decimal", "."],
            "a,b\n\"1,5\",2\n"),
        Table("groups of two", "a\n1.23,5\n", ["--decimal", ","], "a\n\"1.23,5\"\n"),
        Table("two separators", "a\n1.234 567,5\n", ["--decimal", ","], "a\n\"1.234 567,5\"\n"),
        Table("an exponent", "a\n1,5e3\n2,5\n", ["--decimal", ","], "a\n1500.0\n2.5\n"),
        Table(
            "a declared type", "a\n1,5\n\n12\n", ["--decimal", ",", "--type", "a=Double?"],
            "a\n1.5\n\n12.0\n"),
        Table(
            "a declared exact type", "a\n1.234,50\n", ["--decimal", ",", "--type", "a=Decimal128"],
            "a\n1234.50\n"),
    ]

    static let encodings: [Table] = [
        Table(
            "UTF-16 of Windows", bytes: utf16("a,b\r\né,😀\r\n"), [], "a,b\né,😀\n",
            note: "read as UTF-16"),
        Table(
            "UTF-16 of other systems", bytes: utf16("a\tb\né\t1\n", isBig: true), [], "a,b\né,1\n"),
        Table(
            "UTF-16 without its mark", bytes: utf16("a,b\né,1\n", mark: false),
            ["--encoding", "UTF-16LE"], "a,b\né,1\n"),
        Table(
            "Latin-1", bytes: Array("a,b\ncaf".utf8) + [0xE9] + Array(",1\n".utf8),
            ["--encoding", "latin1"], "a,b\ncafé,1\n"),
        Table(
            "Windows-1252, found", bytes: Array("a;b\n5 ".utf8) + [0x80] + Array(";1\nx;2\n".utf8),
            [],
            "a,b\n5 €,1\nx,2\n", note: "read as Windows-1252; --encoding names another"),
        Table(
            "Windows-1252 by another name", bytes: [0x61, 0x0A, 0x93, 0x0A],
            ["--encoding", "cp1252"], "a\n\u{201C}\n"),
    ]

    @Test("A table is read as its user expects", arguments: delimiters + numbers + encodings)
    func reads(table: Table) throws {
        let input = harness.folder("in.csv")
        try Fixtures.write(table.bytes, to: input)
        let file = harness.folder("out.firn")
        let run = harness.run(["create", file, "--from", "A=\(input)"] + table.options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(table.note.isEmpty || run.errors.contains(table.note), "\(run.errors)")
        #expect(harness.run(["export", file, "-", "A", "-f", "csv", "-q"]).output == table.rows)
        // The same rows come in by write, one by one.
        let written = harness.folder("written.firn")
        let again = harness.run(
            ["write", written, input, "-c", "A", "--create", "-q"] + table.options)
        #expect(again.status == 0, "\(again.errors)")
        #expect(harness.run(["export", written, "-", "A", "-f", "csv", "-q"]).output == table.rows)
        // And from a pipe.
        let piped = harness.folder("piped.firn")
        let stream = harness.run(
            ["create", piped, "--from", "A=-", "-q"] + table.options, input: table.bytes)
        #expect(stream.status == 0, "\(stream.errors)")
        #expect(harness.run(["export", piped, "-", "A", "-f", "csv", "-q"]).output == table.rows)
    }

    @Test(
        "A mistake shows the position and the remedy, and nothing is created",
        arguments: [
            (Array("a,b\n1,2,3\n".utf8), ["--no-header"], "3 fields where the first row has 2"),
            (Array("1,2,3\n".utf8), ["--columns", "a,b"], "3 fields where --columns names 2"),
            (utf16("a\n1") + [0x00], [], "is not UTF-16"),
            (utf16("a\n") + [0x00, 0xDC, 0x61, 0x00], [], "byte 6 is not UTF-16"),
            (Array("a\n1\n".utf8), ["--delimiter", "x"], "--delimiter"),
            (Array("a\n1\n".utf8), ["--delimiter", ",", "--quote", ","], "different characters"),
            (
                Array("a\n1\n".utf8), ["--encoding", "ebcdic"],
                "unknown --encoding ebcdic; known: utf-8"
            ),
            (Array("a\n1\n".utf8), ["--decimal", "x"], "--decimal"),
            (Array("a\n1\n".utf8), ["--decimal", ",", "--exact"], "excludes --decimal"),
            (Array("a\n1\n".utf8), ["--columns", "a,a"], "names a twice"),
            (Array("a\n1\n".utf8), ["--columns", "a", "--no-header"], "already means"),
            (Array("a\n1\n".utf8), ["--skip", "9"], "the input is empty"),
        ])
    func mistakes(bytes: [UInt8], options: [String], message: String) throws {
        let input = harness.folder("in.csv")
        try Fixtures.write(bytes, to: input)
        let run = harness.run(
            ["create", harness.folder("out.firn"), "--from", "A=\(input)"] + options)
        #expect(run.status == 64 || run.status == 65, "\(run)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!harness.folder.names.contains("out.firn"))
    }

    /// The number in a text that the type of its property rules out was once stored as 15.
    @Test("A number in another form is an error for a typed property")
    func typedNumbers() throws {
        let file = harness.folder("typed.firn")
        #expect(
            harness.run(["create", file, "--from", "A=-", "-q"], input: "{\"x\":1.5}\n").status == 0
        )
        let input = harness.folder("in.csv")
        try Fixtures.write("x\n1.5\n", to: input)
        let run = harness.run(["write", file, input, "-c", "A", "--decimal", ","])
        #expect(run.status == 65)
        #expect(run.errors.contains("not in the form of --decimal ,"), "\(run.errors)")
    }

    @Test("A pattern names several files, which become one class")
    func patterns() throws {
        for month in 1...3 {
            try Fixtures.write("n\n\(month)\n", to: harness.folder("2013-0\(month).csv"))
        }
        try Fixtures.write("n\n9\n", to: harness.folder("2014-01.csv"))
        let file = harness.folder("out.firn")
        let run = harness.run(
            ["create", file, "--from", "Month=\(harness.folder("2013-*.csv"))", "-q"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["query", file, "Month", "-f", "csv", "-q"]).output == "n\n1\n2\n3\n")
        let more = harness.run([
            "write", file, harness.folder("201[4-9]-*.csv"), "-c", "Month", "-q",
        ])
        #expect(more.status == 0, "\(more.errors)")
        #expect(harness.run(["query", file, "Month | count", "-r"]).output == "4\n")
        let none = harness.run(
            ["create", harness.folder("no.firn"), "--from", "M=\(harness.folder("x*.csv"))"])
        #expect(none.status == 66 && none.errors.contains("no file matches"), "\(none)")
    }
}
