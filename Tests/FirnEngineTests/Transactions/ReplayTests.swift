import FirnEngine
import FirnTesting
import Testing

@Suite("Replays of transactions")
struct ReplayTests {
    /// Checkpoints move the root between the transactions and during them; some transactions grow
    /// so large that they write pages.
    @Test(
        "A replay has the same content as the transaction", arguments: TestScale.seeds(4))
    func againstModel(seed: UInt64) throws {
        let history = try ObjectHistory(
            seed: seed &+ 7000, population: 25, keepsOverlays: true,
            recordedByteCount: seed % 3 == 0 ? 3000 : 1 << 20)
        do {
            try history.run(operations: 700, perTransaction: seed % 4 == 1 ? 60 : 12)
        } catch {
            Issue.record(
                """
                seed \(seed), operation \(history.operationCount): \(error)
                \(history.log.joined(separator: "\n"))
                """)
        }
        let counts = try #require(history.overlays?.counts)
        #expect(counts.operations > 0 && counts.pages > 0)
    }
}
