import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Compactions interrupted by a crash or a failing disk")
struct CompactionFaultTests {
    private typealias Contents = [String: [RowID: [Value]]]
    private static let path = CompactionFixture.path
    private static let options = CompactionFixture.options(stepByteCount: 8 * 1024)

    /// A small file with many holes.
    private static func make(on disk: SimulatedFileSystem) throws {
        var fixture = try CompactionFixture(rowCount: 400, rowsPerGroup: 16, on: disk)
        try fixture.delete(percent: 80, commits: 2)
    }

    private static func open(_ disk: SimulatedFileSystem) throws -> Store {
        try Store.open(
            path, readOnly: false, services: disk.services(entropySeed: 3),
            options: CompactionFixture.storeOptions())
    }

    private static func contents(of disk: SimulatedFileSystem) throws -> Contents {
        let store = try open(disk)
        try expectSound(store, allowingTornCopy: true)
        return try CompactionFixture.contents(of: store.snapshot())
    }

    private enum Step: Sendable { case compact }

    @Test(
        "A crash during a compaction leaves the content, and another compaction finishes the work"
    )
    func everyPoint() throws {
        let disk = SimulatedFileSystem()
        try CompactionFaultTests.make(on: disk)
        let contents = try CompactionFaultTests.contents(of: disk)
        try CrashExplorer(
            "compaction", randomImages: 2, pointsMax: TestScale.scaled(60)
        ).explore(
            of: Step.self, setup: { try CompactionFaultTests.make(on: $0) },
            workload: { disk, journal in
                try journal.perform(.compact) {
                    try CompactionFaultTests.open(disk).compactFile(CompactionFaultTests.options)
                }
            },
            recover: { _ = try CompactionFaultTests.contents(of: $0) },
            verify: { disk, _ in
                guard try CompactionFaultTests.contents(of: disk) == contents else {
                    throw TestFailure("the contents are not what they were")
                }
                let store = try CompactionFaultTests.open(disk)
                try store.compactFile(CompactionFaultTests.options)
                guard try CompactionFaultTests.contents(of: disk) == contents else {
                    throw TestFailure("another compaction changed the contents")
                }
                let size = try store.fileStatus().size
                let copied = try store.copy(store.snapshot(), to: "/copied.firn") ?? 0
                guard Double(size) <= 1.25 * Double(copied) else {
                    throw TestFailure("\(size) bytes are left, a copy has \(copied)")
                }
            })
    }

    @Test(
        "A compaction loses nothing, whichever operation of the disk fails",
        arguments: [SystemErrno.inputOutput, SystemErrno.diskFull])
    func everyFault(errno: Int32) throws {
        let start = SimulatedFileSystem()
        try CompactionFaultTests.make(on: start)
        let contents = try CompactionFaultTests.contents(of: start)
        var ordinal = 0
        var advised = 0
        while ordinal < 2000 {
            let disk = start.powerLossImage(.everythingSurvives)
            let store = try CompactionFaultTests.open(disk)
            let kinds: Set<SimulatedOperation.Kind> = [.write, .sync, .truncate]
            disk.plan(Fault(.fails(errno: errno), at: ordinal, of: kinds))
            let seen = Guarded<[SimulatedOperation]>([])
            disk.beforeEachOperation { operation in
                if kinds.contains(operation.kind) { seen.withLock { $0.append(operation) } }
            }
            do {
                try store.compactFile(CompactionFaultTests.options)
                disk.forgetPlans()
                let operations = seen.withLock { $0 }
                guard ordinal < operations.count else {
                    #expect(ordinal > 20, "a compaction has more operations than that")
                    #expect((advised > 10) == (errno == SystemErrno.diskFull))
                    return
                }
                // Only the second copy of a root that is already on disk may be skipped without an
                // error.
                let failed = operations[ordinal]
                #expect(
                    failed.kind == .write && [8192, 12288].contains(failed.offset), "\(failed)")
            } catch {
                #expect([.inputOutput, .diskFull].contains(error.code), "\(ordinal): \(error)")
                if error.remedy?.contains("1 MiB of free space at a time") == true { advised += 1 }
            }
            disk.forgetPlans()
            #expect(try CompactionFaultTests.contents(of: disk) == contents, "\(ordinal)")
            try CompactionFaultTests.open(disk).compactFile(CompactionFaultTests.options)
            #expect(try CompactionFaultTests.contents(of: disk) == contents, "\(ordinal)")
            ordinal += ordinal < 40 ? 1 : 7
        }
        Issue.record("the compaction never succeeded")
    }
}
