import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Readers see data before it is on disk: a state that a reader acts on must never be lost.
@Suite("Durability of what readers see")
struct DurableReadTests {
    /// The steps of a writer.
    private enum Script: CaseIterable {
        /// Commits without a log.
        case direct
        /// The creation of a log, pages beside it, checkpoints and the end of the log.
        case withLog
        /// The same by the handle that created the database: it wrote both copies of a superblock
        /// before the sync, as for a file without readers, even when the file already had its name.
        case afterCreation

        func perform(_ ledger: Ledger, _ services: SystemServices) throws {
            let store =
                switch self {
                case .direct: try Ledger.open(services, logging: .never)
                case .withLog: try Ledger.open(services, logging: .automatic)
                case .afterCreation: try Ledger.makeAndKeep(services)
                }
            for attempt in 100..<103 { try ledger.commit(attempt, to: store) }
            try ledger.commit(103, .pages, to: store)
            try store.checkpoint()
            try ledger.commit(104, to: store)
            try store.checkpoint()
            try ledger.commit(105, .pages, to: store)
            try store.close()
        }
    }

    /// The events after a moment.
    private enum End: CaseIterable {
        case killed
        case halfWritten
        case stillRunning
    }

    /// Lets a reader look before an operation of the writer, and then cuts the power.
    ///
    /// - Returns: whether there are that many operations.
    private func look(at number: Int, _ script: Script, _ end: End) throws -> Bool {
        let disk = SimulatedFileSystem()
        if script != .afterCreation { try Ledger.make(disk.services(entropySeed: 70)) }
        let ledger = Ledger()
        let writer = disk.anotherProcess()
        let reader = disk.anotherProcess()
        let state = Guarded<(count: Int, isLooking: Bool, found: Result<Void, any Error>?)>(
            (0, false, nil))
        disk.beforeEachOperation { operation in
            guard operation.kind.changesDisk else { return }
            let isMoment = state.withLock { state in
                guard !state.isLooking else { return false }
                state.count += 1
                state.isLooking = state.count == number
                return state.isLooking
            }
            guard isMoment else { return }
            switch end {
            case .killed: writer.kill()
            case .halfWritten: writer.kill(applying: .half)
            case .stillRunning: break
            }
            // Half of a write becomes visible with the next call.
            guard end != .halfWritten else { return }
            let found = Result { try Self.lookAndLosePower(ledger, reader, disk) }
            state.withLock { $0.found = found }
        }
        _ = try? script.perform(ledger, writer.services(entropySeed: 2))
        disk.beforeEachOperation(nil)
        let (count, _, found) = state.withLock { $0 }
        guard count >= number else { return false }
        if end == .halfWritten {
            try Self.lookAndLosePower(ledger, reader, disk)
        } else {
            try found?.get()
        }
        RunCounters.crashPoints.add(1)
        RunCounters.crashImages.add(2)
        return true
    }

    private static func lookAndLosePower(
        _ ledger: Ledger, _ reader: SimulatedFileSystem, _ disk: SimulatedFileSystem
    ) throws {
        // The file was not created yet, or its name is not on disk: all of it may be lost.
        guard disk.powerLossImage(.nothingSurvives).fileNames.contains(Ledger.path) else { return }
        let store = try Ledger.open(reader.services(entropySeed: 3), readOnly: true)
        let seen = try ledger.look(store)
        for loss in [PowerLoss.nothingSurvives, .random(seed: seen.rawValue)] {
            try Ledger(ledger).checkEnd(disk.powerLossImage(loss), isAtRest: false)
        }
    }

    @Test(
        "Everything that a reader sees is on disk, at every moment of a writer",
        arguments: Script.allCases, End.allCases
    )
    private func everyMoment(script: Script, end: End) throws {
        var number = 1
        while true {
            do {
                guard try look(at: number, script, end) else { break }
            } catch {
                Issue.record("\(script), \(end), operation \(number): \(error)")
            }
            number += 1
        }
        #expect(number > 20, "there were operations")
    }

    /// The proof that a root is on disk is its second copy, which may be lost or damaged.
    @Test("A root with only one copy is read on any kind of medium")
    func missingCopy() throws {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let store = try Ledger.open(disk.services(), logging: .never)
        try ledger.commit(100, to: store)
        let lost = disk.powerLossImage(.nothingSurvives)
        let bytes = try #require(lost.contents(of: Ledger.path))
        let file = try lost.open(Ledger.path, .readOnly)
        let reading = try SuperblockReading.read(from: file)
        #expect(!reading.isNewestProvenDurable)
        #expect(reading.damagedCopies.count <= 1)
        lost.setReadOnly(true)
        try ledger.look(Ledger.open(lost.services(entropySeed: 2), readOnly: true))
        #expect(lost.contents(of: Ledger.path) == bytes)
    }

    /// A thread found no log open in its handle and was suspended. Another thread started a log and
    /// appended to it. The first one then read the log as one that no process has open, made it
    /// durable and returned its newest version; the session of the handle did not have that
    /// version, and the next snapshot was an older one.
    @Test("A snapshot is never older than the previous one, even if a log is started in between")
    func beginningLog() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let store = try Ledger.open(disk.services(), logging: .automatic)
        try ledger.commit(100, to: store)
        let isFirst = Guarded(true)
        let failure = Guarded<(any Error)?>(nil)
        let versions = try disk.beforeEachOperation { operation in
            guard operation.kind == .read,
                isFirst.withLock({ value in
                    defer { value = false }
                    return value
                })
            else { return }
            do {
                try ledger.commit(101, to: store)
                try Self.appendWithoutSync(to: store)
            } catch {
                failure.withLock { $0 = error }
            }
        } of: {
            [try store.snapshot().version, try store.snapshot().version]
        }
        if let error = failure.withLock({ $0 }) { throw error }
        #expect(!isFirst.withLock { $0 })
        #expect(versions == versions.sorted())
    }

    /// Appends a commit to the log, as by a writer that waits for its sync.
    private static func appendWithoutSync(to store: Store) throws {
        let attachment = try #require(store.state.withLock { $0.attachment })
        let schema = try store.itemClass()
        let score = try #require(schema.propertyNamed("score")?.id)
        let transaction = try store.beginWrite()
        try transaction.set(score, of: RowID(0), in: schema.id, to: .double(7))
        let lsn = try #require(transaction.base.version.next)
        let tail = try attachment.write(
            attachment.frame(of: transaction, as: lsn, time: 0), of: transaction,
            mayUseReserve: false)
        attachment.move(to: tail)
        let snapshot = transaction.base.with(transaction.overlay, version: lsn, chain: tail.chain)
        attachment.versionChain.withLock {
            $0.append(LogHead(snapshot: snapshot, address: tail.address))
        }
        transaction.end()
    }
}
