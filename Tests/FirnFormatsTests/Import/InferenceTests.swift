import FirnFormats
import FirnText
import FirnValues
import Testing

@Suite("Inferred types of columns")
struct InferenceTests {
    static func infer(
        _ csv: String, _ declared: [DeclaredType] = [], isExact: Bool = false
    ) throws -> [ColumnDecision] {
        let table = try TableReader(MemorySource(Array(csv.utf8)), .csv)
        var options = TableInference.Options()
        options.declared = declared
        options.isExact = isExact
        return try TableInference.run(table, options).columns
    }

    /// Returns the type and the display form of a column with these values.
    private func type(_ values: [String], isExact: Bool = false) throws -> String {
        let csv = "a,b\n" + values.map { "\($0),\n" }.joined()
        let column = try InferenceTests.infer(csv, isExact: isExact)[0]
        switch column.display {
        case .dateOnly: return column.type.name + " date"
        case .decimalPlaces(let places): return column.type.name + " .\(places)"
        case nil, .computedPlaces: return column.type.name
        }
    }

    @Test(
        "A column of numbers is Int or Double, however the numbers are written",
        arguments: [
            (["1", "-2", "0", "9223372036854775807", "-9223372036854775808"], "Int?"),
            (["1", ""], "Int?"), (["9223372036854775808"], "String?"),
            (["-9223372036854775809"], "String?"),
            (["00601"], "String?"), (["+1"], "String?"), (["1e5"], "Double?"), (["-0"], "Int?"),
            (["1", "x"], "String?"), (["1 "], "Int?"), (["-"], "String?"), (["\"12\""], "Int?"),
            (["1.50", "-2.25", "0.00"], "Double? .2"), (["1.5", "2.25"], "Double?"),
            (["1.50", "2.5"], "Double?"), (["1.0", "2.5", "3.25"], "Double?"),
            (["1."], "Double?"), ([".5"], "Double?"), (["-.5"], "Double?"), (["."], "String?"),
            (["01.5"], "String?"), (["00"], "String?"), (["1.5", "2"], "Double?"),
            (["10", "9.5", "3"], "Double?"), (["1", "2E3"], "Double?"),
            (["9007199254740992", "1.5"], "Double?"), (["9007199254740993", "1.5"], "String?"),
            (["1.5", "9007199254740993"], "String?"), (["1.5", "9007199254740992"], "Double?"),
            (["-0.0"], "Double? .1"), (["41.1304722", "39.1"], "Double?"),
            (["1e-05", "2.5"], "Double?"), (["1e400"], "String?"), (["1e-400"], "String?"),
            (["0.1000000000000000055511151231257827"], "String?"),
            (["54.013333333333335"], "Double?"), (["0.10000000000000001"], "Double?"),
            (["0.00001"], "Double? .5"), (["0.00001", "0.5"], "Double?"), (["1.2.3"], "String?"),
            (["123456789012345.5"], "Double? .1"), (["12345678901234567.5"], "String?"),
            (["1.5", "NaN"], "Double?"), (["1.5", "-inf"], "Double?"), (["0x10"], "String?"),
            (["1,5"], "Int?"), (["1e"], "String?"), (["e5"], "String?"), (["1-2"], "String?"),
            (["10000000000000000000000"], "String?"), (["1.5", "007"], "String?"),
        ] as [([String], String)])
    func numbers(values: [String], expected: String) throws {
        // A comma begins another field.
        let values = values.map { $0.contains(",") ? String($0.prefix { $0 != "," }) : $0 }
        #expect(try type(values) == expected)
    }

    @Test(
        "In exact mode, a column is numeric only if every value prints back as the same text",
        arguments: [
            (["1", "-2", "0"], "Int?"), (["1e5"], "String?"), (["-0"], "String?"),
            (["1 "], "String?"), (["-"], "String?"), (["1", "-"], "String?"),
            (["1.50", "-2.25", "0.00"], "Double? .2"), (["1.5", "2.25"], "Double?"),
            (["1.50", "2.5"], "String?"), (["1."], "String?"), ([".5"], "String?"),
            (["1.5", "2"], "String?"), (["2", "1.5"], "String?"), (["1e-05", "2.5"], "Double?"),
            (["0.00001", "0.5"], "String?"), (["NaN"], "String?"), (["1", "NA"], "String?"),
            (["2013-01-01T10:00:00"], "String?"), (["2013-01-01 10:00"], "String?"),
            (["2013-01-01", "2013-01-01T10:00:00Z"], "String?"),
            (["2013-01-01T10:00:00+01:00"], "String?"), (["True"], "String?"),
            (["1", "\"\""], "String?"),
        ] as [([String], String)])
    func exact(values: [String], expected: String) throws {
        #expect(try type(values, isExact: true) == expected)
    }

    @Test(
        "Dates, timestamps and truth values are recognised in every ISO form and case",
        arguments: [
            (["2013-01-01", "1999-12-31"], "Date? date"), (["2013-02-29"], "String?"),
            (["2013-1-1"], "String?"), (["2013-01-01T10:00:00Z"], "Date?"),
            (["2013-01-01T10:00:00.5Z", "2013-01-01T10:00:00Z"], "Date?"),
            (["2013-01-01T10:00:00.50Z"], "Date?"), (["2013-01-01T10:00:00"], "Date?"),
            (["2013-01-01 10:00"], "Date?"), (["2013-01-01 10:00:00.123"], "Date?"),
            (["2013-01-01T10:00:00+01:00"], "Date?"), (["2013-01-01 10:00:00-0530"], "Date?"),
            (["2013-01-01 10:00:00 UTC"], "Date?"), (["2013-01-01 10:00:00 +0200"], "Date?"),
            (["2013-01-01T24:00:00Z"], "String?"), (["2013-01-01 10:00 PM"], "String?"),
            (["2013-01-01", "2013-01-01T10:00:00Z"], "Date?"),
            (["2013-01-01 10:00", "2013-01-01"], "Date?"), (["2013-01-01", "x"], "String?"),
            (["2013-01-01T10:00:00.0000000001Z"], "String?"), (["1/31/2013"], "String?"),
            (["true", "false"], "Bool?"), (["True", "FALSE"], "Bool?"),
            (["true", "0"], "String?"), (["yes"], "String?"),
            (["true", ""], "Bool?"), (["0000-01-01", "9999-12-31"], "Date? date"),
        ] as [([String], String)])
    func datesAndBools(values: [String], expected: String) throws {
        #expect(try type(values) == expected)
    }

    @Test(
        "A word for a missing value is null in a typed column, and text in a string column",
        arguments: ["NA", "n/a", "#N/A", "NULL", "null", "None", "nil", "\\N", "-", "?", "\"\""])
    func nullWords(word: String) throws {
        for value in ["1", "1.5", "2013-01-01", "2013-01-01 10:00", "true"] {
            for csv in ["a,b\n\(word),\n\(value),\n", "a,b\n\(value),\n\(word),\n"] {
                let column = try InferenceTests.infer(csv)[0]
                #expect(column.type.base != .string, "\(csv)")
                #expect(column.nulls == 1, "\(csv)")
            }
        }
        let texts = try InferenceTests.infer("a,b\nx,\n\(word),\n")[0]
        #expect(texts.type.base == .string)
        #expect(texts.nulls == 0)
        // Without any other value, nothing says that the word is not a text.
        #expect(try InferenceTests.infer("a,b\n\(word),\n")[0].type.base == .string)
    }

    @Test("An empty field is null in a column of any type")
    func emptyFields() throws {
        #expect(try type(["", "\"\""]) == "String?")
        #expect(try type(["", ""]) == "String?")
        #expect(try type([]) == "String?")
    }

    @Test("The report says why and where a column is text")
    func reasons() throws {
        let columns = try InferenceTests.infer(
            "zip,n,d,t,b,big,many\n1,1,1.5,2013-01-01,true,1,9007199254740993\n"
                + "00601,a,+2,x,1,99999999999999999999,1.5\n")
        #expect(
            columns.map(\.reason) == [
                "\"00601\" has a leading zero (line 3)",
                "\"a\" is text (line 3)",
                "\"+2\" has a plus sign (line 3)",
                "\"x\" is not a date (line 3)",
                "\"1\" is neither true nor false (line 3)",
                "\"99999999999999999999\" does not fit into 64 bits (line 3)",
                "\"1.5\" has decimal places, but an earlier value has more digits than a Double "
                    + "keeps (line 3)",
            ])
    }

    @Test("The report of an exact import says why and where a column is text")
    func exactReasons() throws {
        let columns = try InferenceTests.infer(
            "n,d,e\n1,1.5,\n1.5,2,\"\"\n", isExact: true)
        #expect(
            columns.map(\.reason) == [
                "\"1.5\" has decimal places, but earlier values have none (line 3)",
                "\"2\" is a whole number, but earlier values have decimal places (line 3)",
                "\"\" in quotes is an empty string, not a missing value (line 3)",
            ])
        #expect(columns[2].nulls == 1)
    }

    @Test(
        "An inference report has an example of a value that an export prints differently",
        arguments: [
            (["10", "9.5"], "10", "10.0"), (["9.5", "10"], "10", "10.0"),
            (["1.10", "1.1"], "1.10", "1.1"), (["1.5", "2E3"], "2E3", "2000.0"),
            (["2013-01-31 23:59"], "2013-01-31 23:59", "2013-01-31T23:59:00Z"),
            (["2013-01-31", "2013-01-31T10:00:00Z"], "2013-01-31", "2013-01-31T00:00:00Z"),
            (["2013-01-31T10:00:00+02:00"], "2013-01-31T10:00:00+02:00", "2013-01-31T08:00:00Z"),
            (["TRUE"], "TRUE", "true"), ([" 7"], " 7", "7"), (["7", "NA"], "NA", ""),
        ] as [([String], String, String)])
    func respelled(values: [String], text: String, printed: String) throws {
        let csv = "a,b\n" + values.map { "\($0),\n" }.joined()
        let column = try InferenceTests.infer(csv)[0]
        #expect(column.respelling?.text == text)
        #expect(column.respelling?.printed == printed)
    }

    @Test(
        "An inference report has no such example if an export prints every value unchanged",
        arguments: [
            ["1", "-2"], ["1.10", "2.25"], ["1.1", "2.25"], ["2013-01-31"], ["true", "false"],
            ["2013-01-31T10:00:00Z"], ["x", "NA"], ["007"],
        ])
    func printsUnchanged(values: [String]) throws {
        let csv = "a,b\n" + values.map { "\($0),\n" }.joined()
        #expect(try InferenceTests.infer(csv)[0].respelling == nil)
    }

    @Test("A declared type accepts more forms, and an error names values that do not fit")
    func declared() throws {
        let types = [
            DeclaredType(property: "a", type: PropertyType(.int)),
            DeclaredType(property: "b", type: PropertyType(.double)),
            DeclaredType(property: "c", type: PropertyType(.date)),
            DeclaredType(property: "d", type: PropertyType(.bool, isOptional: true)),
            DeclaredType(property: "e", type: PropertyType(.string)),
        ]
        let columns = try InferenceTests.infer(
            "a,b,c,d,e\n+007,1,2013-1-1 10:00,1,5\n,1e5,2013-01-01T10:00:00+02:00,FALSE,6\n", types)
        #expect(columns.map(\.type.name) == ["Int?", "Double", "Date", "Bool?", "String"])
        let words = try InferenceTests.infer(
            "a,b,c,d,e\nNA,-,NULL,?,NA\n1, 2 ,2013-01-01,0,x\n", types)
        #expect(words.map(\.type.name) == ["Int?", "Double?", "Date?", "Bool?", "String"])
        #expect(words.map(\.nulls) == [1, 1, 1, 1, 0])
        let error = #expect(throws: InputError.self) {
            try InferenceTests.infer("a,b\n1,2\nx,3\n", types)
        }
        #expect(error?.code == .type)
        #expect(error?.line == 3)
        #expect(error?.column == "a")
        #expect(error?.excerpt == "x")
    }

    @Test("In headers, spaces are trimmed, and empty and duplicate names are numbered")
    func headers() throws {
        let names = try InferenceTests.infer(" a ,,\"b\tc\"\n1,2,3\n").map(\.name)
        #expect(names == ["a", "column2", "b c"])
        let equal = try InferenceTests.infer("a,b,a,a_2,a\n").map(\.name)
        #expect(equal == ["a", "b", "a_3", "a_2", "a_4"])
        #expect(try InferenceTests.infer("\n1\n").map(\.name) == ["1"])
        for text in ["", "\n"] {
            #expect(throws: InputError.self) { try InferenceTests.infer(text) }
        }
    }

    @Test("Rows must have as many fields as the header, and empty lines are skipped in wide tables")
    func ragged() throws {
        let error = #expect(throws: InputError.self) {
            try InferenceTests.infer("a,b\n1,2\n1,2,3\n")
        }
        #expect(error?.message == "3 fields where the header has 2")
        #expect(error?.line == 3)
        #expect(error?.excerpt == "1,2,3")
        #expect(
            try InferenceTests.infer("a,b\n1,2\n\n3,4\n").map(\.type.name) == ["Int?", "Int?"])
        #expect(try InferenceTests.infer("a,b\n1,2\n\n\n").map(\.type.name) == ["Int?", "Int?"])
        #expect(try InferenceTests.infer("a\n1\n\n2\n").map(\.type.name) == ["Int?"])
    }

    @Test("Text that is not UTF-8 is an error with its column and byte")
    func encoding() throws {
        for bad: [UInt8] in [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] {
            let bytes = Array("a,b\nx,é".utf8) + bad + Array("\n".utf8)
            let table = try TableReader(MemorySource(bytes), .csv)
            let error = #expect(throws: InputError.self) { try TableInference.run(table) }
            #expect(error?.code == .encoding)
            #expect(error?.line == 2)
            #expect(error?.column == "b")
            #expect(error?.offset == 8)
        }
    }

    @Test(
        "A class name is the stem of the file in upper camel case",
        arguments: [
            ("flights.csv", "Flights"), ("/a/b.c/nyc-flights 2013.csv.txt", "NycFlights2013"),
            ("über_öl.csv", "ÜberÖl"), ("2013.csv", nil), ("...", nil), ("", nil), ("a", "A"),
        ] as [(String, String?)])
    func classNames(path: String, expected: String?) {
        #expect(ClassName.from(path: path) == expected)
    }
}
