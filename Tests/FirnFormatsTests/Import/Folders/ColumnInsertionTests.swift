import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats

@Suite("The columns of folders inside texts")
struct ColumnInsertionTests {
    private static let columns =
        FolderColumn.all(of: [["c=U\"A,;", "m=7", "z=__HIVE_DEFAULT_PARTITION__"]])
        .first ?? []

    private func table(_ text: String, _ format: DelimitedFormat) throws -> String {
        var insertion = try #require(TableColumnInsertion(Self.columns, format))
        var out: [UInt8] = []
        for byte in text.utf8 { insertion.add(byte, to: &out) }
        insertion.finish(&out)
        return String(decoding: out, as: UTF8.self)
    }

    @Test("Each row of a table gets the columns, wherever its lines end")
    func tables() throws {
        let header = #","c","m","z""#
        let row = #","U""A,;",7,"#
        #expect(try table("a,b\n1,2\n", .csv) == "a,b\(header)\n1,2\(row)\n")
        #expect(try table("a\r\n1\r\n\r\n2", .csv) == "a\(header)\r\n1\(row)\r\n\r\n2\(row)")
        #expect(
            try table("a,b\n\"x\ny\",\"\"\"\n\"\n", .csv)
                == "a,b\(header)\n\"x\ny\",\"\"\"\n\"\(row)\n")
        #expect(try table("a,b\n5\" disk,3\n", .csv) == "a,b\(header)\n5\" disk,3\(row)\n")
        var commented = DelimitedFormat.csv
        commented.comment = UInt8(ascii: "#")
        commented.skippedLineCount = 1
        #expect(
            try table("a \"title\n#c\na\n1\n", commented)
                == "a \"title\n#c\na\(header)\n1\(row)\n")
        var escaped = DelimitedFormat.tsv
        (escaped.hasEscapes, escaped.quote) = (true, nil)
        #expect(
            try table("a\n1\\\n2\n", escaped) == "a\tc\tm\tz\n1\\\n2\tU\"A,;\t7\t\\N\n")
        var unnamed = DelimitedFormat.csv
        unnamed.header = .none
        #expect(TableColumnInsertion(Self.columns, unnamed) == nil)
    }

    @Test("Each top-level object of a stream or array gets the members, and no nested object does")
    func objects() {
        func inserted(_ text: String) -> String {
            var insertion = ObjectColumnInsertion(Self.columns)
            var out: [UInt8] = []
            for byte in text.utf8 { insertion.add(byte, to: &out) }
            return String(decoding: out, as: UTF8.self)
        }
        let members = #""c":"U\"A,;","m":7,"z":null"#
        #expect(inserted("{\"a\":1}\n{}\n") == "{\(members),\"a\":1}\n{\(members)}\n")
        #expect(
            inserted(#"[ { "a" : [{"b":1}] }, {} ]"#)
                == "[ { \(members),\"a\" : [{\"b\":1}] }, {\(members)} ]")
        #expect(inserted(#"{"a":"{\"}[","b":{}}"#) == "{\(members),\"a\":\"{\\\"}[\",\"b\":{}}")
    }

    @Test("A table of random fields keeps its rows when columns are added, however it is cut")
    func random() throws {
        let seed = 47 + TestScale.firstSeed
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let parts = ["x", "", "\"a,b\"", "\"q\"\"q\"", "\"l\nl\"", "\"c\r\nc\"", "é", " "]
        for _ in 0..<200 {
            let ending = Bool.random(using: &generator) ? "\n" : "\r\n"
            let width = Int.random(in: 2...4, using: &generator)
            let lines = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<width).map { _ in parts.randomElement(using: &generator) ?? "" }
                    .joined(separator: ",")
            }
            let header = (0..<width).map { "h\($0)" }.joined(separator: ",")
            let text = ([header] + lines).joined(separator: ending)
            let plain = try rows(MemorySource(Array(text.utf8)))
            let size = Int.random(in: 1...7, using: &generator)
            let source = FolderColumnSource(
                SlicedSource(Array(text.utf8), by: size),
                try #require(TableColumnInsertion(Self.columns, .csv)))
            #expect(try rows(source) == plain.map { $0 + ["U\"A,;", "7", ""] }, "\(text)")
        }
    }

    private func rows(_ source: any ByteSource) throws -> [[String]] {
        let table = try TableReader(source, .csv)
        var rows: [[String]] = []
        while try table.next() {
            let row = table.row
            rows.append(
                table.columnNames.indices.map { index in
                    row.isNull(index) ? "" : String(decoding: row.text(index), as: UTF8.self)
                })
        }
        return rows
    }
}

/// A text that arrives in pieces.
private final class SlicedSource: ByteSource {
    let name = "slices"
    let size: UInt64? = nil
    let hasInput = true
    private var rest: ArraySlice<UInt8>
    private let pieceBytes: Int

    init(_ bytes: [UInt8], by pieceBytes: Int) {
        rest = bytes[...]
        self.pieceBytes = pieceBytes
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = rest.prefix(min(pieceBytes, buffer.count))
        rest.removeFirst(piece.count)
        buffer.copyBytes(from: piece)
        return piece.count
    }
}
