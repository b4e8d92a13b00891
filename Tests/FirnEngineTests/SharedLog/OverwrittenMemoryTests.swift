import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The shared memory of a log is a file that is writable for all users with write access to the
/// database. With parts of it overwritten, or an older copy put back while a writer was running,
/// the last closer folded according to the memory and removed a log with more than that: 40 commits
/// were acknowledged, and 2 were there. A frame could also overwrite an acknowledged one, and a
/// truncated file ended the processes that had it mapped with SIGBUS.
@Suite("Overwritten shared memory")
struct OverwrittenMemoryTests {
    private static let memory = Ledger.path + "-shm"
    private static let blockByteCount = 64

    /// Several processes over one disk, and an attacker that writes to their memory.
    private final class Run {
        let disk: SimulatedFileSystem
        let ledger = Ledger()
        var generator: SplitMix64
        var members: [(process: SimulatedFileSystem, store: Store)] = []
        /// Copies of the memory from different moments.
        var copies: [[UInt8]] = []
        var attackCount = 0
        var errorCount = 0
        /// The events of the run, for the analysis of a failure.
        var story: [String] = []

        init(seed: UInt64) throws {
            disk = try Ledger.disk()
            generator = SplitMix64(seed: seed)
            for _ in 0..<3 { members.append(try newMember()) }
        }

        func newMember() throws -> (process: SimulatedFileSystem, store: Store) {
            let process = disk.anotherProcess()
            let store = try Ledger.open(process.services(entropySeed: generator.next()))
            return (process, store)
        }

        /// Replaces bytes of the file that all processes have mapped.
        private func put(_ bytes: [UInt8], at start: Int) {
            guard let now = disk.contents(of: OverwrittenMemoryTests.memory) else { return }
            for (index, byte) in bytes.enumerated() where start + index < now.count {
                disk.corrupt(
                    OverwrittenMemoryTests.memory, at: start + index,
                    xor: now[start + index] ^ byte)
            }
            attackCount += 1
        }

        func attack() {
            guard let now = disk.contents(of: OverwrittenMemoryTests.memory) else { return }
            let length = OverwrittenMemoryTests.blockByteCount
            let block = Int(generator.next() % UInt64(now.count / length)) * length
            let kind = generator.next() % 6
            story.append("attack \(kind) at \(block)")
            switch kind {
            case 0: put(generator.bytes(length), at: block)
            case 1: put([UInt8](repeating: 0, count: length), at: block)
            case 2:
                if let copy = copies.randomElement(using: &generator) {
                    put(Array(copy[block..<block + length]), at: block)
                }
            case 3: put(generator.bytes(now.count), at: 0)
            default:
                if let copy = copies.randomElement(using: &generator) { put(copy, at: 0) }
            }
        }

        /// Takes a copy before one of the next operations, and attacks before another one.
        func copyAndAttackWithinOperations(isAttacked: Bool) {
            let copyMoment = Int(generator.next() % 120)
            let attackMoment = isAttacked ? Int(generator.next() % 40) : -1
            let count = Guarded(0)
            nonisolated(unsafe) let run = self
            disk.beforeEachOperation { _ in
                let moment = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if moment == copyMoment { run.copy() }
                if moment == attackMoment { run.attack() }
            }
        }

        func copy() {
            if let now = disk.contents(of: OverwrittenMemoryTests.memory) { copies.append(now) }
        }

        func step(_ attempt: Int) throws {
            let index = Int(generator.next() % UInt64(members.count))
            let action = generator.next() % 12
            story.append("member \(index) does \(action)")
            do {
                switch action {
                case 0...5: try ledger.tryCommit(attempt, .operations, to: members[index].store)
                case 6: try ledger.tryCommit(attempt, .pages, to: members[index].store)
                case 7, 8: try ledger.check(members[index].store.snapshot())
                case 9: try members[index].store.checkpoint()
                case 10:
                    try members[index].store.close()
                    members[index] = try newMember()
                default:
                    members[index].process.kill()
                    members[index] = try newMember()
                }
            } catch let error as StoreError {
                story.append("\(error.code): \(error.detail)")
                errorCount += 1
                // A process that got the error ends, and is started again.
                try? members[index].store.close()
                members[index].process.kill()
                if let member = try? newMember() { members[index] = member }
            }
        }

        /// The state after all processes have ended.
        ///
        /// - Returns: whether there is an error.
        func end() throws -> Bool {
            disk.beforeEachOperation(nil)
            if generator.happens(oneIn: 2) {
                for member in members { try? member.store.close() }
            }
            for member in members { member.process.kill() }
            var hasFailed = false
            for image in [CrashImage.processDeath, .powerLoss(.nothingSurvives)] {
                let promised = ledger.newestPromised
                let left = image.disk(after: disk)
                do {
                    let reader = try Ledger.open(left.services(entropySeed: 8), readOnly: true)
                    let snapshot = try reader.snapshot()
                    try ledger.check(snapshot)
                    guard snapshot.version >= promised else {
                        throw TestFailure("\(image): \(snapshot.version) of \(promised)")
                    }
                    let writer = try Ledger.open(left.services(entropySeed: 9))
                    let transaction = try writer.beginWrite()
                    guard transaction.base.version >= promised else {
                        throw TestFailure(
                            "\(image): a writer at \(transaction.base.version) of \(promised)")
                    }
                    transaction.rollback()
                    try writer.close()
                    // Memory with arbitrary content may belong to something else, and stays.
                    guard left.fileNames.allSatisfy({ !$0.contains("-log") }) else {
                        throw TestFailure("\(image) leaves \(left.fileNames)")
                    }
                } catch is StoreError {
                    hasFailed = true
                }
            }
            return hasFailed
        }
    }

    @Test(
        "Overwritten shared memory never loses an acknowledged commit without an error",
        arguments: [false, true]
    )
    func anything(withinOperations: Bool) throws {
        var (attacks, errors, failures, runs) = (0, 0, 0, 0)
        for seed in TestScale.seeds(120) {
            let run = try Run(seed: seed * 2 + (withinOperations ? 1 : 0))
            do {
                for attempt in 100..<140 {
                    run.copy()
                    let isAttacked = run.generator.happens(oneIn: 4)
                    if withinOperations {
                        run.copyAndAttackWithinOperations(isAttacked: isAttacked)
                    } else if isAttacked {
                        run.attack()
                    }
                    try run.step(attempt)
                    run.disk.beforeEachOperation(nil)
                }
                if try run.end() { failures += 1 }
            } catch {
                let story = run.story.suffix(24).joined(separator: "\n  ")
                Issue.record(
                    "seed \(seed), within operations: \(withinOperations): \(error)\n  \(story)")
            }
            attacks += run.attackCount
            errors += run.errorCount
            runs += 1
        }
        RunCounters.scheduledRuns.add(runs)
        print(
            "overwrote shared memory \(attacks) times in \(runs) runs: \(errors) errors while "
                + "running, \(failures) runs that end with one")
        // An error at the end is allowed but must be rare: the files themselves are whole.
        #expect(failures * 10 <= runs)
    }

    /// A writer whose log had lost its name kept acknowledging commits that no process could ever
    /// read.
    @Test(
        "A log that is removed or emptied while in use accepts no commit", arguments: [false, true])
    func lostLog(isEmptied: Bool) throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let writer = try Ledger.open(disk.services(entropySeed: 1))
        for attempt in 100..<105 { try ledger.commit(attempt, to: writer) }
        let log = Ledger.path + "-log0"
        if isEmptied {
            try disk.open(log, .readWrite).truncate(to: 0)
        } else {
            try disk.remove(log)
        }
        let error = #expect(throws: StoreError.self) {
            try ledger.tryCommit(200, .operations, to: writer)
        }
        #expect(error?.code == .logMissing)
        try? writer.close()
        // The next commit is refused, too.
        #expect(throws: StoreError.self) {
            try Ledger.open(disk.services(entropySeed: 2), readOnly: true).snapshot()
        }
    }

    @Test("A log is not folded into a database that was overwritten in place")
    func overwrittenDatabase() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let before = try #require(disk.contents(of: Ledger.path))
        let writer = try Ledger.open(disk.services(entropySeed: 1))
        for attempt in 100..<105 { try ledger.commit(attempt, to: writer) }
        try writer.checkpoint()
        try ledger.commit(105, to: writer)
        let file = try disk.open(Ledger.path, .readWrite)
        try before.withUnsafeBytes { try file.write($0, at: 0) }
        try file.truncate(to: UInt64(before.count))
        #expect(throws: StoreError.self) { try writer.checkpoint() }
        #expect(throws: StoreError.self) { try writer.close() }
        #expect(disk.contents(of: Ledger.path) == before)
        #expect(disk.fileNames.contains(Ledger.path + "-log1"))
    }

    @Test("A truncated file does not crash the process", arguments: [0, 1, 64, 300])
    func cutShort(byteCount: UInt64) async {
        await #expect(processExitsWith: .success) { [byteCount = byteCount as UInt64] in
            let folder = TemporaryFolder()
            let path = folder("x.firn")
            let store = try MarkStore.make(path, .always)
            for number in 1..<5 { try MarkStore.commit(Int64(number), to: store) }
            let acknowledged = try store.snapshot().version
            let memory = try SystemFileSystem().open(path + "-shm", .readWrite)
            try memory.truncate(to: byteCount)
            // Each of these may be refused, none may end the process.
            _ = try? store.snapshot()
            let last = try? MarkStore.commit(5, to: store)
            _ = try? store.checkpoint()
            try? store.close()
            let reader = try Store.open(path, readOnly: true)
            guard try reader.snapshot().version >= last ?? acknowledged else {
                throw TestFailure("an acknowledged commit is missing")
            }
        }
    }
}
