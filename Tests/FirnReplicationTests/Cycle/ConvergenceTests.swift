import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Random histories of several files and of another program, with connections that break.
@Suite(
    "Convergence of replicated files", .serialized,
    .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct ConvergenceTests {
    private let folder = TemporaryFolder()

    @Test(
        "After random changes on all sides, all files and the server are equal",
        arguments: TestScale.seeds(12))
    func histories(seed: UInt64) throws {
        try History(seed: seed, folder, breaksConnections: false).run(steps: 80)
    }

    @Test(
        "After random changes and broken connections, all files and the server are equal",
        arguments: TestScale.seeds(12))
    func interruptions(seed: UInt64) throws {
        try History(seed: seed &+ 1_000_000, folder, breaksConnections: true).run(steps: 80)
    }
}

/// One random history.
private final class History {
    private var random: SplitMix64
    private let seed: UInt64
    private let clients: [SyncClient]
    private let server: PostgresConnection
    private let breaksConnections: Bool
    /// The increments of the counter by all files and by another program.
    private var total: Int64 = 0

    init(seed: UInt64, _ folder: TemporaryFolder, breaksConnections: Bool) throws {
        self.seed = seed
        self.breaksConnections = breaksConnections
        random = SplitMix64(seed: seed)
        let address = try PostgresServer.shared.get().makeDatabase("history")
        server = try PostgresConnection(address)
        let subsets = [["Person", "City"], ["Person age > 5 OR age == nil", "City"], ["Person"]]
        clients = try subsets.enumerated().map { index, queries in
            let client = try SyncClient(folder("\(seed)-\(index).firn"))
            try client.prepare(address, rules: ["City": ConflictRules(counters: ["size"])])
            try client.attach(address, queries)
            return client
        }
        try clients[0].put("City", ["name": .string("total"), "size": .int(0)])
        for client in clients { _ = try client.upstream.synchronize() }
    }

    private func count(_ client: SyncClient) throws {
        guard case .int(let size)? = try client.value("City", .string("total"), "size") else {
            return
        }
        let difference = number() - 10
        try client.put("City", ["name": .string("total"), "size": .int(size + difference)])
        total += difference
    }

    func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        // The changes of one file reach the others in the next round; twice for those that a refused or
        // interrupted cycle left.
        for client in clients { client.upstream.connection?.interruption = nil }
        for _ in 0..<3 {
            for client in clients { try synchronize(client, breaks: false) }
        }
        for (index, client) in clients.enumerated() {
            for comparison in try client.upstream.verify() {
                let details = try details(comparison, client)
                #expect(comparison.isEqual, "seed \(seed), file \(index): \(comparison) \(details)")
            }
            #expect(try client.upstream.pendingCount() == 0, "seed \(seed), file \(index)")
        }
        #expect(try clients[0].keys("Person") == serverKeys(), "seed \(seed)")
        let size = try clients[0].value("City", .string("total"), "size")
        #expect(size == .int(total), "seed \(seed)")
    }

    /// Both sides of the objects that differ.
    private func details(
        _ comparison: Upstream.Comparison, _ client: SyncClient
    ) throws -> String {
        guard comparison.className == "Person" else { return "" }
        var text = ""
        for key in comparison.differences {
            for name in [
                "name", "age", "home", "tags", "nums", "friends", "marks", "kin", "extra",
                "address", "addresses", "visits",
            ] {
                let value = try client.value("Person", .int(Int64(key) ?? 0), name)
                text += "\(key).\(name) here: \(value.map { "\($0)" } ?? "-")\n"
            }
            let row = try server.query(
                "SELECT name, age, home, tags, nums, friends, marks, kin, extra, address, addresses, "
                    + "visits FROM firn.\"Person\" WHERE id = \(key)"
            )
            text += "on the server: \(row.texts(ofRow: 0))\n"
        }
        return text
    }

    private func serverKeys() throws -> [String] {
        let rows = try server.query("SELECT id::text FROM firn.\"Person\"")
        return (0..<rows.count).compactMap { rows[$0, 0] }.sorted()
    }

    private func step() throws {
        let client = clients[Int(random.next() % UInt64(clients.count))]
        switch random.next() % 11 {
        case 0: try foreign()
        case 10: try count(client)
        case 1, 2, 3: try synchronize(client, breaks: breaksConnections)
        case 4: try client.delete("Person", key())
        case 5:
            // The last file does not subscribe to cities: those of its own would be only local.
            try clients[Int(random.next() % 2)].put(
                "City", ["name": .string("c\(random.next() % 4)"), "size": .int(number())])
        default: try change(client)
        }
    }

    private func synchronize(_ client: SyncClient, breaks: Bool) throws {
        if breaks {
            var rest = random.next() % 30
            let after = random.happens(oneIn: 2)
            let connection = try? client.upstream.connected()
            connection?.interruption = { _, isDone in
                guard isDone == after else { return false }
                if rest == 0 { return true }
                rest -= 1
                return false
            }
        }
        do {
            _ = try client.upstream.synchronize()
        } catch {
            guard breaks, error.code == .unreachable else { throw error }
        }
        client.upstream.connection?.interruption = nil
    }

    private func foreign() throws {
        let id = random.next() % 8
        switch random.next() % 6 {
        case 5:
            try server.execute("UPDATE firn.\"City\" SET size = size + 3 WHERE name = 'total'")
            total += 3
        case 4:
            try server.execute(
                "UPDATE firn.\"Person\" SET marks = marks || '{\"f\": 1.50}', "
                    + "visits = visits || '[\"2024-01-01T00:00:00Z\"]' WHERE id = \(id)")
        case 0: try server.execute("DELETE FROM firn.\"Person\" WHERE id = \(id)")
        case 1:
            try server.execute(
                "INSERT INTO firn.\"Person\" (id, age, home) VALUES (\(id), \(number()), 'c1') "
                    + "ON CONFLICT (id) DO UPDATE SET age = excluded.age")
        case 2: try server.execute("DELETE FROM firn.\"City\" WHERE name = 'c\(id % 4)'")
        default:
            try server.execute(
                "UPDATE firn.\"Person\" SET name = 's\(number())', tags = tags || 's'::text "
                    + "WHERE id = \(id)")
        }
    }

    private func key() -> Value { .int(Int64(random.next() % 8)) }

    private func number() -> Int64 { Int64(random.next() % 20) }

    private func change(_ client: SyncClient) throws {
        var fields: TextMap<Value> = ["id": key()]
        for _ in 0...(random.next() % 3) {
            switch random.next() % 10 {
            case 0: fields["name"] = random.happens(oneIn: 4) ? .null : .string("n\(number())")
            case 1: fields["age"] = random.happens(oneIn: 4) ? .null : .int(number())
            case 2: fields["home"] = try client.link("City", .string("c\(random.next() % 4)"))
            case 3:
                let count = random.next() % 4
                fields["tags"] = .list((0..<count).map { _ in .string("t\(number())") })
            case 4:
                let numbers = Set((0..<(random.next() % 5)).map { _ in number() % 6 })
                fields["nums"] = .set(numbers.sorted().map { .int($0) })
            case 5:
                let marks = (0..<(random.next() % 3)).map { _ in
                    ("m\(number() % 4)", Value.double(Double(number()) / 7))
                }
                fields["marks"] = .map(TextMap(marks) { $1 })
            case 6:
                let kin = try (0..<(random.next() % 3)).map { _ in
                    ("k\(number() % 3)", try client.link("Person", key()))
                }
                fields["kin"] = .map(TextMap(kin) { $1 })
            case 7: fields["extra"] = try anything(client)
            case 8:
                fields["visits"] = .list(
                    (0..<(random.next() % 3)).map { _ in
                        .date(Timestamp(seconds: number(), nanoseconds: 7))
                    })
            default:
                let friends = try (0..<(random.next() % 3)).map { _ in
                    try client.link("Person", key())
                }
                fields["friends"] = .list(friends.filter { !$0.isNull })
            }
        }
        try client.put("Person", fields)
        guard random.happens(oneIn: 3), let id = fields["id"] else { return }
        try changeAddresses(client, id)
    }

    private func anything(_ client: SyncClient) throws -> Value {
        switch random.next() % 6 {
        case 0: .null
        case 1: .int(number())
        case 2: .double(Double(number()) * 1e22)
        case 3: .data([0, UInt8(number())])
        case 4: try client.link("City", .string("c\(random.next() % 4)"))
        default: .list([.bool(true), .map(["x": .string("y\(number())"), "n": .null])])
        }
    }

    private func changeAddresses(_ client: SyncClient, _ id: Value) throws {
        func address() throws -> TextMap<Value> {
            [
                "street": .string("s\(number())"),
                "city": try client.link("City", .string("c\(random.next() % 4)")),
            ]
        }
        switch random.next() % 4 {
        case 0: try client.embed("address", of: "Person", id, [])
        case 1: try client.embed("address", of: "Person", id, [address()])
        case 2:
            let addresses = try (0..<(random.next() % 3)).map { _ in try address() }
            try client.embed("addresses", of: "Person", id, addresses, isList: true)
        default:
            guard case .link? = try client.value("Person", id, "address") else { return }
            try client.change(
                "street", to: .string("z\(number())"), embeddedIn: "address", of: "Person", id)
        }
    }
}
