import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues
import Testing

private let people = SampleResult(
    [
        ("id", .int, nil), ("name", .string, nil), ("score", .double, nil),
        ("price", .double, .decimalPlaces(2)), ("born", .date, .dateOnly), ("seen", .date, nil),
        ("ok", .bool, nil),
    ],
    [
        [
            .int(1), .string("Al"), .double(12), .double(3.5), .date(Timestamp(seconds: 0)),
            .date(Timestamp(seconds: 1, nanoseconds: 120_000_000)), .bool(true),
        ],
        [.null, .null, .null, .null, .null, .null, .null],
        [
            .int(.min), .string("a,\"b\"\n"), .double(.nan), .double(-0.01),
            .date(Timestamp(seconds: 1)), .date(Timestamp(seconds: .max)), .bool(false),
        ],
        [
            .int(.max), .string(""), .double(-.infinity), .double(1e300),
            .date(Timestamp(seconds: -86_400)), .date(Timestamp(seconds: -1)), .bool(true),
        ],
    ])

@Suite("Writers of results")
struct WriterTests {
    @Test(
        "CSV quotes only where necessary and distinguishes null from an empty string",
        arguments: [1, 2, 100]
    )
    func csv(batchRows: Int) throws {
        let text = try people.written(batchRows: batchRows) { CSVWriter($0) }
        #expect(
            text == """
                id,name,score,price,born,seen,ok
                1,Al,12.0,3.50,1970-01-01,1970-01-01T00:00:01.12Z,true
                ,,,,,,
                -9223372036854775808,"a,""b""
                ",NaN,-0.01,1970-01-01T00:00:01Z,T9223372036854775807:0,false
                9223372036854775807,"",-Infinity,1e+300,1969-12-31,1969-12-31T23:59:59Z,true

                """)
    }

    @Test(
        "CSV for spreadsheets puts an apostrophe before a would-be formula", .tags(.security))
    func safeCSV() throws {
        let sample = SampleResult(
            [("=a", .string, nil), ("n", .int, nil)],
            [
                [.string("=1+1"), .int(-5)], [.string("@x"), .int(1)], [.string("\tx"), .int(1)],
                [.string("a=1"), .int(1)], [.string(""), .null], [.string("-\"q\","), .int(1)],
            ])
        #expect(
            try sample.written { SafeCSVWriter($0) }
                == "'=a,n\n'=1+1,-5\n'@x,1\n'\tx,1\na=1,1\n\"\",\n\"'-\"\"q\"\",\",1\n")
    }

    @Test("TSV has quotes where CSV has them, and around tabs")
    func tsv() throws {
        let sample = SampleResult(
            [("a\tb", .string, nil), ("n", .int, nil)],
            [[.string("x\ty\nz\\"), .int(5)], [.null, .null]])
        var options = WriterOptions()
        options.nullText = "NULL"
        let text = try sample.written { TSVWriter($0, options) }
        #expect(text == "\"a\tb\"\tn\n\"x\ty\nz\\\"\t5\nNULL\tNULL\n")
    }

    @Test("NDJSON is one typed object per line", arguments: [1, 3])
    func ndjson(batchRows: Int) throws {
        let text = try people.written(batchRows: batchRows) { JSONWriter($0, .lines) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(
            lines[0] == """
                {"id":1,"name":"Al","score":12.0,"price":3.50,"born":"1970-01-01",\
                "seen":"1970-01-01T00:00:01.12Z","ok":true}
                """)
        #expect(
            lines[1] == """
                {"id":null,"name":null,"score":null,"price":null,"born":null,"seen":null,"ok":null}
                """)
        #expect(lines[2].contains(#""name":"a,\"b\"\n","score":"NaN","price":-0.01"#))
        #expect(lines[3].contains(#""score":"-Infinity","price":1e+300"#))
    }

    @Test("JSON is one array, even without rows")
    func json() throws {
        let sample = SampleResult([("a", .int, nil)], [[.int(1)], [.null]])
        #expect(try sample.written { JSONWriter($0, .array) } == "[\n{\"a\":1},\n{\"a\":null}\n]\n")
        let empty = SampleResult([("a", .int, nil)], [])
        #expect(try empty.written { JSONWriter($0, .array) } == "[]\n")
        #expect(try empty.written { JSONWriter($0, .lines) }.isEmpty)
    }

    @Test("JSON escapes controls and keeps all other text")
    func jsonText() throws {
        let text = "\u{1}\u{8}\t\n\u{C}\r\u{1F}\"\\/é😀\u{7F}\u{2028}"
        let sample = SampleResult([("\"k\"", .string, nil)], [[.string(text)]])
        let written = try sample.written { JSONWriter($0, .lines) }
        #expect(
            written
                == "{\"\\\"k\\\"\":\"\\u0001\\b\\t\\n\\f\\r\\u001f\\\"\\\\/é😀\u{7F}\u{2028}\"}\n")
    }

    @Test("Raw output is the value alone, ended by a line feed or a NUL")
    func raw() throws {
        let sample = SampleResult(
            [("a", .string, nil)], [[.string("x,y")], [.null], [.string("z")]])
        let lines = try sample.written { RawWriter($0, WriterOptions(), endsWithNUL: false) }
        #expect(lines == "x,y\n\nz\n")
        let nuls = try sample.written { RawWriter($0, WriterOptions(), endsWithNUL: true) }
        #expect(nuls == "x,y\0\0z\0")
    }

    @Test("A long result reaches the sink in pieces and completely")
    func pieces() throws {
        let rows = (0..<50_000).map { [Value.int(Int64($0)), .string("text \($0)")] }
        let sample = SampleResult([("n", .int, nil), ("t", .string, nil)], rows)
        let text = try sample.written(batchRows: 1024) { CSVWriter($0) }
        let expected = "n,t\n" + (0..<50_000).map { "\($0),text \($0)\n" }.joined()
        #expect(text == expected)
    }

    @Test("An error of the sink ends the writer")
    func failingSink() throws {
        let rows = (0..<50_000).map { [Value.int(Int64($0))] }
        let sample = SampleResult([("n", .int, nil)], rows)
        #expect(throws: PlatformError.self) {
            _ = try sample.written(batchRows: 1024) { _ in CSVWriter(FullSink()) }
        }
    }
}

private final class FullSink: ByteSink {
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        throw PlatformError(.diskFull, operation: "write", path: "/dev/full", errno: 28)
    }
}
