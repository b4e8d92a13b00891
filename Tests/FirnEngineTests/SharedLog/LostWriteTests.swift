import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A drive that acknowledges a write and never stores it, stores it elsewhere, or answers a read
/// with what a place held before.
///
/// Checksums know what a place should hold, so what is read is what was written, or an error. Only
/// the last frame of a log may be missing without one: nothing that was stored speaks of it.
@Suite("A write that the drive lost or misplaced")
struct LostWriteTests {
    fileprivate enum Step {
        case operations, pages, checkpoint
    }

    /// What the same history meets with each trouble.
    struct Case: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let logging: StoreOptions.Logging

        var testDescription: String { "seed \(seed), logging \(logging)" }
        var mayLoseLast: UInt64 { logging == .never ? 0 : 1 }

        /// A few commits before a checkpoint and some behind it: space is used again by then.
        fileprivate var steps: [Step] {
            var generator = SplitMix64(seed: seed)
            func commits(_ count: ClosedRange<Int>) -> [Step] {
                (0..<Int.random(in: count, using: &generator)).map { _ in
                    generator.happens(oneIn: 4) ? .pages : .operations
                }
            }
            return commits(2...3) + [.pages, .checkpoint] + commits(2...3)
        }

        /// Neighbours, other copies of the superblock, and anywhere, also between two units.
        fileprivate var effects: [Fault.Effect] {
            var generator = SplitMix64(seed: ~seed)
            let far = Int.random(in: 2...80, using: &generator) * 512
            let odd = Int.random(in: -4000...4000, using: &generator)
            return [.losesWrite, .misdirects(by: generator.happens(oneIn: 2) ? 512 : -512)]
                + [.misdirects(by: generator.happens(oneIn: 2) ? far : -far)]
                + [.misdirects(by: 8192), .misdirects(by: -8192), .misdirects(by: odd)]
        }

        func open(_ disk: SimulatedFileSystem, readOnly: Bool = false) throws -> Store {
            try Ledger.open(
                disk.services(entropySeed: readOnly ? 3 : 2), logging: logging, readOnly: readOnly)
        }

        fileprivate func perform(
            _ ledger: Ledger, _ disk: SimulatedFileSystem, after: () -> Void = {}
        ) throws {
            let store = try open(disk)
            for (index, step) in steps.enumerated() {
                switch step {
                case .operations: try ledger.commit(100 + index, to: store)
                case .pages: try ledger.commit(100 + index, .pages, to: store)
                case .checkpoint: try store.checkpoint()
                }
                after()
            }
        }

        /// Reads all as the next process does.
        ///
        /// - Parameter version: at least this one must be found, unless an error tells.
        func expect(_ version: UInt64, _ ledger: Ledger, _ disk: SimulatedFileSystem) throws {
            let snapshot = try open(disk, readOnly: true).snapshot()
            guard snapshot.version.rawValue >= version else {
                throw TestFailure("\(snapshot.version) of \(version) in silence")
            }
            try ledger.check(snapshot)
        }
    }

    private static let cases = TestScale.seeds(1).flatMap { seed in
        [StoreOptions.Logging.never, .always].map { Case(seed: seed, logging: $0) }
    }

    private static let start = Result { try Ledger.disk() }

    /// - Returns: whether somebody noticed; anything but that is passed on.
    private func isNoticed(_ body: () throws -> Void) throws -> Bool {
        RunCounters.lostWrites.add(1)
        do {
            try body()
            return false
        } catch let error as StoreError {
            guard [.corrupt, .logMissing, .notADatabase].contains(error.code) else { throw error }
            return true
        }
    }

    /// Performs commits, one write of which goes wrong, and reads all as the next process does.
    ///
    /// - Returns: whether there was such a write, and whether anybody noticed.
    private func run(
        _ effect: Fault.Effect, at ordinal: Int, _ this: Case
    ) throws -> (hasHappened: Bool, isNoticed: Bool) {
        let disk = try Self.start.get().processDeathImage()
        let ledger = Ledger()
        let writes = Guarded(0)
        disk.beforeEachOperation { operation in
            if operation.kind == .write { writes.withLock { $0 += 1 } }
        }
        defer { disk.beforeEachOperation(nil) }
        disk.plan(Fault(effect, at: ordinal, of: [.write]))
        let isNoticed = try isNoticed {
            try this.perform(ledger, disk)
            disk.beforeEachOperation(nil)
            try this.expect(
                ledger.newestPromised.rawValue - this.mayLoseLast, ledger,
                disk.powerLossImage(.everythingSurvives))
        }
        return (writes.withLock { $0 } > ordinal, isNoticed)
    }

    /// With other seeds the second copy of a root was written over the first, and an acknowledged commit
    /// was gone in silence; and where a lost root was to have what the log no longer had, a checkpoint
    /// looked for it for ever.
    @Test("is noticed, or does not matter", arguments: cases)
    func everyWrite(this: Case) throws {
        var noticed = 0
        for effect in this.effects {
            var ordinal = 0
            while true {
                do {
                    let result = try run(effect, at: ordinal, this)
                    if result.isNoticed { noticed += 1 }
                    guard result.hasHappened || result.isNoticed else { break }
                } catch {
                    Issue.record("\(effect) at write \(ordinal), \(this.testDescription): \(error)")
                }
                ordinal += 1
            }
            #expect(ordinal > 10)
        }
        #expect(noticed > 10, "hardly anything was noticed")
    }

    /// All files of a disk at one moment, and what had been promised by then.
    private struct Moment {
        let version: UInt64
        let files: [String: [UInt8]]

        init(_ disk: SimulatedFileSystem, _ ledger: Ledger) {
            version = ledger.newestPromised.rawValue
            files = Dictionary(
                uniqueKeysWithValues: disk.fileNames.map { ($0, disk.contents(of: $0) ?? []) })
        }

        /// Everything as it is, but for one block that is as it was.
        func disk(_ path: String, _ block: Range<Int>, of older: Moment) -> SimulatedFileSystem {
            let disk = SimulatedFileSystem()
            for (name, bytes) in files {
                var bytes = bytes
                if name == path, let old = older.files[name] {
                    bytes.replaceSubrange(block, with: old[block])
                }
                disk.setContents(of: name, to: bytes)
            }
            return disk
        }
    }

    /// A mirror of which one half missed some writes answers so, and every block was whole once.
    @Test(
        "A block that is read as it was some commits ago is noticed, or does not matter",
        arguments: cases)
    func staleBlocks(this: Case) throws {
        let disk = try Self.start.get().processDeathImage()
        let ledger = Ledger()
        var moments: [Moment] = []
        try this.perform(ledger, disk) { moments.append(Moment(disk, ledger)) }
        let newest = moments.removeLast()
        var tried = 0
        var noticed = 0
        for moment in moments {
            for (path, old) in moment.files where !path.hasSuffix("-shm") {
                guard let new = newest.files[path] else { continue }
                // The log is written in small pieces, and its frames are many in a large block.
                for size in path == Ledger.path ? [512, 4096] : [512] {
                    for start in stride(from: 0, to: min(old.count, new.count), by: size) {
                        let block = start..<min(start + size, old.count, new.count)
                        guard old[block] != new[block] else { continue }
                        // Frames that a block did not have yet look like an end that was torn off.
                        let isLog = path != Ledger.path
                        tried += 1
                        do {
                            let found = try isNoticed {
                                try this.expect(
                                    isLog ? moment.version : newest.version, Ledger(ledger),
                                    newest.disk(path, block, of: moment))
                            }
                            if found { noticed += 1 }
                        } catch {
                            Issue.record("\(path) \(block) of \(moment.version): \(error)")
                        }
                    }
                }
            }
        }
        #expect(tried > 20)
        #expect(noticed > 2, "\(noticed) of \(tried)")
    }
}
