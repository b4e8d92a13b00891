import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Values that are JSON on the server: maps, Any, embedded objects.
@Suite("Replication of nested values", .serialized, .timeLimit(.minutes(5)))
struct NestedValueTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("nested")
        server = try PostgresConnection(address)
    }

    private func client(
        _ name: String, _ queries: [String] = ["Person", "City"]
    ) throws -> SyncClient {
        try SyncClient(folder(name + ".firn"), attachedTo: address, queries)
    }

    private func cycle(_ clients: SyncClient...) throws { try SyncClient.cycle(clients) }

    @Test("Embedded objects arrive with their owner, and so do changes to them")
    func embedded() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try a.put("Person", ["id": .int(1)])
        let oslo = try a.link("City", .string("Oslo"))
        let since = Timestamp(seconds: 7, nanoseconds: 9)
        try a.embed(
            "address", of: "Person", .int(1),
            [["street": .string("Main"), "since": .date(since), "city": oslo]])
        try a.embed(
            "addresses", of: "Person", .int(1),
            [["street": .string("First")], ["street": .string("Second"), "city": oslo]],
            isList: true)
        try cycle(a)
        try cycle(b)
        let expected =
            "{\"city\":\"Oslo\",\"since\":\"1970-01-01T00:00:07.000000009Z\","
            + "\"street\":\"Main\"}"
        #expect(try b.json("Person", .int(1), "address") == expected)
        #expect(
            try b.json("Person", .int(1), "addresses")
                == "[{\"street\":\"First\"},{\"city\":\"Oslo\",\"street\":\"Second\"}]")
        try b.change(
            "street", to: .string("Side"), embeddedIn: "address", of: "Person", .int(1))
        try cycle(b)
        try cycle(a)
        #expect(try a.json("Person", .int(1), "address")?.contains("\"Side\"") == true)
        #expect(
            try server.query("SELECT address->>'street' FROM firn.\"Person\"")[0, 0] == "Side")
        try a.embed("address", of: "Person", .int(1), [])
        try cycle(a)
        try cycle(b)
        #expect(try b.value("Person", .int(1), "address") == .null)
        let addresses = try b.database.store.snapshot().schema.classNamed("Address")
        let table = try b.database.store.snapshot().table(present(addresses).id)
        #expect(table?.liveRowCount == 2, "an embedded object without an owner stayed")
    }

    /// The file cannot see the link, and must not take it away.
    @Test("A change to an embedded object keeps a link that the file cannot resolve")
    func unresolved() throws {
        let a = try client("a", ["Person"])
        try server.execute(
            "INSERT INTO firn.\"Person\" (id, address, kin) VALUES "
                + "(1, '{\"street\": \"Main\", \"city\": \"Oslo\"}', '{\"mother\": 77}')")
        try cycle(a)
        #expect(try a.json("Person", .int(1), "address") == "{\"street\":\"Main\"}")
        #expect(try a.json("Person", .int(1), "kin") == "{\"mother\":null}")
        try a.change(
            "street", to: .string("Side"), embeddedIn: "address", of: "Person", .int(1))
        try a.put(
            "Person",
            ["id": .int(1), "kin": .map(["mother": .null, "self": a.link("Person", .int(1))])])
        try cycle(a)
        let row = try server.query("SELECT address::text, kin::text FROM firn.\"Person\"")
        #expect(row[0, 0] == "{\"city\": \"Oslo\", \"street\": \"Side\"}")
        #expect(row[0, 1] == "{\"self\": 1, \"mother\": 77}")
    }

    @Test("Maps are merged key by key, and embedded objects property by property")
    func merging() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put(
            "Person", ["id": .int(1), "marks": .map(["x": .double(1), "y": .double(1)])])
        try a.embed("address", of: "Person", .int(1), [["street": .string("Main")]])
        try cycle(a)
        try cycle(b)
        try a.put("Person", ["id": .int(1), "marks": .map(["x": .double(2), "y": .double(1)])])
        try b.put("Person", ["id": .int(1), "marks": .map(["x": .double(1), "z": .double(3)])])
        try a.change(
            "street", to: .string("Side"), embeddedIn: "address", of: "Person", .int(1))
        try b.change(
            "since", to: .date(Timestamp(seconds: 0)), embeddedIn: "address", of: "Person", .int(1)
        )
        try cycle(a)
        try cycle(b)
        try cycle(a)
        #expect(
            try a.value("Person", .int(1), "marks")
                == .map(["x": .double(2), "z": .double(3)]))
        #expect(
            try a.json("Person", .int(1), "address")
                == "{\"since\":\"1970-01-01T00:00:00Z\",\"street\":\"Side\"}")
    }

    @Test("An Any that a file cannot have written is reported, and its row is left out")
    func misfit() throws {
        let a = try client("a")
        try server.execute("INSERT INTO firn.\"Person\" (id, extra) VALUES (1, '{\"t\": \"?\"}')")
        let skipped = try a.upstream.synchronize().skipped
        #expect(skipped.first?.reason.contains("Person.extra") == true)
        try server.execute("UPDATE firn.\"Person\" SET extra = 'null'")
        try cycle(a)
        #expect(try a.value("Person", .int(1), "extra") == .null)
    }

    @Test(
        "A condition on a nested value is refused",
        arguments: [
            "Person marks.x == 1", "Person extra == 1", "Person ANY visits > 0",
            "Person address.street == 'x'",
        ])
    func predicates(query: String) throws {
        let a = try client("a")
        #expect(throws: UpstreamError.self) { try a.upstream.subscription(query) }
    }
}

/// The JSON of jsonb columns.
@Suite("JSON of columns")
struct JSONNodeTests {
    @Test("A JSON node round-trips through its text", arguments: TestScale.seeds(50))
    func roundTrips(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let node = JSONNodeTests.node(&random, depth: 0)
            #expect(JSONNode(parsing: node.text) == node, "seed \(seed): \(node.text)")
        }
    }

    private static func node(_ random: inout SplitMix64, depth: Int) -> JSONNode {
        switch random.next() % (depth < 4 ? 6 : 4) {
        case 0: .null
        case 1: .bool(random.happens(oneIn: 2))
        case 2: .number(Int64(bitPattern: random.next()).description)
        case 3: .string(text(&random))
        case 4: .array((0..<(random.next() % 4)).map { _ in node(&random, depth: depth + 1) })
        default:
            .object(
                TextMap(
                    (0..<(random.next() % 4)).map { _ in
                        (text(&random), node(&random, depth: depth + 1))
                    }
                ) { $1 })
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let scalars: [UnicodeScalar] = ["a", "\"", "\\", "\n", "\u{1}", "é", "\u{1F600}", "/"]
        var text = String.UnicodeScalarView()
        for _ in 0..<(random.next() % 5) {
            text.append(scalars[Int(random.next() % UInt64(scalars.count))])
        }
        return String(text)
    }

    @Test("Numbers keep all digits that the server has")
    func digits() {
        let digits = "0." + String(repeating: "3", count: 5000)
        #expect(JSONNode(parsing: "[\(digits)]") == .array([.number(digits)]))
    }

    @Test("Escapes of the server are read")
    func escapes() {
        #expect(
            JSONNode(parsing: " [ \"\\u00e9\\ud83d\\ude00\\t\\/\" , 1.50e+3 ] ")
                == .array([.string("é\u{1F600}\t/"), .number("1.50e+3")]))
    }

    @Test(
        "Text that is not JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "nul", "\"\\ud83d\"", "\"a", "1 2", "--1", "{\"a\":1,}",
            String(repeating: "[", count: 100_000),
        ])
    func mistakes(text: String) {
        #expect(JSONNode(parsing: text) == nil)
    }
}
