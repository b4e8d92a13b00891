import FirnPlatform
import FirnQuery
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
    @Test("The script is run again when the server aborts it in favour of another transaction")
    func deadlock() throws {
        let client = try SyncClient(folder("a.firn"))
        try client.prepare(address)
        var survivedCount = 0
        for _ in 0..<10 where survivedCount == 0 {
            let other = try PostgresConnection(address)
            try other.execute("BEGIN")
            try other.execute(#"LOCK TABLE firn."City" IN ACCESS EXCLUSIVE MODE"#)
            let failure = Guarded<UpstreamError?>(nil)
            let script = try preparation(of: client.database, failure)
            try waitForLock()
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
            script.join()
            if let error = failure.withLock({ $0 }) { throw error }
        }
        #expect(survivedCount == 1)
    }

    /// Runs the script on a thread of its own: tests that block may occupy those of tasks, until the
    /// server ends the transaction that waits for the script.
    private func preparation(
        of database: Database, _ failure: Guarded<UpstreamError?>
    ) throws -> WorkerThread {
        try WorkerThread { [address] in
            do throws(UpstreamError) {
                try Upstream.prepareServer(for: database, at: address)
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Waits until a transaction of this database waits for a lock; other tests use the same server.
    private func waitForLock() throws {
        let watcher = try PostgresConnection(address)
        let waiting = """
            SELECT 1 FROM pg_locks WHERE NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        while try watcher.query(waiting).count == 0 {}
    }
}
