import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A drive that acknowledges a write and never stores it, stores it elsewhere, or answers a read
/// with former content.
///
/// Checksums determine the expected content of each position, so a read returns what was written,
/// or an error. Only the last frame of a log may be missing without an error: no stored data refers
/// to it.
@Suite("Writes that the drive lost or misplaced")
struct LostWriteTests {
    fileprivate enum Step {
        case operations, pages, checkpoint
    }

    /// The same history with one kind of failure.
    struct Case: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let logging: StoreOptions.Logging

        var testDescription: String { "seed \(seed), logging \(logging)" }
        var mayLoseLast: UInt64 { logging == .never ? 0 : 1 }

        /// A few commits before a checkpoint and some after it: space is reused by then.
        fileprivate var steps: [Step] {
            var generator = SplitMix64(seed: seed)
            func commits(_ count: ClosedRange<Int>) -> [Step] {
                (0..<Int.random(in: count, using: &generator)).map { _ in
                    generator.happens(oneIn: 4) ? .pages : .operations
                }
            }
            return commits(2...3) + [.pages, .checkpoint] + commits(2...3)
        }

        /// Neighbours, other copies of the superblock, and arbitrary offsets, also between two
        /// units.
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

        /// Reads everything as the next process does.
        ///
        /// - Parameter version: the lowest version that must be found, unless there is an error.
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

    /// - Returns: whether damage was reported; other errors are rethrown.
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

    /// Performs commits with one wrong write, and reads everything as the next process does.
    ///
    /// - Returns: whether there was such a write, and whether it was noticed.
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

    /// With other seeds the second copy of a root was written over the first, and an acknowledged
    /// commit was gone without an error; and where a lost root was needed for data that the log no
    /// longer had, a checkpoint searched for it forever.
    @Test("A lost or misplaced write is detected or harmless", arguments: cases)
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

    /// All files of a disk at one moment, and the guarantees given by then.
    private struct Moment {
        let version: UInt64
        let files: [String: [UInt8]]

        init(_ disk: SimulatedFileSystem, _ ledger: Ledger) {
            version = ledger.newestPromised.rawValue
            files = Dictionary(
                uniqueKeysWithValues: disk.fileNames.map { ($0, disk.contents(of: $0) ?? []) })
        }

        /// The current files, except for one block with its older content.
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

    /// A mirror with one half that missed some writes answers like this, and every block was valid
    /// once.
    @Test(
        "A block with the content from some commits ago is detected or harmless",
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
                // The log is written in small pieces, and a large block contains many frames.
                for size in path == Ledger.path ? [512, 4096] : [512] {
                    for start in stride(from: 0, to: min(old.count, new.count), by: size) {
                        let block = start..<min(start + size, old.count, new.count)
                        guard old[block] != new[block] else { continue }
                        // Frames that a block did not have yet look like a torn end.
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
