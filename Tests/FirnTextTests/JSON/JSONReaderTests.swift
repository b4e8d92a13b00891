import FirnTesting
import Testing

@testable import FirnText

@Suite("The JSON reader")
struct JSONReaderTests {
    @Test(
        "Only a text with exactly one value is read",
        arguments: [
            ("1", true), (" \"a\" ", true), ("[1,2]", true), ("{\"$schema\":{}}", true),
            ("12 ", true),
            ("", false), (" ", false), ("1,2", false), ("1 2", false), ("1]", false),
            ("1],[2", false),
            ("[1", false), ("{} {}", false), ("nul", false),
        ])
    func single(text: String, isValue: Bool) {
        let tree = JSONTree(parsing: Array(text.utf8))
        #expect((tree != nil) == isValue)
        if let tree {
            var buffer = TextBuffer(capacity: 8)
            buffer.append(json: tree)
            let written = String(decoding: buffer.bytes, as: UTF8.self)
            #expect(text.trimmingPrefix(" ").hasPrefix(written))
        }
    }

    @Test("Values, arrays and documents yield their records", arguments: [1, 3, 7, 1 << 20])
    func records(pieceBytes: Int) throws {
        let cases: [(text: String, records: [String])] = [
            ("", []), (" \n\r\t", []), ("{}", ["{}"]), ("\u{FEFF}{}", ["{}"]),
            ("{\"a\":1}\n{\"a\":2}\n", ["{\"a\":1}", "{\"a\":2}"]),
            ("{\"a\":1}{\"a\":2}", ["{\"a\":1}", "{\"a\":2}"]),
            ("1 2\n\"a\"\"b\" null", ["1", "2", "\"a\"", "\"b\"", "null"]),
            ("[]", []), (" [ ] ", []), ("[{\"a\":[]}, {}]\n", ["{\"a\":[]}", "{}"]),
            ("{\"a\":1} [1,2]", ["{\"a\":1}", "[1,2]"]),
            ("{\"$schema\":{\"v\":1}}\n{\"a\":1}", ["schema {\"v\":1}", "{\"a\":1}"]),
            (
                "{ \"$schema\" : {}, \"P\": [{\"a\":1},2] , \"D\":[] , \"E\":[[]]}\n",
                ["schema {}", "P {\"a\":1}", "P 2", "E []"]
            ),
            // Only an object is a schema: other programs write its address.
            ("{\"$schema\":5,\"P\":[1]}", ["{\"$schema\":5,\"P\":[1]}"]),
            ("{\"$schem\": 5}", ["{\"$schem\":5}"]),
            ("{\"a\":{\"$schema\":1}}", ["{\"a\":{\"$schema\":1}}"]),
        ]
        for (text, records) in cases {
            #expect(try read(text, pieceBytes: pieceBytes) == records, "\(text)")
        }
    }

    @Test("Strings are unescaped and numbers keep their text", arguments: [1, 5, 1 << 20])
    func scalars(pieceBytes: Int) throws {
        let text =
            #"["\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00é😀 plain text", "1234567", "12345678", "123456789"]"#
        let strings = try trees(text, pieceBytes: pieceBytes).map { tree in
            if case .string(let text) = tree.content { text } else { "" }
        }
        #expect(
            strings == [
                "\"\\/\u{8}\u{C}\n\r\tAé😀é😀 plain text", "1234567", "12345678", "123456789",
            ])
        let numbers = ["0", "-0", "1e400", "12345678901234567890", "-1.50E-07", "0.0", "1E+5"]
        let read = try trees(
            "[" + numbers.joined(separator: ",") + "]", pieceBytes: pieceBytes
        ).map { tree in
            if case .number(let text) = tree.content { text } else { "" }
        }
        #expect(read == numbers)
    }

    @Test("Nodes have their line and their offset")
    func places() throws {
        let tree = try #require(try trees("\n\n {\"a\":1,\n\"b\":[true,\n null]}").first)
        #expect(tree.position == TextPosition(offset: 3, line: 3))
        #expect(tree["a"]?.position == TextPosition(offset: 8, line: 3))
        guard case .array(let elements)? = tree["b"]?.content else {
            Issue.record("no array")
            return
        }
        #expect(
            elements.map(\.position) == [
                TextPosition(offset: 16, line: 4), TextPosition(offset: 23, line: 5),
            ])
    }

    @Test("Every truncation is an error, and is never read as another value")
    func cuts() throws {
        let text = #"{"a":[1,-2.5e3,true,null,"x\u00e9\ud83d\ude00é"],"b":{"c":{}}}"#
        let bytes = Array(text.utf8)
        for end in 1..<bytes.count {
            let error = #expect(throws: InputError.self) {
                _ = try read(Array(bytes[..<end]), pieceBytes: 4)
            }
            #expect(error?.code == .syntax, "\(end)")
        }
    }

    @Test("Objects with many names are as strict as small ones")
    func manyNames() throws {
        let names = (0..<200).map { "\"n\($0 * 7919)\":\($0)" }
        let text = "{" + names.joined(separator: ",") + "}"
        #expect(try read(text + text) == [text, text])
        let nested = "{\"x\":[" + text + "," + text + "]," + names.joined(separator: ",") + "}"
        #expect(try read(nested) == [nested])
        for count in [1, 24, 25, 26, 199] {
            let repeated = names.prefix(count).joined(separator: ",") + ",\"n0\":1"
            let error = #expect(throws: InputError.self) { try read("{" + repeated + "}") }
            #expect(error?.message == "an object has the name \"n0\" twice")
        }
        // Two spellings of a letter are two names, two escapes of one are the same.
        #expect(try read("{\"\u{E9}\":1,\"e\u{301}\":2}").count == 1)
        #expect(throws: InputError.self) { try read(#"{"a":1,"\u0061":2}"#) }
        #expect(throws: InputError.self) { try read(#"{"longer name":1,"longer n\u0061me":2}"#) }
    }

    @Test("Random texts are read back as written, in pieces of any size")
    func randomTexts() throws {
        let seed: UInt64 = 0x4A53
        var generator = SplitMix64(seed: seed)
        for round in 0..<300 {
            let tree = RandomJSON.tree(&generator, depth: 4)
            let text = JSONText.text(tree)
            let pieces = Int.random(in: 1...40, using: &generator)
            #expect(
                try read("[" + text + "," + text + "]", pieceBytes: pieces) == [text, text],
                "seed \(seed), round \(round)")
        }
    }
}

/// Everything that a text yields, written again, with the schema and the classes first.
func read(_ text: String, pieceBytes: Int = .max) throws -> [String] {
    try read(Array(text.utf8), pieceBytes: pieceBytes)
}

func read(_ bytes: [UInt8], pieceBytes: Int = .max) throws -> [String] {
    var limits = JSONLimits()
    limits.chunkBytes = 16
    var reader = try JSONReader(
        MemorySource(bytes, name: "in.json", pieceBytes: pieceBytes), limits: limits)
    var records: [String] = []
    while let record = try reader.next() {
        switch record {
        case .schema(let tree): records.append("schema " + JSONText.text(tree))
        case .value(let tree, let name):
            records.append((name.map { $0 + " " } ?? "") + JSONText.text(tree))
        }
    }
    return records
}
