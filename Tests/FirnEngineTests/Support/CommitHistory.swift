import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The commits of one history, each by another process, in the order of their numbers from 0.
protocol CommitStep: CaseIterable, RawRepresentable<Int>, Sendable where AllCases == [Self] {
    /// The path of the database, which the first step creates.
    static var path: String { get }

    func perform(on disk: SimulatedFileSystem) throws
}

/// Runs a history on a machine that crashes, and on a disk that fails.
struct CommitHistory<Step: CommitStep> {
    /// The objects of a database, and what describes them.
    struct Contents: Equatable {
        var modelVersion: UInt64?
        var schema: Schema
        /// The objects by class name and row id.
        var rows: [String: [RowID: [Value]]] = [:]
    }

    /// The content before the first step and after each one; `nil` before the file exists.
    let contents: [Contents?]
    private let disks: [SimulatedFileSystem]

    /// Performs all steps without any failure.
    init(of _: Step.Type = Step.self) throws {
        let disk = SimulatedFileSystem()
        var contents = [try Self.contents(of: disk)]
        var disks = [disk.powerLossImage(.everythingSurvives)]
        for step in Step.allCases {
            try step.perform(on: disk)
            contents.append(try Self.contents(of: disk))
            disks.append(disk.powerLossImage(.everythingSurvives))
        }
        (self.contents, self.disks) = (contents, disks)
    }

    /// Checks that a database is sound, and returns its content.
    private static func contents(of disk: SimulatedFileSystem) throws -> Contents? {
        guard try disk.status(of: Step.path) != nil else { return nil }
        let store = try Store.open(
            Step.path, readOnly: true, services: disk.services(entropySeed: 2))
        try expectSound(store, allowingTornCopy: true)
        let snapshot = try store.snapshot()
        var contents = Contents(modelVersion: snapshot.modelVersion, schema: snapshot.schema)
        for type in snapshot.schema.classes {
            guard let table = snapshot.table(type.id) else { continue }
            contents.rows[type.name] = [:]
            for row in try table.liveRowIDs() {
                contents.rows[type.name]?[row] = try table.values(of: row)
            }
        }
        return contents
    }

    /// Crashes at every operation: the last acknowledged state or the attempted one is left.
    func exploreCrashes(_ name: String) throws {
        let contents = contents
        try CrashExplorer(name, randomImages: 2, pointsMax: TestScale.scaled(80)).explore(
            of: Step.self, setup: { _ in },
            workload: { disk, journal in
                for step in Step.allCases {
                    try journal.perform(step) { try step.perform(on: disk) }
                }
            },
            recover: { disk in _ = try Self.contents(of: disk) },
            verify: { disk, journal in
                let found = try Self.contents(of: disk)
                let allowed = [
                    contents[journal.acknowledged.count], contents[journal.begun.count],
                ]
                guard allowed.contains(found) else {
                    throw TestFailure("neither the acknowledged nor the attempted state")
                }
            })
    }

    /// Lets each write and sync of a step fail: the step has no effect, and works afterwards.
    func failEveryOperation(of number: Int) throws {
        let step = try #require(Step(rawValue: number))
        for ordinal in 0..<400 {
            let disk = disks[number].powerLossImage(.everythingSurvives)
            disk.plan(
                Fault(.fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.write, .sync]))
            let isDone = (try? step.perform(on: disk)) != nil
            disk.forgetPlans()
            let found = try Self.contents(of: disk)
            #expect(found == contents[number] || found == contents[number + 1])
            guard !isDone else {
                #expect(found == contents[number + 1])
                return
            }
            if found == contents[number] { try step.perform(on: disk) }
            #expect(try Self.contents(of: disk) == contents[number + 1])
        }
        Issue.record("\(step) never succeeded")
    }
}
