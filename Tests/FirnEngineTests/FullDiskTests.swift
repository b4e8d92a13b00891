import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Disks of every size between too small for anything and large enough for everything.
@Suite("Disks that become full")
struct FullDiskTests {
    private enum Step: CaseIterable {
        case commit, otherCommit, commitPages, checkpoint, freeze, dropFreeze, compact, copy, close
    }

    private static let script: [Step] = [
        .commit, .commit, .otherCommit, .commitPages, .checkpoint, .freeze, .commit, .compact,
        .commitPages, .otherCommit, .checkpoint, .copy, .dropFreeze, .compact, .commit, .close,
    ]

    /// The handles of a run.
    private final class Crew {
        let disk: SimulatedFileSystem
        let ledger = Ledger()
        private var store: Store?
        private var other: Store?
        private var nextAttempt = 1000
        private(set) var failureCount = 0

        init(_ disk: SimulatedFileSystem) { self.disk = disk }

        /// - Returns: whether there was enough space.
        func perform(_ step: Step) throws -> Bool {
            let names = disk.fileNames
            do {
                try work(step)
                return true
            } catch let error as StoreError where error.code == .diskFull {
                failureCount += 1
                if step == .copy, disk.fileNames != names {
                    throw TestFailure("a copy leaves \(disk.fileNames)")
                }
                return false
            }
        }

        private func work(_ step: Step) throws {
            let store =
                try self.store ?? Ledger.open(disk.services(entropySeed: 2), logging: .automatic)
            self.store = store
            switch step {
            case .commit: try commit(.operations, to: store)
            case .otherCommit:
                let other = try self.other ?? Ledger.open(disk.services(entropySeed: 3))
                self.other = other
                try commit(.operations, to: other)
            case .commitPages: try commit(.pages, to: store)
            case .checkpoint: try store.checkpoint()
            case .freeze: try freeze(store) { try $0.freeze(name: "kept") }
            case .dropFreeze:
                guard try !store.versions().freezes.isEmpty else { return }
                try freeze(store) { try $0.dropFreeze("kept") }
            case .compact: try store.compactFile(CompactionFixture.options())
            case .copy:
                _ = try store.copy(store.snapshot(), to: "/copy.firn")
                try disk.remove("/copy.firn")
            case .close:
                // A handle is closed even if folding fails.
                let closing = other
                (self.store, other) = (nil, nil)
                defer { _ = try? store.close() }
                try closing?.close()
                try store.close()
            }
        }

        private func commit(_ kind: Ledger.Kind, to store: Store) throws {
            nextAttempt += 1
            try ledger.tryCommit(nextAttempt, kind, to: store)
        }

        private func freeze(_ store: Store, _ body: (WriteTransaction) throws -> Void) throws {
            nextAttempt += 1
            try ledger.tryCommit(nextAttempt, .operations, to: store, also: body)
        }

        /// Checks the invariants that hold after each step, failed or not.
        func look() throws {
            try ledger.look(Ledger.open(disk.services(entropySeed: 5), readOnly: true))
            if let store { try ledger.look(store) }
        }
    }

    /// - Returns: the number of failed steps.
    private func run(capacity: Int?) throws -> Int {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        disk.setCapacity(capacity)
        let crew = Crew(disk)
        for step in Self.script {
            if try !crew.perform(step) {
                try crew.look()
                // With space again, the same handles continue.
                if crew.failureCount % 2 == 1 {
                    disk.setCapacity(nil)
                    guard try crew.perform(step) else {
                        throw TestFailure("\(step) does not work when there is space again")
                    }
                    try crew.look()
                    disk.setCapacity(capacity)
                }
            }
            try crew.look()
        }
        disk.setCapacity(nil)
        _ = try crew.perform(.commit)
        _ = try crew.perform(.close)
        try crew.ledger.checkEnd(disk, isAtRest: true)
        RunCounters.fullDisks.add(1)
        return crew.failureCount
    }

    @Test(
        "A full disk keeps committed data, serves readers, and accepts commits when space returns"
    )
    func everySize() throws {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let first = try #require(disk.contents(of: Ledger.path)).count
        var sizes = 0
        var failures = 0
        var capacity = first + Int(TestScale.firstSeed % 512)
        while true {
            do {
                let failed = try run(capacity: capacity)
                failures += failed
                sizes += 1
                if failed == 0 { break }
            } catch {
                Issue.record("\(capacity) bytes: \(error)")
                return
            }
            capacity += max(16, 512 / TestScale.factor)
        }
        print("full disks: \(sizes) sizes from \(first) to \(capacity), \(failures) failures")
        #expect(sizes > 50)
        #expect(try run(capacity: nil) == 0)
    }
}
