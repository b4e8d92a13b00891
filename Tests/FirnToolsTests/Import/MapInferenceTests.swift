import FirnEngine
import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

/// 4,000 lines whose objects had keys of their own took 53 s, and each key became a column.
@Suite("Objects whose names are keys")
struct MapInferenceTests {
    private let harness = CommandHarness()

    /// Creates a database of the lines, and returns the type of `m`, as `schema` prints it.
    ///
    /// - Parameter areSame: whether the values print again as the same text.
    private func type(_ lines: [String], areSame: Bool = true) throws -> String? {
        let harness = CommandHarness()
        let file = harness.folder("a.firn")
        let input = lines.joined(separator: "\n") + "\n"
        let made = harness.run(["create", file, "--from", "-", "-c", "T", "-q"], input: input)
        try #require(made.status == 0, "\(made.errors)")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        let schema = harness.run(["schema", file, "-f", "json"]).output
        let classes = elements(try parsed(schema)["classes"])
        let top = classes.first { text($0["name"]) == "T" }
        let found = elements(top?["properties"]).first { text($0["name"]) == "m" }
        guard areSame else { return text(found?["type"]) }
        let back = harness.run(["query", file, "T", "-f", "ndjson"]).output
        #expect(
            try back.split(separator: "\n").map { sorted(try parsed(String($0))) }
                == lines.map { sorted(try parsed($0)) })
        return text(found?["type"])
    }

    private func parsed(_ text: String) throws -> JSONTree {
        var reader = try JSONReader(MemorySource(Array("[\(text)]".utf8)))
        guard case .value(let tree, _)? = try reader.next() else { throw Unreadable() }
        return tree
    }

    private struct Unreadable: Error {}

    private func elements(_ tree: JSONTree?) -> [JSONTree] {
        if case .array(let elements)? = tree?.content { elements } else { [] }
    }

    private func text(_ tree: JSONTree?) -> String? {
        if case .string(let text)? = tree?.content { text } else { nil }
    }

    /// Returns the text of a tree whose members are in the order of their names.
    private func sorted(_ tree: JSONTree) -> String {
        switch tree.content {
        case .object(let members):
            "{"
                + members.map { "\($0.name.utf8.map(\.description)):\(sorted($0.value))" }.sorted()
                .joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(sorted).joined(separator: ",") + "]"
        case .string(let text): "\"\(text)\""
        case .number(let text): text
        case .bool(let value): "\(value)"
        case .null: "null"
        }
    }

    private func lines(_ count: Int, _ value: (Int) -> String) -> [String] {
        (0..<count).map { row in
            let members = (0..<3).map { "\"k\(row).\($0)\":\(value(row + $0))" }
            return "{\"id\":\(row),\"m\":{\(members.joined(separator: ","))}}"
        }
    }

    @Test("Names that keep changing are keys of a map, whatever the type of the values")
    func sparse() throws {
        #expect(try type(lines(60) { "\($0)" }) == "Map<Int>")
        #expect(try type(lines(60) { $0 % 2 == 0 ? "1.5" : "2" }, areSame: false) == "Map<Double>")
        #expect(try type(lines(60) { $0 % 2 == 0 ? "null" : "2" }) == "Map<Int?>")
        #expect(
            try type(lines(60) { _ in "\"2024-05-01T00:00:00.000Z\"" }, areSame: false)
                == "Map<Date>")
        #expect(try type(lines(60) { $0 % 2 == 0 ? "\"x\"" : "2" }) == "Map<Any>")
        #expect(try type(lines(60) { _ in "[1,2]" }) == "Map<Any>")
        #expect(try type(lines(60) { "{\"x\":\($0),\"y\":[\"z\"]}" }) == "Map<TM?>")
    }

    @Test("Names that the objects share are properties")
    func dense() throws {
        let members = (0..<300).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        let wide = (0..<400).map { "{\"id\":\($0),\"m\":{\(members)}}" }
        #expect(try type(wide) == "TM")
        let few = (0..<30).map { "{\"id\":\($0),\"m\":{\"k\($0)\":1}}" }
        #expect(try type(few, areSame: false) == "TM")
    }

    @Test("One object with many names for values of one kind is a map")
    func single() throws {
        let members = (0..<400).map { "\"node_modules/p\($0)\":{\"version\":\"\($0)\"}" }
        #expect(try type(["{\"m\":{\(members.joined(separator: ","))}}"]) == "Map<TM?>")
    }

    @Test("Names beyond the limit of a class are map keys, even with values of several kinds")
    func many() throws {
        let members = (0..<10_050).map { "\"k\($0)\":\($0 % 2 == 0 ? "1" : "\"x\"")" }
        #expect(try type(["{\"m\":{\(members.joined(separator: ","))}}"]) == "Map<Any>")
    }

    @Test("Records with more names than a class can have are refused with a way to read them")
    func tooWide() {
        let members = (0..<10_050).map { "\"k\($0)\":1" }.joined(separator: ",")
        let file = harness.folder("a.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "-c", "T", "-q"], input: "{\(members)}\n")
        #expect(made.status == 65)
        #expect(made.errors.contains("more than 10000 names"))
        #expect(made.errors.contains("jq '{entries: .}'"))
        // The remedy makes this of it.
        let mapped = harness.run(
            ["create", file, "--from", "-", "-c", "T", "-q"],
            input: "{\"entries\":{\(members)}}\n")
        #expect(mapped.status == 0, "\(mapped.errors)")
    }

    @Test("Merged evidence equals the evidence from all values in one field")
    func unions() throws {
        let seed = 46 + TestScale.firstSeed
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let values = try [
            "1", "2.5", "null", "true", "\"a\"", "\"2024-05-01\"", "\"2024-05-01T10:00:00Z\"",
            "[1,2]", "[\"a\",null]", "{\"x\":1}", "{\"x\":\"y\",\"z\":2}", "12345678901234567890",
        ].map(parsed)
        for _ in 0..<500 {
            let parts = (0..<2).map { _ in
                (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                    values.randomElement(using: &generator)
                }
            }
            let (united, whole) = (FieldEvidence(FieldForm()), FieldEvidence(FieldForm()))
            for part in parts {
                let evidence = FieldEvidence(FieldForm())
                for value in part {
                    evidence.see(value)
                    whole.see(value)
                }
                united.formUnion(evidence)
            }
            let (type, expected) = (
                TypeDecision(united) { "C" }.type, TypeDecision(whole) { "C" }.type
            )
            #expect(type == expected, "\(parts)")
        }
    }
}
