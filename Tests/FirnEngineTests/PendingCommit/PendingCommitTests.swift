import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Information about a commit that is not on disk yet, and its outcome.
@Suite("Pending commits")
struct PendingCommitTests {
    /// A process that writes, and can be killed.
    private struct Writer {
        let process: SimulatedFileSystem
        let store: Store
    }

    private let disk: SimulatedFileSystem
    private let ledger = Ledger()
    private let reader: Store
    private let writers: [Writer]
    /// The version that all processes know.
    private let known: LSN

    init() throws {
        disk = try Ledger.disk()
        writers = try [disk.anotherProcess(), disk.anotherProcess()].enumerated().map {
            Writer(
                process: $1,
                store: try Ledger.open($1.services(entropySeed: UInt64($0) + 20)))
        }
        reader = try Ledger.open(
            disk.anotherProcess().services(entropySeed: 30), readOnly: true)
        // From here on both have the log open.
        for (number, writer) in writers.enumerated() {
            try ledger.commit(100 + number, to: writer.store)
        }
        known = try ledger.look(reader)
    }

    private func nextVersion() throws -> PendingCommit? {
        let attachment = try #require(reader.state.withLock { $0.attachment })
        return attachment.pendingCommit(after: known)
    }

    /// Kills a writer between its append and its sync.
    private func append(_ attempt: Int, dying writer: Writer) {
        writer.process.dieBeforeSyncOfLog {
            _ = try? ledger.tryCommit(attempt, .operations, to: writer.store)
        }
        #expect(!writer.process.isAlive)
    }

    /// Makes the next sync of the log fail in a commit.
    private func fail(_ attempt: Int, _ writer: Writer) {
        for suffix in ["-log0", "-log1"] {
            disk.plan(
                Fault(
                    .fails(errno: SystemErrno.inputOutput), at: 0, of: [.sync], pathSuffix: suffix))
        }
        #expect(throws: StoreError.self) {
            try ledger.tryCommit(attempt, .operations, to: writer.store)
        }
        disk.forgetPlans()
    }

    @Test("A pending version becomes durable before any reader sees it")
    func becomesDurable() throws {
        let old = try reader.snapshot()
        let found = Guarded<Result<PendingCommit?, any Error>?>(nil)
        try disk.beforeEachOperation(
            { [self] operation in
                guard operation.kind == .sync, operation.path.contains("-log") else { return }
                let result = Result { () throws -> PendingCommit? in
                    let expected = try nextVersion()
                    #expect(expected?.durability == .syncing)
                    #expect(try reader.snapshot().version == known)
                    if let expected { reader.prepareChanges(to: expected) }
                    return expected
                }
                found.withLock { $0 = result }
            }, of: { try ledger.commit(102, to: writers[0].store) })
        let expected = try #require(try found.withLock { $0 }?.get())
        #expect(expected.durability == .durable)
        #expect(expected.snapshot.version == known.next)
        try ledger.check(expected.snapshot)
        #expect(try ledger.look(reader) == known.next)
        // The information gathered before equals the content of the log.
        let attachment = try #require(reader.state.withLock { $0.attachment })
        #expect(attachment.preparation.withLock { $0.changes }?.to == known.next)
        let new = try reader.snapshot()
        let changes = try reader.changes(from: old, to: new)
        let unprepared = try writers[1].store.changes(from: old, to: new)
        #expect(!changes.isEmpty && changes.classes == unprepared.classes)
        #expect(changes.commit == unprepared.commit)
        #expect(expected.isOnNewestRoot)
        try writers[1].store.checkpoint()
        #expect(!expected.isOnNewestRoot && expected.durability == .durable)
        #expect(try nextVersion() == nil)
    }

    @Test("Only the next version is pending, and the next sync includes it if its writer died")
    func writerDied() throws {
        #expect(try nextVersion() == nil)
        append(102, dying: writers[0])
        append(103, dying: writers[1])
        let expected = try #require(try nextVersion())
        #expect(expected.snapshot.version == known.next)
        #expect(expected.durability == .syncing)
        #expect(try ledger.look(reader) == known)
        // No process has the log open any more: the next writer takes it over, with all its frames.
        let next = try Ledger.open(disk.anotherProcess().services(entropySeed: 40))
        try ledger.commit(104, to: next)
        #expect(expected.durability != .syncing)
        #expect(try ledger.look(reader).rawValue == known.rawValue + 3)
        try ledger.check(expected.snapshot)
        try next.close()
    }

    /// Otherwise, information about a lost commit would be used for the commit that gets its
    /// number.
    @Test("A pending version is lost with a failed sync, together with its changes")
    func lost() throws {
        let old = try reader.snapshot()
        append(102, dying: writers[0])
        let expected = try #require(try nextVersion())
        reader.prepareChanges(to: expected)
        #expect(expected.durability == .syncing)
        fail(103, writers[1])
        #expect(expected.durability == .lost)
        #expect(try nextVersion() == nil)
        #expect(try ledger.look(reader) == known)
        let next = try Ledger.open(disk.anotherProcess().services(entropySeed: 40))
        try ledger.commit(104, to: next) { transaction in
            let item = try #require(transaction.schema.classNamed("Item"))
            try transaction.set(
                item.properties[1].id, of: RowID(2), in: item.id, to: .string("another"))
        }
        #expect(expected.durability == .lost)
        #expect(try ledger.look(reader) == known.next)
        let new = try reader.snapshot()
        let changes = try reader.changes(from: old, to: new)
        #expect(changes.classes.values.first?.modified.map(\.row) == [0, 1, 2].map { RowID($0) })
        #expect(changes.classes == (try next.changes(from: old, to: new)).classes)
        try next.close()
    }

    @Test("A waiter is notified of a pending version once, and continues waiting")
    func waiting() throws {
        let steps = Guarded(0)
        disk.beforeEachOperation { [self] operation in
            guard operation.kind == .wait, operation.path.hasSuffix("-shm") else { return }
            switch steps.withLock({ step in
                defer { step += 1 }
                return step
            }) {
            case 0:
                append(102, dying: writers[0])
            case 3: try? ledger.commit(103, to: writers[1].store)
            default: break
            }
        }
        var told: [LSN] = []
        let newest = try reader.waitForVersion(
            after: known, nanoseconds: .max,
            onStep: { step in
                guard case .appended(let expected) = step else { return }
                #expect(expected.durability == .syncing)
                told.append(expected.snapshot.version)
            })
        disk.beforeEachOperation(nil)
        #expect(told == [try #require(known.next)])
        #expect(newest == known.next)
        #expect(try ledger.look(reader).rawValue == known.rawValue + 2)
        #expect(steps.withLock { $0 } >= 4)
    }
}
