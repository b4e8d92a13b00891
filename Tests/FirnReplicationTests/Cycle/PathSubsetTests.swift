import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Subsets whose conditions read the objects that links lead to: a change of a customer moves its
/// orders.
///
/// A file with everything decides by the query language what the file with the subset must have.
@Suite("Subsets by path", .serialized, .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct PathSubsetTests {
    private let folder = TemporaryFolder()

    private typealias Property = ClassDefinition.Property

    private static let definitions = [
        ClassDefinition(
            name: "Country",
            properties: [
                Property(name: "code", type: PropertyType(.string)),
                Property(name: "union", type: PropertyType(.bool)),
            ], keyName: "code"),
        ClassDefinition(
            name: "Customer",
            properties: [
                Property(name: "id", type: PropertyType(.objectID)),
                Property(name: "region", type: PropertyType(.string, isOptional: true)),
                Property(
                    name: "country", type: PropertyType(.link, isOptional: true),
                    targetName: "Country"),
            ], keyName: "id"),
        ClassDefinition(
            name: "Order",
            properties: [
                Property(name: "id", type: PropertyType(.int)),
                Property(name: "total", type: PropertyType(.int)),
                Property(
                    name: "customer", type: PropertyType(.link, isOptional: true),
                    targetName: "Customer"),
                Property(
                    name: "payers", type: PropertyType(.link, container: .list),
                    targetName: "Customer"),
            ], keyName: "id"),
    ]

    private func client(
        _ name: String, _ address: String, _ queries: [String]
    ) throws -> SyncClient {
        let client = try SyncClient(folder(name), PathSubsetTests.definitions)
        try client.prepare(address)
        try client.attach(address, queries)
        return client
    }

    @Test(
        "After each cycle, a file has the objects that its conditions select on a complete file",
        arguments: TestScale.seeds(4))
    func moves(seed: UInt64) throws {
        let address = try PostgresServer.shared.get().makeDatabase("paths")
        let all = try client("all-\(seed).firn", address, ["Order", "Customer", "Country"])
        let some = try client("some-\(seed).firn", address, ["Order", "Customer", "Country"])
        try PathHistory(seed: seed, all, some, PostgresConnection(address)).run(moves: 120)
    }

    @Test("A change to a customer moves its orders, and an order without a customer counts as nil")
    func customerMoves() throws {
        let address = try PostgresServer.shared.get().makeDatabase("north")
        let a = try client("a.firn", address, ["Order", "Customer"])
        let north = Value.objectID(try present(ObjectID("64b5f1c2a3b4c5d6e7f80912")))
        try a.put("Customer", ["id": north, "region": .string("north")])
        let link = try a.link("Customer", north)
        for id in 1...3 {
            try a.put(
                "Order",
                ["id": .int(Int64(id)), "total": .int(1), "customer": id == 3 ? .null : link])
        }
        _ = try a.upstream.synchronize()
        let b = try client("b.firn", address, ["Order customer.region == 'north'"])
        let c = try client("c.firn", address, ["Order customer.region != 'north'"])
        func keys() throws -> [[String]] {
            try [b, c].map { client in
                _ = try client.upstream.synchronize()
                #expect(try client.upstream.verify().allSatisfy(\.isEqual))
                return try client.keys("Order")
            }
        }
        #expect(try keys() == [["1", "2"], ["3"]])
        try a.put("Customer", ["id": north, "region": .string("south")])
        _ = try a.upstream.synchronize()
        #expect(try keys() == [[], ["1", "2", "3"]])
        let server = try PostgresConnection(address)
        try server.execute("UPDATE firn.\"Customer\" SET region = 'north'")
        #expect(try keys() == [["1", "2"], ["3"]])
        try server.execute("DELETE FROM firn.\"Customer\"")
        #expect(try keys() == [[], ["1", "2", "3"]])
        try server.execute(
            "INSERT INTO firn.\"Customer\" (id, region) VALUES ('\\x64b5f1c2a3b4c5d6e7f80912', 'north')"
        )
        #expect(try keys() == [["1", "2"], ["3"]])
        try server.execute("TRUNCATE firn.\"Customer\"")
        #expect(try keys() == [[], ["1", "2", "3"]])
    }

    @Test("A subscription by path follows renames of the properties that it reads")
    func renaming() throws {
        let address = try PostgresServer.shared.get().makeDatabase("names")
        let a = try client("a.firn", address, ["Customer", "Country"])
        let b = try client(
            "b.firn", address,
            [
                "Order customer.region == 'region'", "Order ANY payers.country.union == true",
                "Order customer.country.code == 'NO'",
            ])
        let transaction = try b.database.beginWrite()
        func rename(_ className: String, _ name: String, _ new: String) throws {
            let type = try present(transaction.schema.classNamed(className))
            let property = try present(type.propertyNamed(name))
            try transaction.renameProperty(property.id, of: type.id, to: new)
        }
        try rename("Customer", "region", "area")
        try rename("Customer", "country", "land")
        try rename("Order", "payers", "guests")
        try rename("Country", "union", "member")
        _ = try transaction.commit()
        let expected = [
            "Order | customer.area == \"region\"", "Order | ANY guests.land.member == true",
            "Order | customer.land.code == \"NO\"",
        ]
        let renamed = try b.upstream.subscriptions()
        #expect(renamed == expected)
        _ = try Upstream.prepareServer(for: b.database, at: address)
        let server = try PostgresConnection(address)
        try server.execute(
            """
            INSERT INTO firn."Country" (code, member) VALUES ('NO', false), ('SE', true);
            INSERT INTO firn."Customer" (id, area, land)
                VALUES ('\\x64b5f1c2a3b4c5d6e7f80911', 'region', NULL),
                    ('\\x64b5f1c2a3b4c5d6e7f80912', 'x', 'SE'),
                    ('\\x64b5f1c2a3b4c5d6e7f80913', 'x', 'NO');
            INSERT INTO firn."Order" (id, total, customer, guests)
                SELECT n, 1, decode('64b5f1c2a3b4c5d6e7f8091' || n, 'hex'),
                    ARRAY[decode('64b5f1c2a3b4c5d6e7f8091' || greatest(n - 2, 0), 'hex')]
                FROM generate_series(1, 5) n
            """)
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1", "3", "4"])
        try server.execute("UPDATE firn.\"Country\" SET member = NOT member")
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1", "3", "5"])
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Customer region == 'x'").count == 2)
    }

    /// No trigger tells of values that go with a column or a table: the orders stayed. The reset after
    /// the table was made again also cleared the links of the orders on the server.
    @Test("Recreating a column or a table on a path moves the objects")
    func madeAgain() throws {
        let address = try PostgresServer.shared.get().makeDatabase("again")
        let b = try client(
            "b.firn", address,
            ["Order customer.region == 'north'", "Order customer.country.union == true"])
        let server = try PostgresConnection(address)
        let customer =
            "INSERT INTO firn.\"Customer\" (id, region) VALUES ('\\x64b5f1c2a3b4c5d6e7f80912', 'north')"
        try server.execute(
            customer
                + "; INSERT INTO firn.\"Order\" (id, total, customer, payers) "
                + "VALUES (1, 2, '\\x64b5f1c2a3b4c5d6e7f80912', "
                + "ARRAY['\\x64b5f1c2a3b4c5d6e7f80912'::bytea])")
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1"])
        try server.execute("ALTER TABLE firn.\"Customer\" DROP COLUMN region")
        try b.prepare(address)
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == [])
        try server.execute("UPDATE firn.\"Customer\" SET region = 'north'")
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1"])
        try server.execute("DROP TABLE firn.\"Customer\"")
        try b.prepare(address)
        let changed = #expect(throws: UpstreamError.self) { _ = try b.upstream.synchronize() }
        #expect(changed?.code == .resetNeeded)
        try b.upstream.reset(.recover, client: b.upstream.newIdentity())
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == [])
        #expect(try b.upstream.verify().allSatisfy(\.isEqual))
        // The file does not have the customer: its state must not clear the links of the server.
        let links = try server.query(
            "SELECT encode(customer, 'hex'), encode(payers[1], 'hex') FROM firn.\"Order\"")
        #expect(links[0, 0] == "64b5f1c2a3b4c5d6e7f80912")
        #expect(links[0, 1] == "64b5f1c2a3b4c5d6e7f80912")
        try server.execute(customer)
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1"])
    }

    @Test("Classes on a path without a subscription are listed, each once")
    func unsubscribed() throws {
        let address = try PostgresServer.shared.get().makeDatabase("unsubscribed")
        let b = try client("b.firn", address, ["Country"])
        func names(_ text: String) throws -> [String] {
            try b.upstream.unsubscribedClasses(readBy: b.upstream.subscription(text))
        }
        #expect(
            try names("Order customer.region == 'n' AND customer.country.union == true") == [
                "Customer"
            ])
        // The link alone decides.
        #expect(try names("Order customer == nil").isEmpty)
    }

    @Test("If the server has no table for a class on a path, the error names the class")
    func notPrepared() throws {
        let address = try PostgresServer.shared.get().makeDatabase("unprepared")
        let b = try client("b.firn", address, ["Order customer.region == 'north'"])
        let server = try PostgresConnection(address)
        _ = try b.upstream.synchronize()
        try server.execute("DROP TABLE firn.\"Customer\"")
        let error = #expect(throws: UpstreamError.self) { _ = try b.upstream.synchronize() }
        #expect(error?.code == .notPrepared)
        #expect(error?.detail.contains("Customer") == true, "\(error?.detail ?? "")")
        // A table that was made again begins another history, also that of a class without objects here.
        try b.prepare(address)
        let changed = #expect(throws: UpstreamError.self) { _ = try b.upstream.synchronize() }
        #expect(changed?.code == .resetNeeded)
        try b.upstream.reset(.recover, client: b.upstream.newIdentity())
        _ = try b.upstream.synchronize()
        try server.execute(
            """
            INSERT INTO firn."Customer" (id, region) VALUES ('\\x64b5f1c2a3b4c5d6e7f80912', 'north');
            INSERT INTO firn."Order" (id, total, customer)
                VALUES (1, 2, '\\x64b5f1c2a3b4c5d6e7f80912')
            """)
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Order") == ["1"])
    }
}

/// A random history of a file with everything and one with a subset by path.
private final class PathHistory {
    private static let conditions = [
        "customer.region == 'r1'", "customer.region != 'r1'", "customer.country.union == true",
        "NOT (customer.country.union == true)", "customer.country.code BEGINSWITH 'A'",
        "customer.country.code ENDSWITH 'T'", "ANY payers.region == 'r2'",
        "NONE payers.country.union == true", "ALL payers.region != 'r1'",
        "customer.region IN {'r0', nil}", "customer.region == 'r0' AND total > 5",
        "customer.country.union == nil", "total < 4 OR ANY payers.country.code == 'SE'",
    ]
    private static let countries = ["AT", "AU", "SE"]

    private let seed: UInt64
    private var random: SplitMix64
    private let all: SyncClient
    private let some: SyncClient
    private let server: PostgresConnection
    private var chosen: [String] = [""]

    init(
        seed: UInt64, _ all: SyncClient, _ some: SyncClient, _ server: PostgresConnection
    ) throws {
        self.seed = seed
        random = SplitMix64(seed: seed &+ 3_000_000)
        (self.all, self.some, self.server) = (all, some, server)
    }

    func run(moves: Int) throws {
        for move in 0..<moves {
            let kind = try step()
            for client in [all, some, all, some] {
                try untilQuiet { () throws(UpstreamError) in
                    _ = try client.upstream.synchronize()
                }
            }
            try check("seed \(seed), move \(move), \(kind)")
        }
    }

    private func check(_ note: String) throws {
        var expected: Set<String> = []
        for condition in chosen { expected.formUnion(try all.keys("Order " + condition)) }
        #expect(try Set(some.keys("Order")) == expected, "\(note): \(chosen)")
        // With all customers and countries, the file decides as the server does.
        var own: Set<String> = []
        for condition in chosen { own.formUnion(try some.keys("Order " + condition)) }
        #expect(own == expected, "\(note): \(chosen)")
        for client in [all, some] {
            for comparison in try client.upstream.verify() {
                #expect(comparison.isEqual, "\(note): \(comparison)")
            }
        }
    }

    private func step() throws -> String {
        switch random.next() % 12 {
        case 0, 1: return try choose()
        case 2: return try country()
        case 3, 4: return try customer()
        case 5, 6: return try order()
        case 7:
            try edit(all)
            return "a file edited"
        case 8:
            try edit(some)
            return "the file edited"
        case 9:
            try edit(all)
            try edit(some)
            _ = try country()
            _ = try customer()
            return "all edited"
        default: return try interrupt()
        }
    }

    private func choose() throws -> String {
        chosen = (0...(random.next() % 2)).map { _ in
            PathHistory.conditions[Int(random.next() % UInt64(PathHistory.conditions.count))]
        }
        try some.subscribe(chosen.map { "Order " + $0 } + ["Customer", "Country"])
        return "subscribed"
    }

    private func country() throws -> String {
        let code = pick(PathHistory.countries)
        try server.execute(
            random.happens(oneIn: 4)
                ? "DELETE FROM firn.\"Country\" WHERE code = '\(code)'"
                : "INSERT INTO firn.\"Country\" (code, \"union\") VALUES ('\(code)', \(random.happens(oneIn: 2))) "
                    + "ON CONFLICT (code) DO UPDATE SET \"union\" = excluded.\"union\"")
        return "a country changed by SQL"
    }

    private func customer() throws -> String {
        let key = "decode('64b5f1c2a3b4c5d6e7f8091\(random.next() % 5)', 'hex')"
        let region = random.happens(oneIn: 4) ? "NULL" : "'r\(random.next() % 3)'"
        try server.execute(
            random.happens(oneIn: 5)
                ? "DELETE FROM firn.\"Customer\" WHERE id = \(key)"
                : "INSERT INTO firn.\"Customer\" (id, region, country) "
                    + "VALUES (\(key), \(region), '\(pick(PathHistory.countries))') ON CONFLICT (id) "
                    + "DO UPDATE SET region = excluded.region, country = excluded.country")
        return "a customer changed by SQL"
    }

    private func order() throws -> String {
        let key = "decode('64b5f1c2a3b4c5d6e7f8091\(random.next() % 6)', 'hex')"
        try server.execute(
            "INSERT INTO firn.\"Order\" (id, total, customer, payers) "
                + "VALUES (\(random.next() % 20), \(random.next() % 10), \(key), ARRAY[\(key)]) "
                + "ON CONFLICT (id) DO UPDATE SET customer = excluded.customer, "
                + "payers = excluded.payers || \"Order\".payers[1:1]")
        return "an order changed by SQL"
    }

    /// Changes an object of a file.
    private func edit(_ client: SyncClient) throws {
        func oid() throws -> Value {
            .objectID(try present(ObjectID("64b5f1c2a3b4c5d6e7f8091\(random.next() % 5)")))
        }
        let (first, second) = (try oid(), try oid())
        switch random.next() % 4 {
        case 0:
            try client.put(
                "Customer", ["id": first, "region": .string("r\(random.next() % 3)")])
        case 1:
            try client.put(
                "Customer",
                [
                    "id": first,
                    "country": try client.link("Country", .string(pick(PathHistory.countries))),
                ])
        case 2: try client.delete("Customer", first)
        default:
            try client.put(
                "Order",
                [
                    "id": .int(Int64(random.next() % 20)), "total": .int(Int64(random.next() % 10)),
                    "customer": try client.link("Customer", first),
                    "payers": .list(
                        try [first, second].map { try client.link("Customer", $0) }
                            .filter { !$0.isNull }),
                ])
        }
    }

    /// Breaks the connection in the middle of a cycle.
    private func interrupt() throws -> String {
        _ = try customer()
        try edit(some)
        var rest = random.next() % 16
        let isLater = random.happens(oneIn: 2)
        try some.upstream.connected().interruption = { _, isDone in
            guard isDone == isLater else { return false }
            defer { rest &-= 1 }
            return rest == 0
        }
        do throws(UpstreamError) { _ = try some.upstream.synchronize() } catch {
            #expect(error.code == .unreachable, "seed \(seed): \(error)")
        }
        some.upstream.connection?.interruption = nil
        return "interrupted"
    }

    private func pick(_ texts: [String]) -> String {
        texts[Int(random.next() % UInt64(texts.count))]
    }
}
