import FirnEngine
import FirnTesting
import Testing

@Suite("Random histories of objects")
struct ObjectModelTests {
    /// Row groups of eight rows make deep trees, sparse groups and merges with few operations.
    @Test(
        "Random histories of objects have the same content as dictionaries",
        arguments: TestScale.seeds(40)
    )
    func againstModel(seed: UInt64) throws {
        let history = try ObjectHistory(seed: seed, population: seed % 16 == 0 ? 300 : 25)
        do {
            try history.run(operations: 2500, perTransaction: seed % 8 == 1 ? 60 : 1500)
            RunCounters.operations.add(history.operationCount)
        } catch {
            Issue.record(
                """
                seed \(seed), operation \(history.operationCount): \(error)
                \(history.log.joined(separator: "\n"))
                """)
        }
    }
}
