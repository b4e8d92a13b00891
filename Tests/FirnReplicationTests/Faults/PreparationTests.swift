import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// A server that is prepared while programs replicate with it.
@Suite("Preparing a server that is in use", .serialized, .timeLimit(.minutes(5)))
struct PreparationTests {
    private let folder = TemporaryFolder()
    private let address: String

    init() throws { address = try PostgresServer.shared.get().makeDatabase("prepared") }

    /// A program that opened its file while another one replicated got "deadlock detected".
    @Test("The script is run again when the server ends it in favour of another transaction")
    func deadlock() async throws {
        let client = try SyncClient(folder("a.firn"))
        try client.prepare(address)
        let address = address
        var survivedCount = 0
        for _ in 0..<10 where survivedCount == 0 {
            let other = try PostgresConnection(address)
            try other.execute("BEGIN")
            try other.execute(#"LOCK TABLE firn."City" IN ACCESS EXCLUSIVE MODE"#)
            let database = client.database
            let preparation = Task.detached {
                try Upstream.prepareServer(for: database, at: address)
            }
            let watcher = try PostgresConnection(address)
            while try watcher.query("SELECT 1 FROM pg_locks WHERE NOT granted").count == 0 {}
            do {
                // The script holds this lock, and waits for the table.
                try other.execute("SELECT pg_advisory_xact_lock(7308895166)")
                try other.execute("COMMIT")
                survivedCount += 1
            } catch {
                // The server chose this transaction instead.
                #expect(error.state == "40P01", "\(error)")
                try other.execute("ROLLBACK")
            }
            try await preparation.value
        }
        #expect(survivedCount == 1)
    }
}
