import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Random histories of the plain situations of a working life.
///
/// After every step: what was typed is on the server, or waits in a file, or is listed as rejected.
@Suite(
    "Histories of a working life", .serialized, .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct WorkingLifeTests {
    private let folder = TemporaryFolder()

    @Test(
        "No input is lost by refusals, renames, resets, restores, roles or open transactions",
        arguments: TestScale.seeds(8))
    func histories(seed: UInt64) throws {
        try WorkingLife(seed: seed, folder).run(steps: 70)
    }
}

private final class WorkingLife {
    private let seed: UInt64
    private var random: SplitMix64
    private let clients: [SyncClient]
    private let addresses: [String]
    private let server: PostgresConnection
    private var other: PostgresConnection?
    private var isLimited = false
    /// The keys of the objects that were typed.
    private var typed: [String] = []
    private var log: [String] = []

    init(seed: UInt64, _ folder: TemporaryFolder) throws {
        self.seed = seed
        random = SplitMix64(seed: seed)
        let address = try PostgresServer.shared.get().makeDatabase("life")
        server = try PostgresConnection(address)
        clients = try (0..<3).map { try SyncClient(folder("\(seed)-\($0).firn")) }
        try clients[0].prepare(address)
        try server.createUser("firn_dora")
        addresses = [
            address, address, address.replacing("user=firn", with: "user=firn_dora"),
        ]
        for (client, address) in zip(clients, addresses) { try client.attach(address, ["City"]) }
        for client in clients { _ = try client.upstream.synchronize() }
    }

    func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            try check()
        }
        if let other { try other.execute("COMMIT") }
        try setLimit(false)
        for _ in 0..<3 { for index in clients.indices { try synchronize(index, isFinal: true) } }
        try check()
        for (index, client) in clients.enumerated() {
            #expect(try client.upstream.pendingCount() == 0, "\(story), file \(index)")
            // Objects that the server refused before it had them stay, and are listed.
            let kept = TextSet(
                try client.upstream.rejected().flatMap(\.changes).filter { $0.verb == "kept" }
                    .map(\.key))
            for comparison in try client.upstream.verify() {
                let others = comparison.differences.filter { !kept.contains($0) }
                #expect(others.isEmpty, "\(story), file \(index): \(comparison)")
            }
        }
    }

    private var story: String { "seed \(seed): \(log.joined(separator: "; "))" }

    // MARK: Rules

    private func check() throws {
        let rows = try server.query("SELECT name FROM \(table())")
        var known = TextSet((0..<rows.count).compactMap { rows[$0, 0] })
        for client in clients {
            for key in try client.keys(try className(client)) { known.insert(key) }
            for item in try client.upstream.rejected() {
                for change in item.changes { known.insert(change.key) }
            }
        }
        for key in typed where !known.contains(key) {
            Issue.record("\(story): \(key) is lost")
            typed.removeAll { $0 == key }
        }
    }

    private func className(_ client: SyncClient) throws -> String {
        let schema = try client.database.store.snapshot().schema
        return schema.classNamed("City") == nil ? "Town" : "City"
    }

    private func table() throws -> String {
        try server.query("SELECT format('firn.%I', name) FROM firn.class WHERE name <> 'Person'")[
            0, 0]
            ?? ""
    }

    private func sizeColumn() throws -> String {
        try server.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 2",
            [try table()])[0, 0] ?? ""
    }

    /// The name of the property with the sizes, which a file may have renamed.
    private func size(_ client: SyncClient) throws -> String {
        let schema = try client.database.store.snapshot().schema
        let type = try present(schema.classNamed(try className(client)))
        return try present(type.properties.first { $0.type.base == .int && $0.name != "prio" }).name
    }

    // MARK: Steps

    private func step() throws {
        let index = Int(random.next() % 3)
        let client = clients[index]
        switch random.next() % 16 {
        case 0, 1, 2, 3: try type(client, index)
        case 4:
            try synchronize(index)
            log.append("run \(index)")
        case 5, 6: try synchronize(index)
        case 7:
            log.append("SQL")
            let column = try sizeColumn()
            try? server.execute(
                "INSERT INTO \(try table()) (name, \(SQLText.name(column))) "
                    + "VALUES ('s\(random.next() % 5)', 3) ON CONFLICT DO NOTHING")
        case 8: try setLimit(!isLimited)
        case 9: try rename(client, index)
        case 10:
            log.append("init \(index)")
            try prepare(client)
        case 11:
            // Without the attachment, a renamed class would be a new one.
            let columns = try client.upstream.record().columns.tables.values
            guard columns.allSatisfy({ $0.entry.name == $0.entry.agreed }),
                try table() == "firn.\"\(try className(client))\"",
                try size(client) == sizeColumn()
            else { return }
            log.append("attach \(index)")
            client.upstream.disconnect()
            if try client.upstream.isAttached() { try client.upstream.detach() }
            try client.upstream.attach(
                addresses[index], client: client.upstream.newIdentity(),
                prefersFile: random.happens(oneIn: 2))
        case 12:
            log.append("reset \(index)")
            try? client.upstream.reset(.recover, client: client.upstream.newIdentity())
        case 13: try toggleTransaction()
        case 14 where random.happens(oneIn: 3):
            log.append("SQL renames")
            let (old, table) = (try sizeColumn(), try self.table())
            let new = old == "size" ? "extent" : "size"
            do throws(UpstreamError) {
                try server.execute(
                    "ALTER TABLE \(table) RENAME COLUMN \(SQLText.name(old)) TO \(SQLText.name(new))"
                )
            } catch {
                // The open transaction may hold a lock, and a file may have added a column.
                guard error.isTransient || error.state == "42701" else { throw error }
            }
        case 14:
            log.append("epoch")
            try server.execute("UPDATE firn.meta SET epoch = gen_random_uuid()")
        default: try retry(client, index)
        }
    }

    /// Creates an object of its own, or one that another file may create as well.
    private func type(_ client: SyncClient, _ index: Int) throws {
        let key = random.happens(oneIn: 4) ? "both\(random.next() % 6)" : "k\(typed.count)"
        let size: Int64 = random.happens(oneIn: 4) ? 13 : Int64(random.next() % 10)
        log.append("type \(key)=\(size) in \(index)")
        try client.put(
            try className(client), ["name": .string(key), try self.size(client): .int(size)])
        if !typed.contains(key) { typed.append(key) }
    }

    private func rename(_ client: SyncClient, _ index: Int) throws {
        log.append("rename in \(index)")
        let isClass = random.happens(oneIn: 4)
        try client.writeChecked { transaction in
            let name = transaction.schema.classNamed("City") == nil ? "Town" : "City"
            let type = try present(transaction.schema.classNamed(name))
            if isClass {
                try transaction.renameClass(type.id, to: name == "City" ? "Town" : "City")
                return
            }
            let property = try present(type.properties.first { $0.type.base == .int })
            try transaction.renameProperty(
                property.id, of: type.id, to: property.name == "size" ? "people" : "size")
        }
    }

    private func prepare(_ client: SyncClient) throws {
        do throws(UpstreamError) {
            try Upstream.prepareServer(for: client.database, at: addresses[0])
            try? server.createUser("firn_dora")
        } catch {
            // A lock of the open transaction, names that clash, or a row that the constraint forbids.
            guard error.isTransient || error.code == .schema || error.state == "23514" else {
                throw error
            }
        }
    }

    private func setLimit(_ isOn: Bool) throws {
        log.append(isOn ? "limit" : "no limit")
        let column = try sizeColumn()
        let table = try self.table()
        do throws(UpstreamError) {
            try server.execute(
                isOn
                    ? "ALTER TABLE \(table) ADD CONSTRAINT lucky CHECK (\(SQLText.name(column)) <> 13) "
                        + "NOT VALID"
                    : "ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS lucky")
            isLimited = isOn
        } catch {
            guard error.isTransient else { throw error }
        }
    }

    private func toggleTransaction() throws {
        if let other {
            log.append("commit")
            try? other.execute("COMMIT")
            self.other = nil
            return
        }
        log.append("begin")
        let other = try PostgresConnection(addresses[0])
        try other.execute("BEGIN; SELECT pg_current_xact_id()")
        self.other = other
    }

    private func retry(_ client: SyncClient, _ index: Int) throws {
        guard let item = try client.upstream.rejected().first else { return }
        log.append("retry \(item.number) in \(index)")
        do throws(UpstreamError) { try client.upstream.retryRejected(item.number) } catch {
            // Its object may be gone, its property renamed, or the file detached.
            guard [.conflict, .schema, .state].contains(error.code) else { throw error }
        }
    }

    private func synchronize(_ index: Int, isFinal: Bool = false) throws {
        let client = clients[index]
        for _ in 0..<4 {
            do throws(UpstreamError) {
                _ = try client.upstream.synchronize()
                return
            } catch {
                log.append("\(index): \(error.detail)")
                switch error.code {
                case .resetNeeded, .fenced:
                    try client.upstream.reset(.recover, client: client.upstream.newIdentity())
                case .notPrepared, .schema: try prepare(client)
                case .server where error.isTransient: continue
                default: throw error
                }
            }
        }
        if isFinal { Issue.record("\(story): file \(index) does not come to an end") }
    }
}
