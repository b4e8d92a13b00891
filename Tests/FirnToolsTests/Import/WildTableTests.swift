import FirnTesting
import FirnTools
import Testing

/// Small tables as people find them, with the types and values that they expect.
@Suite("Tables from the wild")
struct WildTableTests {
    /// A table, the types of its columns, and its rows as an export prints them.
    struct Table: CustomTestStringConvertible, Sendable {
        let name: String
        let csv: String
        let types: String
        let rows: String
        var testDescription: String { name }

        init(_ name: String, _ csv: String, _ types: String, _ rows: String) {
            self.name = name
            self.csv = csv
            self.types = types
            self.rows = rows
        }
    }

    static let tables: [Table] = [
        // Numbers
        Table(
            "prices, some whole", "item,price\na,10\nb,9.5\nc,3\n", "String? Double?",
            "a,10.0\nb,9.5\nc,3.0\n"),
        Table("prices with two places", "p\n1.10\n22.50\n", "Double?", "1.10\n22.50\n"),
        Table("prices with one or two places", "p\n1.10\n22.5\n", "Double?", "1.1\n22.5\n"),
        Table("counts with gaps", "n,m\n1,\n,2\n", "Int? Int?", "1,\n,2\n"),
        Table("counts of R", "\"n\",\"m\"\n1,NA\nNA,2\n", "Int? Int?", "1,\n,2\n"),
        Table("counts of pandas", "n,m\n1.0,2\n,3\n", "Double? Int?", "1.0,2\n,3\n"),
        Table(
            "measurements in exponents", "x\n1e-3\n2.5E+2\n3\n", "Double?",
            "0.001\n250.0\n3.0\n"),
        Table("measurements of C", "x\n0.10000000000000001\n0.5\n", "Double?", "0.1\n0.5\n"),
        Table("numbers without their zero", "x\n.5\n-.25\n1.\n", "Double?", "0.5\n-0.25\n1.0\n"),
        Table("padded numbers", "a,b\n  1,  2.5\n 10, 12.5\n", "Int? Double?", "1,2.5\n10,12.5\n"),
        Table("blanks after commas", "a, b\n1, 2\n3, 4\n", "Int? Int?", "1,2\n3,4\n"),
        Table("quoted numbers", "a\n\"1\"\n\"2\"\n", "Int?", "1\n2\n"),
        Table("negative zero", "a\n0\n-0\n", "Int?", "0\n0\n"),
        Table("not a number", "a\n1.5\nNaN\n", "Double?", "1.5\nNaN\n"),
        Table("infinite", "a\n1.5\n-inf\n", "Double?", "1.5\n-Infinity\n"),
        Table("thousands", "a\n\"1,000\"\n\"2,500\"\n", "String?", "\"1,000\"\n\"2,500\"\n"),
        Table("currency", "a\n$5\n$12\n", "String?", "$5\n$12\n"),
        Table("percentages", "a\n5%\n12%\n", "String?", "5%\n12%\n"),
        Table(
            "decimal commas", "a;b\n1,5;x\n2,5;y\n", "Double? String?", "1.5,x\n2.5,y\n"),
        // Numbers that are names
        Table("postal codes", "zip\n00601\n10001\n", "String?", "00601\n10001\n"),
        Table(
            "phone numbers", "tel\n+4512345678\n+4587654321\n", "String?",
            "+4512345678\n+4587654321\n"),
        Table(
            "card numbers", "card\n4111111111111111111111\n1\n", "String?",
            "4111111111111111111111\n1\n"),
        Table(
            "identifiers of 64 bits", "id\n9007199254740993\n1\n", "Int?",
            "9007199254740993\n1\n"),
        Table(
            "identifiers and a decimal", "id\n9007199254740993\n1.5\n", "String?",
            "9007199254740993\n1.5\n"),
        Table("versions", "v\n1.2.3\n1.10\n", "String?", "1.2.3\n1.10\n"),
        Table("addresses", "ip\n10.0.0.1\n10.0.0.2\n", "String?", "10.0.0.1\n10.0.0.2\n"),
        Table("hexadecimal", "h\n0x10\nff\n", "String?", "0x10\nff\n"),
        Table(
            "precise decimals", "d\n3.14159265358979323846\n1.5\n", "String?",
            "3.14159265358979323846\n1.5\n"),
        Table("beyond all doubles", "d\n1e400\n1\n", "String?", "1e400\n1\n"),
        // Dates and times
        Table("dates", "d\n2013-01-31\n2013-02-01\n", "Date?", "2013-01-31\n2013-02-01\n"),
        Table("dates with gaps", "d,n\n2013-01-31,1\n,2\n", "Date? Int?", "2013-01-31,1\n,2\n"),
        Table("times of SQL", "t\n2013-01-31 23:59:00\n", "Date?", "2013-01-31T23:59:00Z\n"),
        Table(
            "times of PostgreSQL", "t\n2013-01-31 23:59:00.25+02\n", "Date?",
            "2013-01-31T21:59:00.25Z\n"),
        Table(
            "times of pandas", "t\n2013-01-31 23:59:00+00:00\n", "Date?",
            "2013-01-31T23:59:00Z\n"),
        Table(
            "times of git", "t\n2013-01-31 23:59:00 -0500\n", "Date?",
            "2013-02-01T04:59:00Z\n"),
        Table("times of Ruby", "t\n2013-01-31 23:59:00 UTC\n", "Date?", "2013-01-31T23:59:00Z\n"),
        Table(
            "times of Python", "t\n2013-01-31T23:59:00.123456\n", "Date?",
            "2013-01-31T23:59:00.123456Z\n"),
        Table(
            "times of JavaScript", "t\n2013-01-31T23:59:00.000Z\n", "Date?",
            "2013-01-31T23:59:00Z\n"),
        Table("times without seconds", "t\n2013-01-31 23:59\n", "Date?", "2013-01-31T23:59:00Z\n"),
        Table(
            "dates, then a time", "t\n2013-01-31\n2013-02-01 10:00\n", "Date?",
            "2013-01-31T00:00:00Z\n2013-02-01T10:00:00Z\n"),
        Table("American dates", "d\n1/31/2013\n2/1/2013\n", "String?", "1/31/2013\n2/1/2013\n"),
        Table(
            "European dates", "d\n31.01.2013\n01.02.2013\n", "String?",
            "31.01.2013\n01.02.2013\n"),
        Table(
            "a date that does not exist", "d\n2013-02-28\n2013-02-29\n", "String?",
            "2013-02-28\n2013-02-29\n"),
        Table("times of day", "t\n10:30\n23:59\n", "String?", "10:30\n23:59\n"),
        // Truth values
        Table("truth values of Python", "b\nTrue\nFalse\n", "Bool?", "true\nfalse\n"),
        Table("truth values of R", "b\nTRUE\nNA\n", "Bool?", "true\n\n"),
        Table("yes and no", "b\nyes\nno\n", "String?", "yes\nno\n"),
        Table("ones and zeros", "b\n1\n0\n", "Int?", "1\n0\n"),
        // Missing values
        Table("NULL of MySQL", "a,b\n1,\\N\n\\N,2.5\n", "Int? Double?", "1,\n,2.5\n"),
        Table(
            "NULL of SQL Server", "a,b\n1,NULL\nNULL,2013-01-31\n", "Int? Date?",
            "1,\n,2013-01-31\n"),
        Table("missing as a dash", "a,b\n1,-\n-,2\n", "Int? Int?", "1,\n,2\n"),
        Table("missing as a question mark", "a,b\n1,?\n?,2\n", "Int? Int?", "1,\n,2\n"),
        Table("missing of Excel", "a,b\n1,#N/A\n#N/A,2\n", "Int? Int?", "1,\n,2\n"),
        Table("missing in quotes", "a,b\n\"1\",\"\"\n\"\",\"2\"\n", "Int? Int?", "1,\n,2\n"),
        Table("missing names are texts", "name\nNA\nBo\n-\n", "String?", "NA\nBo\n-\n"),
        Table("a column without values", "a,b\n1,\n2,\n", "Int? String?", "1,\n2,\n"),
        // Layout
        Table("CRLF", "a,b\r\n1,x\r\n", "Int? String?", "1,x\n"),
        Table("a byte order mark", "\u{FEFF}a,b\n1,x\n", "Int? String?", "1,x\n"),
        Table("tabs", "a\tb\n1\tx\n", "Int? String?", "1,x\n"),
        Table("no end of line at the end", "a,b\n1,x", "Int? String?", "1,x\n"),
        Table("lines in a field", "a,b\n1,\"x\ny\"\n", "Int? String?", "1,\"x\ny\"\n"),
        Table(
            "quotes in a field", "a\n\"he said \"\"hi\"\"\"\n", "String?",
            "\"he said \"\"hi\"\"\"\n"),
        Table("an index column without a name", ",x\n0,a\n1,b\n", "Int? String?", "0,a\n1,b\n"),
        Table("other alphabets", "città,人\nÅ,日本\n", "String? String?", "Å,日本\n"),
    ]

    @Test("A table gets the types and values that people expect", arguments: tables)
    func imported(table: Table) throws {
        let harness = CommandHarness()
        let file = harness.folder("t.firn")
        let made = harness.run(
            ["create", file, "--from", "T=-", "--errors", "human"], input: table.csv)
        #expect(made.status == 0, "\(made.errors)")
        let schema = harness.run(["schema", file, "-f", "text"]).output
        let types = schema.split(separator: "\n").dropFirst().map { line in
            line.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "," } } ?? ""
        }
        #expect(types.joined(separator: " ") == table.types, "\(schema)\n\(made.errors)")
        let rows = harness.run(["query", file, "T", "-f", "csv", "--no-header"]).output
        #expect(rows == table.rows, "\(made.errors)")

        // The same table comes in again, record by record.
        let again = harness.run(["write", file, "-", "-c", "T"], input: table.csv)
        #expect(again.status == 0, "\(again.errors)")
        let both = harness.run(["query", file, "T", "-f", "csv", "--no-header"]).output
        #expect(both == table.rows + table.rows)
    }

    @Test(
        "An exact import keeps a table byte for byte", arguments: tables.filter(Self.isRegular)
    )
    func exact(table: Table) throws {
        let harness = CommandHarness()
        let file = harness.folder("t.firn")
        let made = harness.run(
            ["create", file, "--from", "T=-", "--exact", "-q"], input: table.csv)
        #expect(made.status == 0, "\(made.errors)")
        #expect(harness.run(["query", file, "T", "-f", "csv"]).output == table.csv)
    }

    /// Whether the table is written as an export writes tables: with commas and lines, and with
    /// quotes only where they are needed.
    private static func isRegular(_ table: Table) -> Bool {
        let isQuoted = table.csv.contains("\"")
        let isPadded = table.csv.contains(", ") || table.csv.contains(",  ")
        return !isQuoted && !isPadded && !table.csv.contains("\r") && !table.csv.contains("\t")
            && !table.csv.contains(";") && !table.csv.hasPrefix("\u{FEFF}")
            && !table.csv.hasPrefix(",") && table.csv.hasSuffix("\n")
            && !table.csv.contains("\n\n")
    }

    /// Twelve files with gaps in other columns: the first reader of decision by decision failed at
    /// the third month, because `dep_time` was required and `delay` was Int.
    static let months: [String] = (1...12).map { month in
        let gap = month % 3
        return "month,dep_time,delay,tail\n"
            + "\(month),\(gap == 1 ? "" : "517"),\(month == 7 ? "2.5" : "2"),\(gap == 2 ? "" : "N1")\n"
            + "\(month),\(gap == 2 ? "NA" : "600"),\(gap == 0 ? "" : "-4"),N2\n"
    }

    @Test("Twelve monthly files with gaps in different columns are imported together")
    func monthsTogether() throws {
        let harness = CommandHarness()
        let file = harness.folder("year.firn")
        var words = ["create", file]
        for (index, csv) in Self.months.enumerated() {
            let path = harness.folder("\(index + 1).csv")
            try Fixtures.write(csv, to: path)
            words += ["--from", "Trip=\(path)"]
        }
        let made = harness.run(words)
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            made.errors.contains(
                """
                1.csv, \(harness.folder("2.csv")), \(harness.folder("3.csv")), 9 more: \
                class Trip, 24 rows
                  month     Int?     whole numbers
                  dep_time  Int?     whole numbers; "NA" is null, 8 nulls
                  delay     Double?  numbers, 4 nulls
                  tail      String?  "N1" is text (line 2 of \(harness.folder("1.csv"))), 4 nulls
                """), "\(made.errors)")
        #expect(harness.run(["query", file, "Trip", "--count", "-r"]).output == "24\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("Twelve monthly files with gaps in different columns are imported one after the other")
    func monthsOneByOne() throws {
        let harness = CommandHarness()
        let file = harness.folder("year.firn")
        for (index, csv) in Self.months.enumerated() {
            let words = index == 0 ? ["create", file, "--from", "Trip=-"] : ["write", file, "-"]
            var run = harness.run(words, input: csv)
            if index == 6 {
                // July is the first month with a decimal number; the error says what to do.
                #expect(run.status == 65)
                let remedy = "firn alter \(file) 'retype Trip.delay Double?'"
                #expect(run.errors.contains("accept it with: \(remedy)"), "\(run.errors)")
                #expect(harness.run(["alter", file, "retype Trip.delay Double?"]).status == 0)
                run = harness.run(words, input: csv)
            }
            #expect(run.status == 0, "month \(index + 1): \(run.errors)")
        }
        #expect(harness.run(["query", file, "Trip", "--count", "-r"]).output == "24\n")
        #expect(harness.run(["query", file, "Trip delay == 2.5", "--count", "-r"]).output == "1\n")
    }

    @Test("A required property missing in a later file is named, with the change that allows nil")
    func missing() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        for (csv, message) in [
            ("id,name,age,city\n1,A,NA,X\n", "the text means null, and Int cannot be null"),
            ("id,name,age,city\n1,A,,X\n", "Int cannot be null"),
            ("id,name,city\n1,A,X\n", "Person needs a value for age"),
        ] {
            let run = harness.run(["write", file, "-"], input: csv)
            #expect(run.status == 65)
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(
                run.errors.contains(
                    "allow nil with: firn alter \(file) 'retype Person.age Int?'\n"),
                "\(run.errors)")
        }
        #expect(harness.run(["alter", file, "retype Person.age Int?", "-q"]).status == 0)
        let run = harness.run(
            ["write", file, "-"], input: "id,name,age,city\n1,A,NA,X\n2,B,,Y\n")
        #expect(run.status == 0)
        #expect(run.errors == "Person.age: 1 value such as \"NA\" read as null\n")
    }

    @Test("A string given to --null is null in every column, even while types are inferred")
    func nullText() throws {
        let harness = CommandHarness()
        let file = harness.folder("t.firn")
        let made = harness.run(
            ["create", file, "--from", "T=-", "--null", "none given"],
            input: "a,b\n1,none given\nnone given,x\n")
        #expect(made.status == 0, "\(made.errors)")
        let rows = harness.run(["query", file, "T", "-f", "csv"]).output
        #expect(rows == "a,b\n1,\n,x\n")
        #expect(
            harness.run(["schema", file, "-f", "text"]).output == "T\n  a  Int?\n  b  String?\n")
    }

    @Test("Two files with the same key are an error that names both lines and both files")
    func duplicates() throws {
        let harness = CommandHarness()
        let (first, second) = (harness.folder("1.csv"), harness.folder("2.csv"))
        try Fixtures.write("id,a\n1,x\n2,y\n", to: first)
        try Fixtures.write("id,a\n3,x\n2,z\n", to: second)
        let run = harness.run(
            ["create", harness.folder("t.firn"), "-q", "--key", "id"]
                + ["--from", "T=\(first)", "--from", "T=\(second)"])
        #expect(run.status == 65)
        #expect(
            run.errors.contains("\(second):3, id: 2 is also the key of line 3 of \(first)"),
            "\(run.errors)")
    }

    @Test("Tables and JSON of one class are imported together")
    func mixed() throws {
        let harness = CommandHarness()
        let (csv, json) = (harness.folder("1.csv"), harness.folder("2.ndjson"))
        try Fixtures.write("id,n,s\n1,2,x\n", to: csv)
        try Fixtures.write("{\"id\":2,\"n\":2.5,\"tags\":[\"a\"]}\n", to: json)
        let file = harness.folder("t.firn")
        let run = harness.run(
            ["create", file, "-q", "--key", "id", "--from", "T=\(csv)", "--from", "T=\(json)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["query", file, "T"]).output == """
                {"id":1,"n":2.0,"s":"x","tags":[]}
                {"id":2,"n":2.5,"s":null,"tags":["a"]}

                """)
    }
}
