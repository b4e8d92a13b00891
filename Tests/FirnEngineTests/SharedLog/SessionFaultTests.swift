import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Every operation on the files of a workload fails once.
@Suite("A failing disk while the file has a log")
struct SessionFaultTests {
    private enum Step: Sendable {
        case commit
        case commitPages
        case checkpoint
        /// A commit through a second handle, as by another process.
        case otherCommit
        case close
        /// All processes die, and the next one recovers.
        case die
    }

    private static let script: [Step] = [
        .commit, .commit, .otherCommit, .checkpoint, .commitPages, .commit, .checkpoint,
        .otherCommit, .checkpoint, .commit, .close, .commit, .otherCommit, .die, .commit,
        .commitPages, .die, .commit, .close,
    ]

    /// A way in which an operation fails.
    private struct Failure: Sendable, CustomTestStringConvertible {
        let errno: Int32
        var part = AppliedPart.nothing
        var kinds: Set<SimulatedOperation.Kind> = Failure.changes
        /// The distance between the operations that are tried.
        var stride = 13

        static let changes: Set<SimulatedOperation.Kind> = [
            .write, .truncate, .sync, .create, .remove, .syncDirectory,
        ]
        static let questions: Set<SimulatedOperation.Kind> = [.open, .read, .status, .lock]

        var testDescription: String { "errno \(errno), \(part), \(kinds.count) kinds" }
    }

    private static let failures = [
        Failure(errno: SystemErrno.inputOutput),
        Failure(errno: SystemErrno.diskFull, part: .half),
        Failure(errno: SystemErrno.inputOutput, part: .everything),
        Failure(errno: SystemErrno.quotaUsed, stride: 23),
        Failure(errno: SystemErrno.fileTooLarge, part: .half, stride: 23),
        Failure(errno: SystemErrno.inputOutput, kinds: Failure.questions, stride: 89),
    ]

    /// The handles of a workload.
    private final class Crew {
        private(set) var disk: SimulatedFileSystem
        private let ledger: Ledger
        private var store: Store?
        private var other: Store?
        private var reader: Store?
        private var nextAttempt = 1000

        init(_ disk: SimulatedFileSystem, _ ledger: Ledger) {
            self.disk = disk
            self.ledger = ledger
        }

        func perform(_ step: Step) throws {
            switch step {
            case .commit: try commit(.operations, to: &store)
            case .commitPages: try commit(.pages, to: &store)
            case .otherCommit: try commit(.operations, to: &other)
            case .checkpoint: try store?.checkpoint()
            case .close:
                try other?.close()
                other = nil
                try store?.close()
                store = nil
            case .die:
                disk = disk.processDeathImage()
                leave()
            }
            try look()
        }

        private func commit(_ kind: Ledger.Kind, to place: inout Store?) throws {
            nextAttempt += 1
            let handle = try place ?? Ledger.open(disk.services(entropySeed: UInt64(nextAttempt)))
            place = handle
            try ledger.tryCommit(nextAttempt, kind, to: handle)
        }

        private func look() throws {
            let handle =
                try reader
                ?? Ledger.open(
                    disk.services(entropySeed: UInt64(nextAttempt)), readOnly: true)
            reader = handle
            try ledger.look(handle)
        }

        /// All handles, including a new one, must show everything acknowledged.
        func lookAgain() throws {
            for handle in [store, other, reader] {
                if let handle { try ledger.look(handle) }
            }
            try ledger.look(Ledger.open(disk.services(entropySeed: 5), readOnly: true))
        }

        /// Drops all handles, as the end of their processes does.
        func leave() {
            store = nil
            other = nil
            reader = nil
        }
    }

    /// Performs a step; after a failure the handles continue or refuse to, and then new ones
    /// continue.
    private static func perform(_ step: Step, _ crew: Crew) throws -> Bool {
        do {
            try crew.perform(step)
            return false
        } catch let error as StoreError {
            guard [.inputOutput, .diskFull, .poisoned].contains(error.code) else {
                throw TestFailure("\(step) failed so: \(error)")
            }
        }
        try crew.lookAgain()
        do {
            try crew.perform(step)
        } catch let error as StoreError {
            guard error.code == .poisoned else {
                throw TestFailure("\(step) failed again, so: \(error)")
            }
            try crew.lookAgain()
            crew.leave()
            try crew.perform(step)
        }
        return true
    }

    @Test(
        "A failure leaves nothing lost or half done, and all handles continue afterwards",
        arguments: failures
    )
    private func everyOperation(failure: Failure) throws {
        var failed = 0
        var hasMore = true
        let step = max(1, failure.stride / TestScale.factor)
        var ordinal = Int(TestScale.firstSeed % UInt64(step))
        while hasMore {
            hasMore = try run(failure, at: ordinal, &failed)
            ordinal += step
        }
        RunCounters.faults.add(failed)
        #expect(failed > 2, "hardly any failure was noticed: \(failed) of \(ordinal)")
    }

    /// - Returns: whether there was such an operation.
    private func run(_ failure: Failure, at ordinal: Int, _ failed: inout Int) throws -> Bool {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let crew = Crew(disk, ledger)
        // A dead disk loses its plan: the counter continues on the next disk.
        let counter = Guarded(0)
        disk.beforeEachOperation { operation in
            if failure.kinds.contains(operation.kind) { counter.withLock { $0 += 1 } }
        }
        disk.plan(
            Fault(
                .fails(errno: failure.errno, applying: failure.part), at: ordinal,
                of: failure.kinds))
        var current = disk
        do {
            for step in Self.script {
                let hasFailed = try Self.perform(step, crew)
                if hasFailed { failed += 1 }
                if crew.disk !== current {
                    let next = ordinal - counter.withLock { $0 }
                    current = crew.disk
                    current.beforeEachOperation { operation in
                        if failure.kinds.contains(operation.kind) { counter.withLock { $0 += 1 } }
                    }
                    if next >= 0 {
                        current.plan(
                            Fault(
                                .fails(errno: failure.errno, applying: failure.part), at: next,
                                of: failure.kinds))
                    }
                }
                // Everything acknowledged is on disk, whatever the system shows.
                guard hasFailed else { continue }
                let image = crew.disk.powerLossImage(.nothingSurvives)
                try Ledger(ledger).look(
                    Ledger.open(image.services(entropySeed: 9), readOnly: true))
            }
            crew.disk.forgetPlans()
            crew.leave()
            try Ledger(ledger).checkEnd(
                crew.disk.powerLossImage(.random(seed: UInt64(ordinal))), isAtRest: false)
            try ledger.checkEnd(crew.disk, isAtRest: false)
        } catch {
            Issue.record("operation \(ordinal) of \(failure.testDescription): \(error)")
        }
        return counter.withLock { $0 } > ordinal
    }

    /// The commit that starts the log fails or dies before its superblock is on disk, but the
    /// system shows it: a process that continues that log must not acknowledge commits that only
    /// this superblock leads to.
    @Test("A root in doubt that names the log is made durable before the next commit")
    func doubtfulFirstRoot() throws {
        var failed = 0
        for ordinal in 0..<12 {
            let disk = SimulatedFileSystem()
            try Ledger.make(disk.services(entropySeed: 70))
            let ledger = Ledger()
            disk.plan(
                Fault(
                    .fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.write, .sync],
                    pathSuffix: ".firn"))
            do {
                try ledger.tryCommit(100, .operations, to: Ledger.open(disk.services()))
            } catch is StoreError {
                failed += 1
            }
            disk.forgetPlans()
            let next = try Ledger.open(disk.services(entropySeed: 2))
            try ledger.commit(101, to: next)
            try Ledger(ledger).checkEnd(disk.powerLossImage(.nothingSurvives), isAtRest: false)
        }
        #expect(failed > 8)
    }
}
