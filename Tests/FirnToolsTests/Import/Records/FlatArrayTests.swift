import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnTools

/// The records of an array were read as trees, nine times slower than those of NDJSON.
@Suite("Flat records in an array")
struct FlatArrayTests {
    private let harness = CommandHarness()

    /// Reads all records, those without trees as far as possible, and sometimes gives one back.
    private func read(
        _ text: String, chunkBytes: Int, _ generator: inout SplitMix64
    ) throws -> (records: [String], flatCount: Int) {
        var limits = JSONLimits()
        limits.chunkBytes = chunkBytes
        var reader = try JSONReader(MemorySource(Array(text.utf8)), limits: limits)
        var object = FlatObject()
        var records: [String] = []
        var flatCount = 0
        while true {
            if try reader.nextFlat(&object) {
                if Int.random(in: 0..<4, using: &generator) > 0 {
                    flatCount += 1
                    records.append(
                        object.members.map { member in
                            String(decoding: member.name, as: UTF8.self) + "="
                                + String(decoding: member.text, as: UTF8.self)
                                + "/\(member.line)"
                        }.joined(separator: ";") + "@\(object.position)")
                    continue
                }
                reader.returnFlatRecord()
            }
            guard case .value(let tree, _)? = try reader.next() else { break }
            guard case .object(let members) = tree.content else { continue }
            records.append(
                members.map { "\($0.name)=\(self.text(of: $0.value))/\($0.value.position.line)" }
                    .joined(separator: ";")
                    + "@\(tree.position)")
        }
        return (records, flatCount)
    }

    private func text(of tree: JSONTree) -> String {
        switch tree.content {
        case .string(let text), .number(let text): return text
        default:
            var buffer = TextBuffer(capacity: 64)
            buffer.append(json: tree)
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
    }

    private func trees(_ text: String) throws -> [String] {
        var reader = try JSONReader(MemorySource(Array(text.utf8)))
        var records: [String] = []
        while case .value(let tree, _)? = try reader.next() {
            guard case .object(let members) = tree.content else { continue }
            records.append(
                members.map { "\($0.name)=\(self.text(of: $0.value))/\($0.value.position.line)" }
                    .joined(separator: ";")
                    + "@\(tree.position)")
        }
        return records
    }

    @Test("An array has the same records with and without trees, however the input is cut")
    func random() throws {
        let seed = 48 + TestScale.firstSeed
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let records = [
            #"{"a":1,"b":"x"}"#, #"{"a" : 2}"#, "{}", #"{"a":[1,2]}"#, #"{"a":{"b":3}}"#,
            "{\n\"a\":4}",
            "{\n  \"a\": 4,\r\n\t\"b\" :\n\"x\"\n}", "{\"a\":\n[1]}", "{\n\"a\":\"ä\"}",
            #"{"a":"q\"}"}"#, #"{"a":-1.5e3,"c":null,"d":true}"#,
        ]
        let spaces = ["", " ", "\n", " \r\n\t"]
        var flatCount = 0
        for _ in 0..<300 {
            let chosen = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                (spaces.randomElement(using: &generator) ?? "")
                    + (records.randomElement(using: &generator) ?? "")
                    + (spaces.randomElement(using: &generator) ?? "")
            }
            let text = "[" + chosen.joined(separator: ",") + "]"
            let expected = try trees(text)
            for chunkBytes in [16, 4096] {
                let found = try read(text, chunkBytes: chunkBytes, &generator)
                #expect(found.records == expected, "\(text)")
                flatCount += found.flatCount
            }
        }
        #expect(flatCount > 100)
    }

    @Test(
        "A mistake between array elements is an error even after flat records",
        arguments: [
            "[{\"a\":1},{\"a\":2},]", "[{\"a\":1},{\"a\":2} {\"a\":3}]", "[{\"a\":1},{\"a\":2}",
            "[{\"a\":1},{\"a\":2},", "[{\"a\":1},,{\"a\":2}]", "[{\"a\":1},{\"a\":2}] x",
            "[{\"a\":1},{\"a\":2}},{\"a\":3}]", "[,{\"a\":1}]",
            "[{\n  \"a\": 1\n}, {\n  \"b\": tru}]", "[{\n\"a\":1},\n{\"ä\":\n1}, {\"a\"\n 2}]",
            "[{\"ä\":\n\"ö\"},{\"b\":01}]", "[{\"a\":1\u{B},\"b\":2}]",
        ])
    func mistakes(text: String) {
        var generator = SplitMix64(seed: 1)
        let expected = #expect(throws: InputError.self) { try trees(text) }
        for chunkBytes in [16, 4096] {
            let error = #expect(throws: InputError.self) {
                try read(text, chunkBytes: chunkBytes, &generator)
            }
            #expect(error?.line == expected?.line && error?.character == expected?.character)
            #expect(error?.offset == expected?.offset && error?.message == expected?.message)
        }
        let file = harness.folder("a.firn")
        let made = harness.run(["create", file, "--from", "-", "-c", "T", "-q"], input: text)
        #expect(made.status == 65, "\(made)")
        #expect(harness.run(["stats", file]).status == 66, "nothing was made")
    }
}
