import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnReplication

/// Passwords by SCRAM and certificates, on a server with an authority of its own.
@Suite("Secure connections", .serialized, .timeLimit(.minutes(5)))
struct SecureConnectionTests {
    private let folder = TemporaryFolder()
    private let password = "Correct\(SystemEntropy().random64())Horse"

    /// A server, a file that is attached to it as the user anna, and the file with her password.
    private struct Setting {
        let server: PostgresServer
        let client: SyncClient
        /// The address without the password file.
        let address: String
    }

    private func passwordFile(_ password: String, _ name: String = "pgpass") throws -> String {
        let path = folder(name)
        try DatabaseImage.put(Array("*:*:*:anna:\(password)\n".utf8), at: path)
        #expect(chmod(path, 0o600) == 0)
        return path
    }

    private func setting() throws -> Setting {
        let server = try PostgresServer()
        let secure = try server.secure()
        let local = try server.makeDatabase("secure")
        try server.makeUser("anna", password: password)
        let client = try SyncClient(folder("a.firn"))
        try client.prepare(local)
        try PostgresConnection(local).execute(
            "GRANT USAGE ON SCHEMA firn TO anna; "
                + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA firn TO anna")
        return Setting(
            server: server, client: client,
            address: "\(secure.host) user=anna dbname=secure")
    }

    private func expectFailure(
        _ address: String, _ code: UpstreamError.Code, _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: UpstreamError.self, sourceLocation: sourceLocation) {
            try PostgresConnection(address)
        }
        let message = "\(error?.detail ?? "") \(error?.remedy ?? "")"
        #expect(error?.code == code, "\(message)", sourceLocation: sourceLocation)
        #expect(message.contains(text), "\(message)", sourceLocation: sourceLocation)
        #expect(!message.contains(password), sourceLocation: sourceLocation)
    }

    @Test("A file replicates over an encrypted connection with a password from a file")
    func replication() throws {
        let setting = try setting()
        let client = setting.client
        let address = "\(setting.address) passfile=\(try passwordFile(password))"
        try client.attach(address, ["City"])
        try client.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try client.upstream.synchronize()
        #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        let connection = try client.upstream.connected()
        let encryption = try connection.query(
            "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        #expect(encryption[0, 0]?.hasPrefix("TLSv1.") == true)
        let stored = try PostgresConnection(setting.server.makeDatabase("other")).query(
            "SELECT rolpassword FROM pg_authid WHERE rolname = 'anna'")
        #expect(stored[0, 0]?.hasPrefix("SCRAM-SHA-256$") == true)
        // Neither the address in the file nor anything else in it contains the password.
        #expect(try client.upstream.record().address == address)
        try client.database.store.close()
        let bytes = try DatabaseImage.bytes(of: folder("a.firn"))
        #expect(!Self.contains(bytes, password))
    }

    @Test("A wrong or missing password is an error that says where passwords come from")
    func passwords() throws {
        let setting = try setting()
        let wrong = try passwordFile("wrong", "wrong")
        expectFailure(
            "\(setting.address) passfile=\(wrong)", .authentication,
            "password authentication failed")
        expectFailure("\(setting.address) passfile=\(wrong)", .authentication, "~/.pgpass")
        expectFailure(
            "\(setting.address) passfile=\(folder("missing"))", .authentication, "PGPASSFILE")
        // A password in the address would be stored.
        expectFailure("\(setting.address) password=\(password)", .address, "would be stored")
    }

    @Test("The certificate must match the host and the authority, and must be valid")
    func certificates() throws {
        let setting = try setting()
        let address = "\(setting.address) passfile=\(try passwordFile(password))"
        _ = try PostgresConnection(address)
        expectFailure(
            address.replacing("host=localhost", with: "host=db.example.org"), .authentication,
            "does not match host name")
        expectFailure(
            address.replacing("sslrootcert=", with: "sslrootcert=/nowhere"), .authentication,
            "root certificate file")
        expectFailure(
            address.replacing("sslmode=verify-full", with: "sslmode=disable"), .authentication,
            "pg_hba.conf")
        try setting.server.certify("localhost", days: -1)
        expectFailure(address, .authentication, "certificate")
        expectFailure(address, .authentication, "its dates")
        try setting.server.certify("db.example.org", days: 30)
        expectFailure(address, .authentication, "does not match host name")
    }

    @Test("After an expired certificate, the file continues once there is a valid one")
    func expiry() throws {
        let setting = try setting()
        let client = setting.client
        try client.attach("\(setting.address) passfile=\(try passwordFile(password))", ["City"])
        _ = try client.upstream.synchronize()
        client.upstream.disconnect()
        try setting.server.certify("localhost", days: -1)
        try client.put("City", ["name": .string("Oslo"), "size": .int(1)])
        let error = #expect(throws: UpstreamError.self) { try client.upstream.synchronize() }
        #expect(error?.code == .authentication)
        #expect(error?.isTransient == false, "it must be told, not tried again in silence")
        try client.put("City", ["name": .string("Rome"), "size": .int(1)])
        #expect(try client.keys("City") == ["Oslo", "Rome"])
        #expect(try client.upstream.pendingCount() == 2)
        try setting.server.certify("localhost", days: 30)
        #expect(try client.upstream.synchronize().pushed == 2)
        #expect(try client.upstream.verify().allSatisfy(\.isEqual))
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard bytes.count >= pattern.count else { return false }
        return (0...(bytes.count - pattern.count)).contains { start in
            bytes[start] == pattern[0]
                && bytes[start..<(start + pattern.count)].elementsEqual(pattern)
        }
    }
}
