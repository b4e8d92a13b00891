import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Objects that enter and leave the subsets of files, and subsets that change.
@Suite(
    "Moves of subsets", .serialized, .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct SubsetMoveTests {
    private let folder = TemporaryFolder()

    @Test(
        "After each move, a file has what its subscriptions select on the server for its user",
        arguments: TestScale.seeds(5))
    func moves(seed: UInt64) throws {
        try SubsetHistory(seed: seed, folder).run(moves: 400)
    }
}

/// A random history of two files, of which the second belongs to a user with policies.
private final class SubsetHistory {
    /// A condition of a subscription, and the same in SQL, written by hand.
    private typealias Condition = (text: String, sql: String)

    private static let conditions: [Condition] = [
        ("", "true"),
        ("age > 9", "age > 9"),
        ("age == nil", "age IS NULL"),
        ("age BETWEEN {3, 12} AND flag == true", "age BETWEEN 3 AND 12 AND flag"),
        ("name BEGINSWITH 'n1'", "starts_with(name, 'n1')"),
        ("name != 'n3'", "name IS DISTINCT FROM 'n3'"),
        ("flag != false", "flag IS DISTINCT FROM false"),
        ("ANY tags == 't1'", "'t1' = ANY (tags)"),
        ("home.name == 'c1'", "home = 'c1'"),
        ("age IN {1, 2, 3} OR name == 'n5'", "age IN (1, 2, 3) OR name = 'n5'"),
    ]

    /// The policy that limits the rows of the user of the second file.
    private static let policy = "score IS NULL OR score < 10"
    private static let user = "firn_mover"

    private final class Side {
        let client: SyncClient
        /// A connection as the user of the file.
        let server: PostgresConnection
        var conditions: [Condition]

        init(_ client: SyncClient, _ server: PostgresConnection) {
            self.client = client
            self.server = server
            conditions = [("", "true")]
        }
    }

    private let seed: UInt64
    private var random: SplitMix64
    private let owner: PostgresConnection
    private let sides: [Side]
    private var counts: [String: Int] = [:]

    init(seed: UInt64, _ folder: TemporaryFolder) throws {
        self.seed = seed
        random = SplitMix64(seed: seed &+ 2_000_000)
        let address = try PostgresServer.shared.get().makeDatabase("moves")
        owner = try PostgresConnection(address)
        let (owner, user) = (owner, SubsetHistory.user)
        sides = try [address, address.replacing("user=firn", with: "user=\(user)")]
            .enumerated().map { index, own in
                let client = try SyncClient(folder("\(seed)-\(index).firn"))
                try client.prepare(address)
                if index == 1 { try SubsetHistory.secure(owner) }
                try client.attach(own, ["Person", "City"])
                return Side(client, try PostgresConnection(own))
            }
        for side in sides { _ = try side.client.upstream.synchronize() }
    }

    private static func secure(_ owner: PostgresConnection) throws {
        try owner.createUser(user)
        try owner.execute(
            """
            ALTER TABLE firn."Person" ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON firn."Person" USING (\(policy));
            """)
    }

    func run(moves: Int) throws {
        for move in 0..<moves {
            let side = sides[Int(random.next() % 2)]
            let kind = try step(side)
            counts[kind, default: 0] += 1
            // A cycle that conflicts with another file is run again.
            try untilQuiet { () throws(UpstreamError) in
                _ = try side.client.upstream.synchronize()
            }
            try expectSubset(side, "seed \(seed), move \(move), \(kind)")
            guard move % 40 == 39 else { continue }
            for side in sides { try settle(side, "seed \(seed), move \(move)") }
        }
        for side in sides { try settle(side, "seed \(seed), at the end") }
        #expect(counts.count == 9, "seed \(seed): \(counts)")
    }

    // MARK: Moves

    private func step(_ side: Side) throws -> String {
        switch random.next() % 14 {
        case 0, 1, 2: return try edit(side, "edited here")
        case 3, 4: return try foreign()
        case 5: return try hide()
        case 6, 7:
            try subscribe(side)
            return "other subscriptions"
        case 8:
            try subscribe(side)
            try subscribe(side)
            return "superseded before a cycle"
        case 9: return try away(side)
        case 10:
            return try during(side, "edited in a cycle") { history in _ = try history.edit(side, "")
            }
        case 11: return try during(side, "superseded in a cycle") { try $0.subscribe(side) }
        default: return try interrupt(side)
        }
    }

    /// Changes some properties of an object, which may enter or leave the subset, or deletes it.
    private func edit(_ side: Side, _ kind: String) throws -> String {
        // New objects of a class without subscriptions stay in their file; programs cannot commit them.
        guard !side.conditions.isEmpty else { return try foreign() }
        let key = Value.int(Int64(random.next() % 24))
        if random.happens(oneIn: 8) {
            try side.client.delete("Person", key)
            return kind
        }
        var fields: TextMap<Value> = ["id": key]
        for _ in 0...(random.next() % 2) {
            switch random.next() % 5 {
            case 0: fields["name"] = .string("n\(random.next() % 14)")
            case 1: fields["age"] = random.happens(oneIn: 4) ? .null : .int(number())
            case 2: fields["flag"] = random.happens(oneIn: 3) ? .null : .bool(number() > 9)
            case 3: fields["tags"] = .list([.string("t\(random.next() % 3)"), .string("x")])
            default: fields["home"] = try side.client.link("City", .string("c\(number() % 3)"))
            }
        }
        try side.client.put("Person", fields)
        return kind
    }

    private func foreign() throws -> String {
        let id = random.next() % 24
        switch random.next() % 5 {
        case 0: try owner.execute("DELETE FROM firn.\"Person\" WHERE id = \(id)")
        case 1:
            try owner.execute(
                "INSERT INTO firn.\"City\" (name, size) VALUES ('c\(id % 3)', 1) "
                    + "ON CONFLICT DO NOTHING")
        case 2:
            try owner.execute(
                "UPDATE firn.\"Person\" SET age = \(number()), flag = NOT flag WHERE id % 5 = \(id % 5)"
            )
        default:
            try owner.execute(
                "INSERT INTO firn.\"Person\" (id, age, name, home) "
                    + "VALUES (\(id), \(number()), 'n\(id % 14)', 'c\(id % 3)') "
                    + "ON CONFLICT (id) DO UPDATE SET age = excluded.age, home = excluded.home")
        }
        return "changed by SQL"
    }

    /// Moves rows into and out of the view of the user with policies.
    private func hide() throws -> String {
        let score = random.happens(oneIn: 3) ? "NULL" : String(number())
        try owner.execute(
            "UPDATE firn.\"Person\" SET score = \(score) WHERE id % 4 = \(random.next() % 4)")
        return "hidden or shown by a policy"
    }

    private func subscribe(_ side: Side) throws {
        side.conditions = (0..<(random.next() % 3)).map { _ in
            SubsetHistory.conditions[Int(random.next() % UInt64(SubsetHistory.conditions.count))]
        }
        try side.client.subscribe(side.conditions.map { "Person " + $0.text } + ["City"])
    }

    /// Ends all subscriptions of the class, replicates, and begins again.
    private func away(_ side: Side) throws -> String {
        side.conditions = []
        try side.client.subscribe(["City"])
        _ = try side.client.upstream.synchronize()
        try expectSubset(side, "seed \(seed), away")
        try subscribe(side)
        return "unsubscribed and subscribed again"
    }

    /// Runs a cycle in the middle of which something happens.
    private func during(
        _ side: Side, _ kind: String, _ body: @escaping (SubsetHistory) throws -> Void
    ) throws -> String {
        if random.happens(oneIn: 2) { try subscribe(side) }
        var rest = random.next() % 16
        try side.client.upstream.connected().interruption = { [weak self] _, _ in
            if rest == 0, let self {
                do { try body(self) } catch { Issue.record(error) }
            }
            rest &-= 1
            return false
        }
        try untilQuiet { () throws(UpstreamError) in
            _ = try side.client.upstream.synchronize()
        }
        side.client.upstream.connection?.interruption = nil
        return kind
    }

    /// Breaks the connection in the middle of a cycle, half of the time one that reads everything.
    private func interrupt(_ side: Side) throws -> String {
        if random.happens(oneIn: 2) { try subscribe(side) }
        _ = try edit(side, "")
        var rest = random.next() % 16
        let isLater = random.happens(oneIn: 2)
        try side.client.upstream.connected().interruption = { _, isDone in
            guard isDone == isLater else { return false }
            defer { rest &-= 1 }
            return rest == 0
        }
        do throws(UpstreamError) {
            _ = try side.client.upstream.synchronize()
        } catch {
            #expect(error.code == .unreachable, "seed \(seed): \(error)")
        }
        side.client.upstream.connection?.interruption = nil
        return "interrupted"
    }

    private func number() -> Int64 { Int64(random.next() % 20) }

    // MARK: Checks

    private func expectSubset(_ side: Side, _ note: String) throws {
        let sql =
            side.conditions.isEmpty
            ? "false" : side.conditions.map { "(\($0.sql))" }.joined(separator: " OR ")
        let rows = try side.server.query("SELECT id::text FROM firn.\"Person\" WHERE \(sql)")
        let expected = (0..<rows.count).compactMap { rows[$0, 0] }.sorted()
        let found = try side.client.keys("Person")
        #expect(found == expected, "\(note), \(side.conditions.map(\.text))")
    }

    /// Compares all values, after the cycles that what the other file sent needs.
    private func settle(_ side: Side, _ note: String) throws {
        for _ in 0..<2 { _ = try side.client.upstream.synchronize() }
        for comparison in try side.client.upstream.verify() {
            #expect(comparison.isEqual, "\(note): \(comparison)")
        }
        #expect(try side.client.upstream.pendingCount() == 0, "\(note)")
    }
}
