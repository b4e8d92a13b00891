import FirnTesting
import Testing

@testable import FirnText

@Suite("Hostile JSON")
struct JSONHostileTests {
    /// A text, its code, and the line and character of the mistake.
    struct Case: CustomTestStringConvertible {
        let bytes: [UInt8]
        let code: InputError.Code
        let line: UInt64
        let character: Int?

        init(_ text: String, _ line: UInt64, _ character: Int?, _ code: InputError.Code = .syntax) {
            self.init(Array(text.utf8), line, character, code)
        }

        init(_ bytes: [UInt8], _ line: UInt64, _ character: Int?, _ code: InputError.Code) {
            self.bytes = bytes
            self.code = code
            self.line = line
            self.character = character
        }

        var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self) }
    }

    static let cases: [Case] = [
        Case("{", 1, 2), Case("[", 1, 2), Case("}", 1, 1), Case("]", 1, 1), Case("[1,]", 1, 4),
        Case("[,1]", 1, 2), Case("[1 2]", 1, 4), Case("[] 1", 1, 4), Case("{,}", 1, 2),
        Case("{\"a\"}", 1, 5), Case("{\"a\":}", 1, 6), Case("{\"a\":1,}", 1, 8),
        Case("{\"a\" 1}", 1, 6), Case("{a:1}", 1, 2), Case("{'a':1}", 1, 2),
        Case("{\"a\":1 \"b\":2}", 1, 8), Case("{1:2}", 1, 2), Case("[nul]", 1, 5),
        Case("[nulL]", 1, 5), Case("[True]", 1, 2), Case("[truefalse]", 1, 6),
        Case("truefalse", 1, 5), Case("12abc", 1, 3), Case("[NaN]", 1, 2),
        Case("[Infinity]", 1, 2), Case("[-Infinity]", 1, 3), Case("[01]", 1, 2),
        Case("[-01]", 1, 3), Case("[1.]", 1, 4), Case("[.5]", 1, 2), Case("[1e]", 1, 4),
        Case("[1e+]", 1, 5), Case("[+1]", 1, 2), Case("[-]", 1, 3), Case("[0x1]", 1, 3),
        Case("[1.5.5]", 1, 5), Case("[\"a]", 1, 5), Case("[\"a\nb\"]", 1, 4),
        Case("[\"\t\"]", 1, 3), Case("[\"\\x\"]", 1, 4), Case("[\"\\u12g4\"]", 1, 7),
        Case("[\"\\ud800\"]", 1, 9), Case("[\"\\udc00\"]", 1, 9),
        Case("[\"\\ud800\\u0041\"]", 1, 15), Case("[\"\\ud800x\"]", 1, 9),
        Case("\n {\"é\":1,\n  \"b\":x}", 3, 7), Case("[1] [2]", 1, 5), Case("// a\n1", 1, 1),
        Case("{\"a\":1,\"a\":2}", 1, nil), Case("{\"$schema\":{},\"P\":{}}", 1, 19),
        Case("{\"$schema\":{},\"P\":[],\"P\":[]}", 1, nil), Case("{\"$schema\":{} 1", 1, 15),
        Case("{\"$schema\":{},\"P\":[]} {}", 1, 23), Case("{\"$schema\":{},\"P\":[1", 1, 21),
        Case([0x5B, 0x22, 0xFF, 0x22, 0x5D], 1, nil, .encoding),
        Case([0x22, 0xC0, 0x80, 0x22], 1, nil, .encoding),
        Case([0x22, 0xED, 0xA0, 0x80, 0x22], 1, nil, .encoding),
        Case([0x22, 0xE9, 0x5C, 0x6E, 0x22], 1, nil, .encoding),
        Case([0x22, 0x00, 0x22], 1, nil, .encoding),
        Case([0x7B, 0x00, 0x22, 0x00], 1, nil, .encoding),
        Case([0xFF, 0xFE, 0x7B, 0x00], 1, 1, .syntax),
        Case(String(repeating: "[", count: 100_000), 1, 194),
        Case(String(repeating: "{\"a\":", count: 100_000), 1, 961),
        Case("[" + String(repeating: "1", count: 10_000) + "]", 1, nil, .limit),
    ]

    @Test("An invalid text is an error with its position", .tags(.security), arguments: cases)
    func errors(_ hostile: Case) throws {
        for pieceBytes in [1, 6, 1 << 20] {
            let error = try #require(
                #expect(throws: InputError.self) {
                    _ = try read(hostile.bytes, pieceBytes: pieceBytes)
                })
            #expect(error.code == hostile.code)
            #expect(error.line == hostile.line)
            #expect(error.character == hostile.character)
        }
    }

    @Test("Nesting is allowed only up to the limit", .tags(.security))
    func nesting() throws {
        let depth = JSONLimits().depthMax
        let deepest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try read("1 " + deepest) == ["1", deepest])
        #expect(throws: InputError.self) { try read("1 [" + deepest + "]") }
    }

    @Test(
        "A record is limited in bytes and in values, but white space between records is not",
        .tags(.security))
    func limits() throws {
        var limits = JSONLimits()
        limits.chunkBytes = 64
        limits.recordBytesMax = 1000
        limits.recordValuesMax = 100
        func count(_ text: String) throws -> Int {
            var reader = try JSONReader(MemorySource(Array(text.utf8)), limits: limits)
            var count = 0
            while try reader.next() != nil { count += 1 }
            return count
        }
        let spaces = String(repeating: " \n", count: 10_000)
        #expect(try count("{}" + spaces + "{}") == 2)
        #expect(try count("[" + spaces + "1," + spaces + "2" + spaces + "]") == 2)
        let wide = "[" + Array(repeating: "1", count: 99).joined(separator: ",") + "]"
        #expect(try count("0 " + wide + wide) == 3)
        for text in ["\"" + String(repeating: "x", count: 2000) + "\"", "0 [" + wide + "]"] {
            let error = #expect(throws: InputError.self) { try count(text) }
            #expect(error?.code == .limit)
        }
    }

    @Test("A changed text is read or is an error, and never traps", .tags(.security))
    func mutations() throws {
        let seed: UInt64 = 0xB0B
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("{}[]\",:\\u0d8-+.eE1tfn \n\u{0}é".utf8)
        for _ in 0..<2000 {
            var bytes = Array(JSONText.text(RandomJSON.tree(&generator, depth: 3)).utf8)
            for _ in 0..<3 where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = alphabet.randomElement(using: &generator) ?? 0
            }
            do {
                // An accepted text is written as one that is read as the same.
                let records = try read(bytes)
                #expect(try read(records.joined(separator: " ")) == records, "seed \(seed)")
            } catch is InputError {}
        }
    }
}
