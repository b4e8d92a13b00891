import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats

@Suite("JSON values of properties")
struct JSONValueReaderTests {
    @Test(
        "A JSON text is read as a value of its type",
        arguments: [
            ("Bool", "true", Value.bool(true)), ("Int", "-9223372036854775808", .int(.min)),
            ("Int", "9223372036854775807", .int(.max)), ("Int", "\"12\"", .int(12)),
            ("Int", "-0", .int(0)), ("Int8", "-128", .int(-128)), ("Int16", "32767", .int(32767)),
            ("Int32", "-2147483648", .int(-2_147_483_648)), ("Int?", "null", .null),
            ("Double", "1", .double(1)), ("Double", "-0", .double(-0.0)),
            ("Double", "1e-400", .double(0)), ("Double", "\"NaN\"", .double(.nan)),
            ("Double", "\"-Infinity\"", .double(-.infinity)), ("Float", "0.1", .float(0.1)),
            ("Float", "\"Infinity\"", .float(.infinity)), ("String", "\"\"", .string("")),
            ("Data", "\"\"", .data([])), ("Data", "\"AQ==\"", .data([1])),
            ("Data", "\"AQI=\"", .data([1, 2])), ("Data", "\"AP//\"", .data([0, 255, 255])),
            (
                "Date", "\"2026-11-21T08:00:00.5+01:00\"",
                .date(Timestamp(seconds: 1_795_244_400, nanoseconds: 500_000_000))
            ),
            ("Date", "\"1970-01-02\"", .date(Timestamp(seconds: 86_400))),
            ("Date", "\"1970-01-01@00:00:07\"", .date(Timestamp(seconds: 7))),
            ("Date", "\"T-1:-5\"", .date(Timestamp(seconds: -1, nanoseconds: -5))),
            ("Decimal128", "\"1.50\"", .decimal128(Decimal128("1.50") ?? .nan)),
            ("Decimal128", "1.50", .decimal128(Decimal128("1.50") ?? .nan)),
            ("UUID", "\"00000000-0000-0001-0000-00000000000F\"", .uuid(UUID(high: 1, low: 15))),
            ("ObjectId", "\"0000000000000001000000ff\"", .objectID(ObjectID(high: 1, low: 255))),
            ("List<Int?>", "[1,null,1]", .list([.int(1), .null, .int(1)])),
            ("Set<Int>", "[3,1,3,2]", .set([.int(1), .int(2), .int(3)])),
            (
                "Set<Double>", "[0,-0,\"NaN\",\"NaN\"]",
                .set([.double(0), .double(-0.0), .double(.nan)])
            ),
            ("Map<Int>", "{\"b\":1,\"a\":2}", .map(["a": .int(2), "b": .int(1)])),
            ("Map<String?>", "{\"\":null}", .map(["": .null])),
            ("Any", "null", .null), ("Any", "1", .int(1)), ("Any", "1.0", .double(1)),
            ("Any", "1e3", .double(1000)), ("Any", "\"x\"", .string("x")),
            ("Any", "{\"$type\":\"double\",\"value\":1}", .double(1)),
            ("Any", "{\"value\":\"NaN\",\"$type\":\"Double\"}", .double(.nan)),
            ("Any", "{\"$type\":\"float\",\"value\":0.1}", .float(0.1)),
            ("Any", "{\"$type\":\"int\",\"value\":\"7\"}", .int(7)),
            ("Any", "{\"$data\":\"AQID\"}", .data([1, 2, 3])),
            ("Any", "{\"$type\":\"date\",\"value\":\"1970-01-01\"}", .date(Timestamp(seconds: 0))),
            ("Any", "{\"$type\":\"set\",\"value\":[2,1,2]}", .set([.int(1), .int(2)])),
            ("Any", "[1,[{\"a\":{}}]]", .list([.int(1), .list([.map(["a": .map([:])])])])),
            ("List<Any>", "[null,true]", .list([.null, .bool(true)])),
        ])
    func values(type: String, text: String, expected: Value) throws {
        #expect(try value(text, type) == expected)
    }

    @Test(
        "A value of the wrong type is an error with its path",
        arguments: [
            ("Bool", "1", Slug.writeType, ""), ("Bool", "null", .writeMissingValue, ""),
            ("Int", "9223372036854775808", .writeValue, ""), ("Int", "1.0", .writeType, ""),
            ("Int", "1e3", .writeType, ""), ("Int", "\"x\"", .writeType, ""),
            ("Int", "\"01\"", .writeType, ""), ("Int", "\"\"", .writeType, ""),
            ("Int", "\"99999999999999999999\"", .writeValue, ""), ("Int", "true", .writeType, ""),
            ("Int8", "128", .writeValue, ""), ("Int16", "-32769", .writeValue, ""),
            ("Int32", "2147483648", .writeValue, ""), ("Double", "1e400", .writeValue, ""),
            ("Double", "\"nan\"", .writeType, ""), ("Double", "\"1\"", .writeType, ""),
            ("Float", "1e39", .writeValue, ""), ("String", "1", .writeType, ""),
            ("Data", "\"AQ\"", .writeValue, ""), ("Data", "\"AR==\"", .writeValue, ""),
            ("Data", "\"AQID\\n\"", .writeValue, ""), ("Data", "\"A===\"", .writeValue, ""),
            ("Data", "\"====\"", .writeValue, ""), ("Data", "\"AQ-_\"", .writeValue, ""),
            ("Date", "\"2026-02-30\"", .writeValue, ""), ("Date", "0", .writeType, ""),
            ("Decimal128", "\"x\"", .writeValue, ""), ("Decimal128", "1e7000", .writeValue, ""),
            ("UUID", "\"x\"", .writeValue, ""), ("ObjectId", "\"x\"", .writeValue, ""),
            ("List<Int>", "{}", .writeType, ""),
            ("List<Int>", "[1,null]", .writeMissingValue, "[1]"),
            ("Set<Int8>", "[1,2,300]", .writeValue, "[2]"), ("Map<Int>", "[]", .writeType, ""),
            ("Map<Int>", "{\"a\":\"x\"}", .writeType, "[\"a\"]"),
            ("Any", "1e400", .writeValue, ""),
            ("Any", "{\"$type\":\"Date\",\"value\":5}", .writeType, "value"),
            ("Any", "{\"$type\":\"list\",\"value\":{}}", .writeType, "value"),
            ("Any", "{\"$ref\":\"A\",\"$id\":-1}", .writeValue, ""),
        ])
    func mistakes(type: String, text: String, slug: Slug, path: String) throws {
        let mistake = try #require(
            #expect(throws: JSONMistake.self) { try value(text, type) })
        #expect(mistake.path == path)
        let diagnostic = Diagnostic(
            InputError(mistake.inside(property: "p"), name: "in.json"))
        #expect(diagnostic.slug == slug)
        #expect(diagnostic.status == .data)
        #expect(diagnostic.message.hasPrefix("in.json:1, p"))
    }

    @Test("Links are returned unresolved, even in collections")
    func links() throws {
        let link = PropertyType(.link, isOptional: true)
        #expect(shown(try read("3", link)) == "key 3")
        #expect(shown(try read("\"k\"", link)) == "key \"k\"")
        #expect(shown(try read("null", link)) == "null")
        #expect(shown(try read("{\"a\":1}", link)) == "object {\"a\":1}")
        #expect(shown(try read("{\"$ref\":\"Dog\",\"id\":3}", link)) == "reference Dog 3")
        #expect(shown(try read("{\"$ref\":\"Dog\",\"$id\":3}", link)) == "row Dog 3")
        let list = PropertyType(.link, container: .list)
        #expect(shown(try read("[1,{\"a\":1}]", list)) == "list [key 1, object {\"a\":1}]")
        #expect(shown(try read("[]", list)) == "[]")
        let map = PropertyType(.link, isOptional: true, container: .map)
        #expect(shown(try read("{\"a\":1,\"b\":null}", map)) == "map [a: key 1, b: null]")
        let any = PropertyType(.any)
        #expect(
            shown(try read("[1,{\"$ref\":\"Dog\",\"id\":\"x\"}]", any))
                == "list [1, reference Dog \"x\"]")
        #expect(throws: JSONMistake.self) { try read("[null]", list) }
        #expect(throws: JSONMistake.self) { try read("[true]", list) }
    }

    @Test("Links are inserted at their positions, and sets are sorted afterwards")
    func resolution() throws {
        let set = try read(
            "{\"$type\":\"set\",\"value\":[{\"$ref\":\"A\",\"id\":2},1,{\"$ref\":\"A\",\"id\":2}]}",
            PropertyType(.any))
        let target = ObjectReference(classID: ClassID(0), rowID: RowID(2))
        #expect(set.value(resolving: { _ in .link(target) }) == .set([.int(1), .link(target)]))
    }

    @Test("A value of Any nests up to 128 levels of lists and maps")
    func depth() throws {
        func text(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "{\"$data\":\"\"}"
                + String(repeating: "}]", count: depth / 2)
        }
        _ = try value(text(128), "Any")
        let mistake = #expect(throws: JSONMistake.self) { try value(text(130), "Any") }
        #expect(mistake?.code == .value)
    }
}

private func read(_ text: String, _ type: PropertyType) throws -> JSONValue {
    // In an array, which is not part of the value.
    let tree = try #require(try trees("[" + text + "]").first)
    return try JSONValueReader.read(tree, as: type)
}

private func value(_ text: String, _ type: String) throws -> Value {
    let type = try #require(PropertyType(named: type))
    guard case .value(let value) = try read(text, type) else {
        Issue.record("a link")
        return .null
    }
    return value
}

private func shown(_ value: JSONValue) -> String {
    switch value {
    case .value(let value): return value.description
    case .link(let link):
        switch link.form {
        case .key(let tree): return "key " + JSONText.text(tree)
        case .reference(let name, let id): return "reference \(name) " + JSONText.text(id)
        case .row(let name, let row): return "row \(name) \(row.rawValue)"
        case .object(let tree): return "object " + JSONText.text(tree)
        }
    case .list(let elements):
        return "list [" + elements.map(shown).joined(separator: ", ") + "]"
    case .set(let elements): return "set [" + elements.map(shown).joined(separator: ", ") + "]"
    case .map(let entries):
        return "map ["
            + entries.map { "\($0.key): \(shown($0.value))" }.joined(separator: ", ") + "]"
    }
}
