import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// A file with objects of its own meets a server that has some of them.
///
/// The objects of the file were sent as if they had just been created: a counter at 13 became 0,
/// deleted objects came back, and one object that the server refused removed all others from the file.
@Suite("Files that are attached with objects", .serialized, .timeLimit(.minutes(5)))
struct AttachTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("attach")
        server = try PostgresConnection(address)
    }

    private func unattached(_ name: String) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        return client
    }

    private func city(_ name: String, _ size: Int64) -> TextMap<Value> {
        ["name": .string(name), "size": .int(size)]
    }

    /// Makes a file whose objects the server has in other states.
    ///
    /// - Returns: a file that has replicated, and one with older states that is not attached.
    private func diverged() throws -> (SyncClient, SyncClient) {
        let first = try unattached("first")
        try first.attach(address, ["City"])
        let second = try unattached("second")
        for client in [first, second] {
            for name in ["Same", "Changed", "Gone"] { try client.put("City", city(name, 0)) }
        }
        _ = try first.upstream.synchronize()
        for _ in 0..<13 {
            let isThere = try first.increment("City", .string("Changed"), "size")
            #expect(isThere)
        }
        try first.delete("City", .string("Gone"))
        _ = try first.upstream.synchronize()
        try second.put("City", city("Own", 5))
        return (first, second)
    }

    private func sizes() throws -> [String?] {
        let found = try server.query("SELECT name || ' ' || size FROM firn.\"City\" ORDER BY name")
        return (0..<found.count).map { found[$0, 0] }
    }

    private func rejected(_ client: SyncClient) throws -> [String] {
        var found: [String] = []
        try InternalTable.rejected.forEach(in: client.database.store.snapshot()) { values in
            guard case .string(let key) = values[3], case .data(let bytes) = values[5] else {
                return
            }
            let size = PropertyCoding.properties(bytes)?.first { $0.name == "size" }
            found.append("\(key) \(size?.texts.first.flatMap { $0 } ?? "-")")
        }
        return found.sorted()
    }

    @Test("The server prevails, and each difference is reported and kept")
    func serverPrevails() throws {
        let (first, second) = try diverged()
        try second.attach(address, ["City"])
        let report = try second.upstream.synchronize()
        #expect(try sizes() == ["Changed 13", "Own 5", "Same 0"])
        #expect(try second.value("City", .string("Changed"), "size") == .int(13))
        #expect(try second.keys("City") == ["Changed", "Own", "Same"])
        let replaced = report.replaced.sorted { $0.object < $1.object }
        #expect(replaced.map(\.object) == ["City Changed", "City Gone"])
        #expect(replaced.map(\.properties) == [["size"], []])
        #expect(report.removed == [])
        // The values that the file had are still there.
        #expect(try rejected(second) == ["Changed 0", "Gone 0"])
        #expect(try second.upstream.synchronize().replaced == [])
        _ = try first.upstream.synchronize()
        #expect(try first.keys("City") == ["Changed", "Own", "Same"])
    }

    @Test("A replaced link is a difference, but a link to an object missing in the file is not")
    func links() throws {
        let first = try unattached("first")
        try first.attach(address, ["Person", "City"])
        let second = try unattached("second")
        for client in [first, second] {
            try client.put("City", city("Oslo", 1))
            try client.put("Person", ["id": .int(1), "home": client.link("City", .string("Oslo"))])
        }
        try second.put("Person", ["id": .int(2)])
        try first.put("City", city("Rome", 1))
        let rome = try first.link("City", .string("Rome"))
        for id in 1...2 { try first.put("Person", ["id": .int(Int64(id)), "home": rome]) }
        _ = try first.upstream.synchronize()
        // The file of the second has no cities beside its own, and the server's link is nil here.
        try second.attach(address, ["Person", "City name == \"Oslo\""])
        let report = try second.upstream.synchronize()
        #expect(report.replaced.map(\.object) == ["Person 1"])
        #expect(report.replaced.map(\.properties) == [["home"]])
    }

    @Test("The file prevails if its user prefers that")
    func filePrevails() throws {
        let (first, second) = try diverged()
        try second.upstream.attach(
            address, client: second.upstream.newIdentity(), prefersFile: true)
        try second.subscribe(["City"])
        let report = try second.upstream.synchronize()
        #expect(report.replaced == [])
        #expect(try sizes() == ["Changed 0", "Gone 0", "Own 5", "Same 0"])
        _ = try first.upstream.synchronize()
        #expect(try first.keys("City") == ["Changed", "Gone", "Own", "Same"])
    }

    @Test("An object that was changed after the file was attached has the time of its change")
    func later() throws {
        let (_, second) = try diverged()
        try second.attach(address, ["City"])
        try second.put("City", city("Changed", 70))
        let report = try second.upstream.synchronize()
        #expect(report.replaced.map(\.object) == ["City Gone"])
        #expect(try sizes() == ["Changed 70", "Own 5", "Same 0"])
    }

    @Test("A file that is detached and attached again receives newer values from the server")
    func again() throws {
        let (first, second) = try diverged()
        try second.attach(address, ["City"])
        _ = try second.upstream.synchronize()
        try second.upstream.detach()
        #expect(try rejected(second) == ["Changed 0", "Gone 0"])
        try first.put("City", city("Changed", 14))
        try first.delete("City", .string("Same"))
        _ = try first.upstream.synchronize()
        try second.attach(address, ["City"])
        let report = try second.upstream.synchronize()
        #expect(Set(report.replaced.map(\.object)) == ["City Changed", "City Same"])
        #expect(try sizes() == ["Changed 14", "Own 5"])
        #expect(try second.keys("City") == ["Changed", "Own"])
    }

    @Test("One refused object of many stays in the file, and all others reach the server")
    func refusal() throws {
        let client = try unattached("a")
        for number in 0..<51 { try client.put("City", city("c\(number)", Int64(number))) }
        try server.execute("ALTER TABLE firn.\"City\" ADD CHECK (size <> 25 AND size <> 200)")
        try client.attach(address, ["City"])
        let report = try client.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City c25"]])
        #expect(report.refused.first?.isKept == true)
        #expect(report.pushed == 50)
        #expect(try server.query("SELECT count(*) FROM firn.\"City\"")[0, 0] == "50")
        #expect(try client.keys("City").count == 51)
        // Neither a complete reading nor a reset removes it.
        _ = try client.upstream.synchronize()
        try client.upstream.reset(.recover, client: client.upstream.newIdentity())
        _ = try client.upstream.synchronize()
        #expect(try client.value("City", .string("c25"), "size") == .int(25))
        // A change sends it again as a whole, and again it may be refused.
        try client.put("City", city("c25", 200))
        #expect(try client.upstream.synchronize().refused.map(\.isKept) == [true])
        #expect(try client.value("City", .string("c25"), "size") == .int(200))
        try client.put("City", city("c25", 26))
        #expect(try client.upstream.synchronize().refused == [])
        #expect(try server.query("SELECT size FROM firn.\"City\" WHERE name = 'c25'")[0, 0] == "26")
        try server.execute("DELETE FROM firn.\"City\" WHERE name = 'c25'")
        _ = try client.upstream.synchronize()
        #expect(try client.keys("City").count == 50)
    }

    @Test("A value that the server cannot store keeps its object in the file")
    func unsendable() throws {
        let client = try unattached("a")
        try client.put("Person", ["id": .int(1), "name": .string("a\0b")])
        try client.put("Person", ["id": .int(2), "name": .string("b")])
        try client.attach(address, ["Person"])
        let report = try client.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["Person 1"]])
        #expect(report.refused.first?.isKept == true)
        #expect(try client.keys("Person") == ["1", "2"])
        #expect(try server.query("SELECT count(*) FROM firn.\"Person\"")[0, 0] == "1")
    }

    @Test("Many refusals cost only a few statements each")
    func manyRefusals() throws {
        let client = try unattached("a")
        try client.write { transaction in
            for number in 0..<600 {
                try SyncClient.put("City", city("c\(number)", Int64(number)), in: transaction)
            }
        }
        try server.execute("ALTER TABLE firn.\"City\" ADD CHECK (size % 3 <> 0 OR size > 300)")
        try client.attach(address, ["City"])
        let report = try client.upstream.synchronize()
        #expect(report.refused.count == 101)
        #expect(report.pushed == 499)
        #expect(try client.keys("City").count == 600)
    }

    @Test("A reset by a server that lost objects keeps objects that it now refuses")
    func restoredServer() throws {
        let client = try unattached("a")
        try client.attach(address, ["City"])
        for name in ["A", "B", "C"] { try client.put("City", city(name, 1)) }
        _ = try client.upstream.synchronize()
        try server.execute(
            """
            DELETE FROM firn."City"; UPDATE firn.client SET last_seq = 0;
            DELETE FROM firn.change; DELETE FROM firn.tomb;
            ALTER TABLE firn."City" ADD CHECK (name <> 'B')
            """)
        #expect(throws: UpstreamError.self) { try client.upstream.synchronize() }
        try client.upstream.reset(.recover, client: client.upstream.newIdentity())
        let report = try client.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City B"]])
        #expect(try client.keys("City") == ["A", "B", "C"])
        #expect(try server.query("SELECT count(*) FROM firn.\"City\"")[0, 0] == "2")
    }

    /// The state of the attachment got properties.
    @Test("A file that was attached by an older version continues")
    func older() throws {
        let client = try unattached("a")
        try client.attach(address, ["City"])
        try client.put("City", city("A", 1))
        _ = try client.upstream.synchronize()
        try client.write { transaction in
            let schema = try present(
                transaction.schema.classNamed(InternalTable.upstream.definition.name))
            for name in ["prefersFile", "columns"] {
                let last = try present(schema.propertyNamed(name))
                try transaction.removeProperty(last.id, of: schema.id)
            }
        }
        try client.put("City", city("B", 1))
        #expect(try client.upstream.synchronize().pushed == 1)
        #expect(try sizes() == ["A 1", "B 1"])
    }
}
