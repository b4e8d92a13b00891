import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// If little was written since the last sync, a power loss may leave any part of it, and every part
/// is tried.
@Suite("Every subset of the data without a sync")
struct ExhaustiveCrashTests {
    /// With more unsynced pieces than this an even selection of the subsets is tried.
    private static let doubtfulMax = 7 + min(4, TestScale.factor)

    /// The smallest pieces of work.
    private enum Work: CaseIterable {
        case create, commit, makeLog, append, appendPages, checkpoint, close, compact

        /// The work before, which is on disk completely.
        func prepare(_ ledger: Ledger, _ disk: SimulatedFileSystem) throws {
            guard self != .create else { return }
            let services = disk.services(entropySeed: 2)
            try Ledger.make(services)
            guard self != .commit, self != .makeLog else { return }
            let store = try Ledger.open(services, logging: self == .compact ? .never : .always)
            for attempt in 100..<104 { try ledger.commit(attempt, to: store) }
        }

        func perform(_ ledger: Ledger, _ disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 3)
            if self == .create { return try Ledger.make(services) }
            let isPlain = self == .commit || self == .compact
            let store = try Ledger.open(services, logging: isPlain ? .never : .always)
            switch self {
            case .create: break
            case .commit, .makeLog, .append: try ledger.commit(200, to: store)
            case .appendPages: try ledger.commit(200, .pages, to: store)
            case .checkpoint:
                try ledger.commit(200, to: store)
                try store.checkpoint()
            case .close:
                try ledger.commit(200, to: store)
                try store.close()
            case .compact: _ = try store.compactFile(CompactionFixture.options())
            }
        }
    }

    @Test("Every subset of lost writes preserves what was acknowledged", arguments: Work.allCases)
    private func everyPart(work: Work) throws {
        let start = SimulatedFileSystem()
        let before = Ledger()
        try work.prepare(before, start)
        let settled = start.powerLossImage(.everythingSurvives)
        let whole = settled.processDeathImage()
        try work.perform(Ledger(before), whole)
        var imageCount = 0
        var exhausted = 0
        for operation in 0...whole.operationCount {
            let disk = settled.processDeathImage()
            disk.crash(at: operation)
            let ledger = Ledger(before)
            _ = try? work.perform(ledger, disk)
            let parts = Self.parts(of: disk.doubtfulCount)
            if parts.isExhaustive { exhausted += 1 }
            for bits in parts.choices {
                do {
                    try check(disk.powerLossImage(.chosen(bits: bits)), work, Ledger(ledger))
                } catch {
                    Issue.record("\(work), operation \(operation), bits \(bits): \(error)")
                    return
                }
                imageCount += 1
            }
        }
        RunCounters.crashPoints.add(whole.operationCount + 1)
        RunCounters.crashImages.add(imageCount)
        print("\(work): \(imageCount) parts at \(whole.operationCount + 1) moments")
        #expect(exhausted > whole.operationCount / 3, "hardly any moment was explored fully")
    }

    private func check(_ disk: SimulatedFileSystem, _ work: Work, _ ledger: Ledger) throws {
        if work == .create {
            // Before its name is on disk there is no file, or one under another name.
            guard try disk.status(of: Ledger.path) != nil else { return }
            guard
                try Store.open(
                    Ledger.path, readOnly: true, services: disk.services(entropySeed: 4)
                ).snapshot().version == LSN(2)
            else { return }
        }
        let reader = try Ledger.open(disk.services(entropySeed: 4), readOnly: true)
        let promised = ledger.newestPromised
        guard try ledger.look(reader) >= promised else { throw TestFailure("something is lost") }
        let writer = try Ledger.open(disk.services(entropySeed: 5))
        try ledger.commit(300, to: writer)
        try writer.close()
        try ledger.look(reader)
        try expectSound(reader, allowingTornCopy: true)
    }

    /// All subsets of the given number of pieces, or an even selection.
    private static func parts(
        of count: Int
    ) -> (choices: StrideTo<UInt64>, isExhaustive: Bool) {
        let all = UInt64(1) << UInt64(min(count, 40))
        let limit = UInt64(1) << UInt64(doubtfulMax)
        guard all > limit else { return (stride(from: 0, to: all, by: 1), true) }
        // An odd step, so that all bits change.
        return (stride(from: 0, to: all, by: Int(all / limit * 4 + 1)), false)
    }
}
