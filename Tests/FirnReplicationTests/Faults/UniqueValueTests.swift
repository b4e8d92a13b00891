import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Values that are unique in a file and come from a server that does not know it.
@Suite("Unique values of a replicated file", .serialized, .timeLimit(.minutes(5)))
struct UniqueValueTests {
    private let folder = TemporaryFolder()
    private let server: PostgresConnection
    private let client: SyncClient

    /// Three cities with the sizes 1 to 3, which are unique in the file.
    init() throws {
        let address = try PostgresServer.shared.get().makeDatabase("unique")
        server = try PostgresConnection(address)
        client = try SyncClient(folder("a.firn"))
        try client.prepare(address)
        try client.attach(address, ["City"])
        for (number, name) in ["A", "B", "C"].enumerated() {
            try client.put("City", ["name": .string(name), "size": .int(Int64(number + 1))])
        }
        _ = try client.upstream.synchronize()
        try client.write { transaction in
            let city = try present(transaction.schema.classNamed("City"))
            try transaction.addIndex(.init(["size"], options: .unique), to: city.id)
        }
    }

    private func sizes() throws -> [Value?] {
        try ["A", "B", "C"].map { try client.value("City", .string($0), "size") }
    }

    @Test("Rows that exchange their values on the server also do so in the file")
    func exchange() throws {
        try server.execute(#"UPDATE firn."City" SET size = size % 3 + 1"#)
        _ = try client.upstream.synchronize()
        #expect(try sizes() == [.int(2), .int(3), .int(1)])
        #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        var verifier = Verifier(client.database.store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty)
    }

    @Test("Two rows with the same value are both refused until one changes on the server")
    func contradiction() throws {
        try server.execute(#"UPDATE firn."City" SET size = 3 WHERE name = 'A'"#)
        let error = #expect(throws: UpstreamError.self) {
            _ = try client.upstream.synchronize()
        }
        let text = String(describing: error)
        #expect(text.contains("City.size is unique, but size 3 is that of the objects with"))
        #expect(text.contains("@id 0 and 2"))
        #expect(try sizes() == [.int(1), .int(2), .int(3)])
        try server.execute(#"UPDATE firn."City" SET size = 4 WHERE name = 'C'"#)
        _ = try client.upstream.synchronize()
        #expect(try sizes() == [.int(3), .int(2), .int(4)])
    }
}
