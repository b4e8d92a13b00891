import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Conditions on both sides.
@Suite("Conditions in SQL", .serialized, .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct PredicateSQLTests {
    private let folder = TemporaryFolder()

    @Test("A pushed condition selects the same objects on both sides")
    func differential() throws {
        var random = SplitMix64(seed: TestScale.firstSeed &+ 77)
        let address = try PostgresServer.shared.get().makeDatabase("predicates")
        let client = try SyncClient(folder("p.firn"))
        try client.prepare(address)
        try client.attach(address, ["Person", "City"])
        for name in ["a", "b%", "B"] {
            try client.put("City", ["name": .string(name), "size": .int(Int64(name.utf8.count))])
        }
        try client.write { transaction in
            let schema = try present(transaction.schema.classNamed("Person"))
            for id in 0..<300 {
                let values = try Self.object(id, &random, client)
                let fields = try values.map { name, value in
                    (property: try present(schema.propertyNamed(name)).id, value: value)
                }
                _ = try transaction.put(fields, in: schema.id, policy: .upsert)
            }
        }
        try client.write { transaction in
            let schema = try present(transaction.schema.classNamed("Person"))
            let friends = try present(schema.propertyNamed("friends"))
            for id in 0..<300 where !random.happens(oneIn: 4) {
                let links = try (0..<(random.next() % 3)).map { _ in
                    try client.link("Person", .int(Int64(random.next() % 300)))
                }
                let row = try present(transaction.row(forKey: .int(Int64(id)), in: schema.id))
                try transaction.set(friends.id, of: row, in: schema.id, to: .list(links))
            }
        }
        _ = try client.upstream.synchronize()
        let server = try PostgresConnection(address)
        let schema = try client.database.store.snapshot().schema
        let type = try SyncedClass(present(schema.classNamed("Person")), in: schema)
        let city = try SyncedClass(present(schema.classNamed("City")), in: schema)
        let classes = [type.schema.id: type, city.schema.id: city]
        var pushed = 0
        let count = TestScale.scaled(10_000)
        for _ in 0..<count {
            let text = "Person " + Self.condition(&random, depth: 3)
            let query = try client.database.snapshot().bound(text)
            let predicate = try PredicateSQL.predicate(of: query)
            guard let condition = try? PredicateSQL.condition([predicate], of: type, among: classes)
            else {
                continue
            }
            pushed += 1
            let rows = try server.query(
                "SELECT t.id::text FROM firn.\"Person\" t WHERE \(condition.sql)",
                condition.parameters)
            let found = (0..<rows.count).compactMap { rows[$0, 0] }.sorted()
            #expect(try client.keys(text) == found, "\(text)\n\(condition)")
        }
        #expect(pushed > count / 2, "\(pushed) of \(count) can be pushed")
    }

    @Test(
        "A condition without an exact SQL equivalent is refused, with the part that lacks one",
        arguments: [
            ("Person name ==[c] 'x'", "name ==[c] \"x\""),
            ("Person age > 3 AND name MATCHES 'a.*'", "name"),
            ("Person home.name ==[c] 'x'", "home.name ==[c] \"x\""),
            ("Person ANY friends.home.name CONTAINS[c] 'x'", "friends.home.name"),
            ("Person address.street == 'x'", "address.street == \"x\""),
            ("Person ANY kin.age > 3", "kin.age > 3"),
            ("Person friends[0].age > 3", "friends[0].age > 3"),
            ("Person ANY @links.Person.friends.age > 3", "@links.Person.friends.age > 3"),
            ("Person tags.@count > 3", "tags.@count > 3"),
            ("Person SORT(age ASC)", "cannot sort"),
            ("Person age > score", "age > score"),
        ])
    func refused(text: String, part: String) throws {
        let client = try SyncClient(folder("r.firn"))
        let schema = try client.database.store.snapshot().schema
        let type = try SyncedClass(present(schema.classNamed("Person")), in: schema)
        guard let query = try? client.database.snapshot().bound(text) else { return }
        let error = #expect(throws: UpstreamError.self) {
            try PredicateSQL.check(try PredicateSQL.predicate(of: query), of: type, in: schema)
        }
        #expect(error?.code == .notPushable)
        #expect(error?.detail.contains(part) ?? false, "\(error?.detail ?? "")")
    }

    private static let words = ["", "a", "A", "ab", "b%", "_", "\\", "é", "a*b", "zz", "ä\u{308}"]

    private static func object(
        _ id: Int, _ random: inout SplitMix64, _ client: SyncClient
    ) throws -> TextMap<Value> {
        func maybe(_ value: Value) -> Value { random.happens(oneIn: 5) ? .null : value }
        let doubles: [Double] = [.nan, .infinity, -.infinity, 0, -0.0, 1.5, 2, 1e300, 0.1]
        let tags = (0..<(random.next() % 3)).map { _ in
            Value.string(words[Int(random.next() % UInt64(words.count))])
        }
        let home = try client.link("City", .string(["a", "b%", "B"][Int(random.next() % 3)]))
        return [
            "id": .int(Int64(id)),
            "name": maybe(.string(words[Int(random.next() % UInt64(words.count))])),
            "age": maybe(.int(Int64(random.next() % 7) - 3)),
            "score": maybe(.double(doubles[Int(random.next() % UInt64(doubles.count))])),
            "price": maybe(
                .decimal128(Decimal128(["1.50", "1.5", "-2", "0.1"][Int(random.next() % 4)])!)),
            "when": maybe(
                .date(
                    Timestamp(
                        seconds: Int64(random.next() % 3), nanoseconds: Int64(random.next() % 3)))),
            "flag": maybe(.bool(random.happens(oneIn: 2))), "home": maybe(home),
            "tags": .list(tags),
        ]
    }

    private static func condition(_ random: inout SplitMix64, depth: Int) -> String {
        switch depth == 0 ? 9 : random.next() % 10 {
        case 0, 1:
            "(\(condition(&random, depth: depth - 1)) AND \(condition(&random, depth: depth - 1)))"
        case 2, 3:
            "(\(condition(&random, depth: depth - 1)) OR \(condition(&random, depth: depth - 1)))"
        case 4, 5: "NOT (\(condition(&random, depth: depth - 1)))"
        default: comparison(&random)
        }
    }

    private static func comparison(_ random: inout SplitMix64) -> String {
        let operation = ["==", "!=", "<", "<=", ">", ">="][Int(random.next() % 6)]
        let equality = ["==", "!="][Int(random.next() % 2)]
        let word = words[1 + Int(random.next() % UInt64(words.count - 1))]
            .replacing("\\", with: "\\\\")
        let quantifier = ["ANY", "ALL", "NONE"][Int(random.next() % 3)]
        switch random.next() % 18 {
        case 12: return "home.size \(operation) \(random.next() % 3)"
        case 13: return "home.\(random.happens(oneIn: 2) ? "name" : "size") \(equality) nil"
        case 14: return "\(quantifier) friends.age \(operation) \(random.next() % 5)"
        case 15:
            let path = ["home.size", "home.name", "name", "score"][Int(random.next() % 4)]
            return "\(quantifier) friends.\(path) \(equality) nil"
        case 16: return "\(quantifier) friends.home.size \(operation) \(random.next() % 3)"
        case 17: return "\(quantifier) friends.tags \(equality) '\(word)'"
        case 0: return "age \(operation) \(Int64(random.next() % 7) - 3)"
        case 1:
            let numbers = ["0", "1.5", "2", "0.1", "1e300"]
            return "score \(operation) \(numbers[Int(random.next() % 5)])"
        case 2: return "price \(operation) \(["1.5", "0.1", "-2"][Int(random.next() % 3)])"
        case 3: return "name \(operation) '\(word)'"
        case 4:
            let verbs = ["BEGINSWITH", "CONTAINS", "ENDSWITH"]
            return "name \(verbs[Int(random.next() % 3)]) '\(word)'"
        case 5:
            let patterns = ["a*", "?", "*b?", "\\\\*", "a\\\\*b"]
            return "name LIKE '\(patterns[Int(random.next() % 5)])'"
        case 6: return "flag \(equality) true"
        case 7:
            return "\(["age", "name", "score", "when", "home", "flag"][Int(random.next() % 6)]) "
                + "\(equality) nil"
        case 8: return "age IN {1, 2, \(random.happens(oneIn: 2) ? "nil" : "-3")}"
        case 9: return "age BETWEEN {-1, 2}"
        case 10:
            return "when \(operation) T\(random.next() % 3):\(random.next() % 3)"
        case 11:
            return "\(quantifier) tags \(equality) '\(word)'"
        default: return "home.name \(random.happens(oneIn: 2) ? "== 'a'" : "IN {'B', 'b%'}")"
        }
    }
}
