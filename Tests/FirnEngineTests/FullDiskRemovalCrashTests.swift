import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Crashes while objects are removed on a full disk")
struct FullDiskRemovalCrashTests {
    /// The rows of each step, as remainders of their numbers.
    private struct Step: Sendable {
        let remainder: UInt64
        /// Whether a handle with a log stays open across commits.
        var isOfSession = false
    }

    private static let steps = [
        Step(remainder: 0), Step(remainder: 1), Step(remainder: 2),
        Step(remainder: 3, isOfSession: true), Step(remainder: 4, isOfSession: true),
        Step(remainder: 5, isOfSession: true), Step(remainder: 6),
    ]

    private static func rows(of step: Step, _ database: FullDatabase) throws -> [UInt64] {
        try database.rowIDs().filter { $0 % 8 == step.remainder }
    }

    private static func perform(
        _ journal: CrashJournal<Step>, on disk: SimulatedFileSystem
    ) throws {
        let database = FullDatabase(on: disk)
        let session = try database.handle(.always)
        for step in steps {
            let rows = try rows(of: step, database)
            if step.remainder == 6 { try session.close() }
            try journal.perform(step) {
                try database.remove(rows, from: step.isOfSession ? session : database.handle())
            }
        }
    }

    /// Checks that exactly the acknowledged steps, and perhaps the next one, took effect.
    private static func verify(
        _ disk: SimulatedFileSystem, _ journal: CrashJournal<Step>, _ all: [UInt64]
    ) throws {
        let database = FullDatabase(on: disk)
        let found = try database.rowIDs()
        let allowed = [journal.acknowledged, journal.begun].map { steps in
            let gone = Set(steps.map(\.remainder))
            return all.filter { !gone.contains($0 % 8) }
        }
        guard allowed.contains(found) else {
            throw TestFailure("\(found.count) of \(all.count) objects are left")
        }
        let store = try database.handle()
        try expectSound(store, allowingTornCopy: true)
        // A power loss may release blocks that another process reserved, including a part of the
        // reserve.
        disk.setCapacity(nil)
        try database.remove(found.prefix(3), from: store)
        try store.close()
        guard try database.rowIDs() == Array(found.dropFirst(3)) else {
            throw TestFailure("a further removal does not work")
        }
    }

    @Test("A crash leaves the state before or after a removal")
    func everyPoint() throws {
        let database = try FullDatabase(byteCount: 120_000)
        let all = try database.rowIDs()
        #expect(all.count > 300)
        try CrashExplorer("removals on a full disk", randomImages: 1).explore(
            of: Step.self,
            setup: { _ = try FullDatabase(on: $0, byteCount: 120_000) },
            workload: { try Self.perform($1, on: $0) },
            recover: { _ = try FullDatabase(on: $0).rowIDs() },
            verify: { try Self.verify($0, $1, all) })
    }
}
