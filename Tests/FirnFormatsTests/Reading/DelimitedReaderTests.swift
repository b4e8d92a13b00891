import FirnFormats
import FirnTesting
import FirnText
import Testing

@Suite("The reader of CSV and TSV")
struct DelimitedReaderTests {
    /// All rows, read in pieces with a tiny buffer, so that every boundary is crossed.
    static func rows(
        _ text: String, _ format: DelimitedFormat = .csv, pieceBytes: Int = 1,
        limits: ReadingLimits? = nil
    ) throws(InputError) -> [[String]] {
        try rows(Array(text.utf8), format, pieceBytes: pieceBytes, limits: limits)
    }

    static func rows(
        _ bytes: [UInt8], _ format: DelimitedFormat = .csv, pieceBytes: Int = 1,
        limits: ReadingLimits? = nil
    ) throws(InputError) -> [[String]] {
        var small = ReadingLimits()
        small.chunkBytes = 16
        let source = MemorySource(bytes, pieceBytes: pieceBytes)
        var reader = try DelimitedReader(source, format, limits: limits ?? small)
        var rows: [[String]] = []
        while try reader.next() {
            var row: [String] = []
            for index in 0..<reader.fieldCount { row.append(reader.string(index)) }
            rows.append(row)
        }
        return rows
    }

    @Test("Fields, quotes and line ends follow RFC 4180", arguments: [1, 2, 3, 7, 1000])
    func csv(pieceBytes: Int) throws {
        let text = "a,b,c\r\n\"x,1\",\"say \"\"hi\"\"\",\"two\r\nlines\"\n,\"\",\"\"\"\"\n1,2,3"
        #expect(
            try DelimitedReaderTests.rows(text, pieceBytes: pieceBytes) == [
                ["a", "b", "c"], ["x,1", "say \"hi\"", "two\r\nlines"], ["", "", "\""],
                ["1", "2", "3"],
            ])
    }

    @Test(
        "Every end of input is handled",
        arguments: [
            ("", []), ("\n", [[""]]), ("a", [["a"]]), ("a,", [["a", ""]]), ("a\n", [["a"]]),
            ("a\r\n", [["a"]]), ("\"a\"", [["a"]]), ("\"\"", [[""]]), ("a\n\n", [["a"], [""]]),
            (",", [["", ""]]), ("\"a\"\r", [["a"]]),
        ] as [(String, [[String]])])
    func ends(text: String, expected: [[String]]) throws {
        for pieceBytes in 1...3 {
            #expect(try DelimitedReaderTests.rows(text, pieceBytes: pieceBytes) == expected)
        }
    }

    @Test("A byte order mark is not part of the first name")
    func byteOrderMark() throws {
        #expect(try DelimitedReaderTests.rows("\u{FEFF}a,b\n1,2") == [["a", "b"], ["1", "2"]])
        #expect(try DelimitedReaderTests.rows([0xEF, 0xBB]).count == 1)
    }

    @Test("In TSV, tabs separate quoted fields as commas do in CSV, and a backslash is literal")
    func tsv() throws {
        let text = "a\tb\n\"x y\"\tC:\\new\n\"a\tb\"\t\\N\n"
        #expect(
            try DelimitedReaderTests.rows(text, .tsv) == [
                ["a", "b"], ["x y", "C:\\new"], ["a\tb", "\\N"],
            ])
    }

    @Test(
        "Escapes stand for control characters, null, or the character itself",
        arguments: [1, 2, 100])
    func escapes(pieceBytes: Int) throws {
        var format = DelimitedFormat.tsv
        format.hasEscapes = true
        format.quote = nil
        let text = "a\tb\n\"x\\ty\"\t\\\\n\\n\\r\r\n\\N\t\\\n\\q\\\t"
        #expect(
            try DelimitedReaderTests.rows(text, format, pieceBytes: pieceBytes) == [
                ["a", "b"], ["\"x\ty\"", "\\n\n\r"], ["", "\nq\t"],
            ])
    }

    @Test(
        "Errors have their line and position",
        arguments: [
            ("a,b\n1,x\"y\n", 2 as UInt64, 7 as UInt64), ("a\n\"x\"y\n", 2, 5), ("a\nx\ry\n", 2, 3),
            ("a\n\"x\"\ry", 2, 5), ("a\nb\n\0", 3, 4), ("a\n\"\n\0\"", 3, 4),
        ])
    func mistakes(text: String, line: UInt64, offset: UInt64) throws {
        for pieceBytes in 1...4 {
            let error = #expect(throws: InputError.self) {
                _ = try DelimitedReaderTests.rows(text, pieceBytes: pieceBytes)
            }
            #expect(error?.line == line)
            #expect(error?.offset == offset, "\(text.debugDescription)")
        }
    }

    @Test("An open quote is reported at its position")
    func openQuote() throws {
        let error = #expect(throws: InputError.self) {
            _ = try DelimitedReaderTests.rows("a\n1\n\"x\ny\nz\n")
        }
        #expect(error?.line == 3)
        #expect(error?.message == "the input ends inside a quoted field")
    }

    @Test(
        "Limits stop the reader before memory is exhausted",
        arguments: ["plain", "quoted", "row", "columns"])
    func limits(kind: String) throws {
        var limits = ReadingLimits()
        limits.fieldBytesMax = 1000
        limits.rowBytesMax = 5000
        limits.columnsMax = 100
        limits.chunkBytes = 64
        let endless = EndlessSource(kind)
        let error = #expect(throws: InputError.self) {
            var reader = try DelimitedReader(endless, .csv, limits: limits)
            while try reader.next() {}
        }
        #expect(error?.code == .limit)
        #expect(endless.bytesRead < 20_000)
    }

    @Test(
        "Random bytes give an error or rows, never a crash",
        arguments: [DelimitedFormat.csv, .tsv])
    func fuzz(format: DelimitedFormat) {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let alphabet: [UInt8] =
            Array("a1,\"\"\n\r\t\\ .-".utf8) + [0, 0xC3, 0xA9, 0xFF, 0xEF, 0xBB, 0xBF]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...60, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let whole = Result { () throws(InputError) in
                try DelimitedReaderTests.rows(bytes, format, pieceBytes: 1000)
            }
            let pieces = Result { () throws(InputError) in
                try DelimitedReaderTests.rows(bytes, format, pieceBytes: 1 + count % 5)
            }
            // The boundaries of the pieces must not change the result.
            switch (whole, pieces) {
            case (.success(let left), .success(let right)):
                #expect(left == right, "seed \(seed) \(bytes)")
            case (.failure(let left), .failure(let right)):
                #expect(
                    left.message == right.message && left.line == right.line,
                    "seed \(seed) \(bytes)")
            default: Issue.record("seed \(seed): \(bytes) depends on the size of the pieces")
            }
        }
    }
}

/// An endless input.
private final class EndlessSource: ByteSource {
    let name = "endless"
    let size: UInt64? = nil
    let kind: String
    var bytesRead = 0

    init(_ kind: String) { self.kind = kind }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        for index in 0..<buffer.count {
            let place = bytesRead + index
            buffer[index] =
                switch kind {
                case "plain": UInt8(ascii: "x")
                case "quoted": place == 0 ? UInt8(ascii: "\"") : UInt8(ascii: "\n")
                case "row": place % 900 == 899 ? UInt8(ascii: ",") : UInt8(ascii: "x")
                default: UInt8(ascii: ",")
                }
        }
        bytesRead += buffer.count
        return buffer.count
    }
}
