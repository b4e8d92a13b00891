import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Another program puts back an older copy of the shared memory, or parts of one, each of which was
/// right once.
@Suite("Older copies of shared memory")
struct OlderMemoryTests {
    private static let memory = Ledger.path + "-shm"
    private static let blockByteCount = 64

    @Test(
        "An outdated copy of the shared memory leaves the log to the next opener",
        arguments: [false, true])
    func olderCopy(closedByAnother: Bool) throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let process = disk.anotherProcess()
        let writer = try Ledger.open(process.services(entropySeed: 1))
        for attempt in 100..<102 { try ledger.commit(attempt, to: writer) }
        let old = try #require(disk.contents(of: Self.memory))
        for attempt in 102..<142 { try ledger.commit(attempt, to: writer) }
        let now = try #require(disk.contents(of: Self.memory))
        for index in now.indices {
            disk.corrupt(Self.memory, at: index, xor: now[index] ^ old[index])
        }
        if closedByAnother {
            process.kill()
            // It believes the memory, because only the log contradicts it.
            let other = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
            try ledger.commit(200, to: other)
            try other.close()
        } else {
            #expect(throws: StoreError.self) { try ledger.commit(200, to: writer) }
            try? writer.close()
        }
        let reader = try Ledger.open(disk.services(entropySeed: 3), readOnly: true)
        #expect(try reader.snapshot().version >= ledger.newestPromised)
        try ledger.check(reader.snapshot())
    }

    @Test("A process that closes with outdated memory does not remove frames that it did not fold")
    func closer() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let process = disk.anotherProcess()
        let writer = try Ledger.open(process.services(entropySeed: 1))
        try ledger.commit(100, to: writer)
        let other = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
        try ledger.commit(101, to: other)
        let old = try #require(disk.contents(of: Self.memory))
        for attempt in 102..<142 { try ledger.commit(attempt, to: writer) }
        process.kill()
        let now = try #require(disk.contents(of: Self.memory))
        for index in now.indices {
            disk.corrupt(Self.memory, at: index, xor: now[index] ^ old[index])
        }
        // The memory has the state that it knew itself.
        try other.close()
        let reader = try Ledger.open(disk.services(entropySeed: 3), readOnly: true)
        #expect(try reader.snapshot().version >= ledger.newestPromised)
    }

    /// The mark of an unfinished switch to the next segment was put back together with an older tail.
    /// The next writer finished the switch without a look at the log: the next segment began after
    /// the older tail, and the commits after it were gone. With the tail of an earlier log, the
    /// switch made a segment from which the database could not be opened.
    @Test(
        "Parts of a copy from any moment, put back while processes have the log open, lose no commit",
        arguments: [[], [1], [2], [1, 2], [1, 3, 9]])
    func copyOfAnyMoment(blocks: [Int]) throws {
        let history = try historyOfCopies()
        #expect(history.copies.count > 50)
        for copy in history.copies {
            for actor in PutBack.Actor.allCases {
                try PutBack(copy: copy, blocks: blocks, actor: actor).run(history)
            }
        }
    }

    /// A database with a log of several segments, and a copy of its memory from before every operation.
    private func historyOfCopies() throws -> PutBack.History {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let copies = Guarded<[[UInt8]]>([])
        let writer = try Ledger.open(disk.anotherProcess().services(entropySeed: 1))
        try disk.beforeEachOperation { _ in
            guard let now = disk.contents(of: Self.memory) else { return }
            copies.withLock { if $0.last != now { $0.append(now) } }
        } of: {
            for round in 0..<3 {
                for attempt in 0..<3 {
                    try ledger.commit(
                        100 + 10 * round + attempt, attempt == 1 ? .pages : .operations, to: writer)
                }
                try writer.checkpoint()
            }
            for attempt in 150..<153 { try ledger.commit(attempt, to: writer) }
        }
        let left = CrashImage.processDeath.disk(after: disk)
        return PutBack.History(disk: left, ledger: ledger, copies: copies.withLock { $0 })
    }

    /// An attack with a part of a copy, and what processes do then.
    private struct PutBack {
        struct History {
            let disk: SimulatedFileSystem
            let ledger: Ledger
            let copies: [[UInt8]]
        }

        enum Actor: CaseIterable {
            /// A process that knows the tail.
            case present
            case newcomer
            case newcomerThatFolds
        }

        let copy: [UInt8]
        /// The blocks of the copy that are put back; none for the whole.
        let blocks: [Int]
        let actor: Actor

        func run(_ history: History) throws {
            let disk = CrashImage.processDeath.disk(after: history.disk)
            let ledger = Ledger(history.ledger)
            let (presentProcess, newProcess) = (disk.anotherProcess(), disk.anotherProcess())
            let present = try Ledger.open(presentProcess.services(entropySeed: 2))
            try ledger.commit(200, to: present)
            try ledger.commit(201, to: present)
            putBack(disk)
            do {
                try act(present, newProcess, ledger)
            } catch let error as StoreError {
                // The files are whole.
                #expect(error.remedy?.contains("restore a copy") != true, "\(error)")
            }
            presentProcess.kill()
            newProcess.kill()
            let reader = try Ledger.open(disk.services(entropySeed: 4), readOnly: true)
            #expect(try ledger.look(reader) >= ledger.newestPromised)
        }

        private func putBack(_ disk: SimulatedFileSystem) {
            guard let now = disk.contents(of: OlderMemoryTests.memory) else { return }
            let length = OlderMemoryTests.blockByteCount
            for index in now.indices where blocks.isEmpty || blocks.contains(index / length) {
                disk.corrupt(
                    OlderMemoryTests.memory, at: index, xor: now[index] ^ copy[index])
            }
        }

        private func act(
            _ present: Store, _ process: SimulatedFileSystem, _ ledger: Ledger
        ) throws {
            guard actor != .present else {
                return try ledger.tryCommit(202, .operations, to: present)
            }
            let newcomer = try Ledger.open(process.services(entropySeed: 3))
            try ledger.tryCommit(202, .operations, to: newcomer)
            guard actor == .newcomerThatFolds else { return }
            try newcomer.checkpoint()
            try ledger.tryCommit(203, .pages, to: newcomer)
        }
    }

    private enum Step: CaseIterable {
        case idleCloses, idleCommits, idleFolds, newcomerCommits, newcomerFolds, newcomerCloses
    }

    /// A checkpoint died after the switch to the next segment, so that no root had the commits before
    /// it. A copy from the middle of the switch came back. The last process that closed the database
    /// believed its mark, did not look at the next segment, and removed the log with all commits in it.
    @Test(
        "A copy from within a switch of segments is refused while commits follow in the next one",
        arguments: Step.allCases)
    private func copyOfSwitch(step: Step) throws {
        var moment = 0
        while try runCopyOfSwitch(moment, step) { moment += 1 }
        #expect(moment > 5)
    }

    /// - Returns: whether there is a copy of this moment.
    private func runCopyOfSwitch(_ moment: Int, _ step: Step) throws -> Bool {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let (idleProcess, dying, last) = (
            disk.anotherProcess(), disk.anotherProcess(), disk.anotherProcess()
        )
        let idle = try Ledger.open(idleProcess.services(entropySeed: 1))
        for attempt in 100..<102 { try ledger.commit(attempt, to: idle) }
        let victim = try Ledger.open(dying.services(entropySeed: 2))
        try ledger.commit(102, to: victim)
        let copies = Guarded<[[UInt8]]>([])
        disk.beforeEachOperation { operation in
            // The fold, after the switch.
            let isFold = operation.kind == .write && operation.path == Ledger.path
            if isFold, disk.fileNames.contains(Ledger.path + "-log1") { dying.kill() }
            guard let now = disk.contents(of: Self.memory) else { return }
            copies.withLock { if $0.last != now { $0.append(now) } }
        }
        _ = try? victim.checkpoint()
        disk.beforeEachOperation(nil)
        #expect(!dying.isAlive)
        let writer = try Ledger.open(last.services(entropySeed: 3))
        for attempt in 103..<106 { try ledger.commit(attempt, to: writer) }
        last.kill()
        let all = copies.withLock { $0 }
        guard moment < all.count, let now = disk.contents(of: Self.memory) else { return false }
        for index in now.indices {
            disk.corrupt(Self.memory, at: index, xor: now[index] ^ all[moment][index])
        }
        let newProcess = disk.anotherProcess()
        do {
            switch step {
            case .idleCloses: try idle.close()
            case .idleCommits: try ledger.tryCommit(106, .operations, to: idle)
            case .idleFolds: try idle.checkpoint()
            case .newcomerCommits, .newcomerFolds, .newcomerCloses:
                let newcomer = try Ledger.open(newProcess.services(entropySeed: 4))
                try ledger.tryCommit(106, .operations, to: newcomer)
                if step == .newcomerFolds { try newcomer.checkpoint() }
                if step == .newcomerCloses {
                    idleProcess.kill()
                    try newcomer.close()
                }
            }
        } catch is StoreError {}
        idleProcess.kill()
        newProcess.kill()
        let reader = try Ledger.open(disk.services(entropySeed: 5), readOnly: true)
        #expect(try ledger.look(reader) >= ledger.newestPromised, "moment \(moment)")
        return true
    }

    /// A thread that reads found the memory overwritten and left the log. The transaction of another
    /// thread was then committed directly, by a root that named no log, while other processes went on
    /// writing to the log.
    @Test("A transaction does not commit beside the log that its process left", arguments: 0..<2)
    func leftLog(kind: Int) throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let (process, otherProcess) = (disk.anotherProcess(), disk.anotherProcess())
        let store = try Ledger.open(process.services(entropySeed: 1))
        let other = try Ledger.open(otherProcess.services(entropySeed: 2))
        try ledger.commit(100, to: store)
        for attempt in 101..<103 { try ledger.commit(attempt, to: kind == 0 ? other : store) }
        if kind == 1 { otherProcess.kill() }
        let now = try #require(disk.contents(of: Self.memory))
        func invert() {
            for index in 0..<Self.blockByteCount {
                disk.corrupt(Self.memory, at: index, xor: now[index])
            }
        }
        let error = #expect(throws: StoreError.self) {
            try ledger.tryCommit(103, .operations, to: store) { _ in
                invert()
                _ = try store.snapshot()
                invert()
            }
        }
        #expect(error?.detail.contains("was overwritten") == true, "\(String(describing: error))")
        if kind == 0 { try ledger.commit(104, to: other) }
        process.kill()
        otherProcess.kill()
        let reader = try Ledger.open(disk.services(entropySeed: 5), readOnly: true)
        #expect(try ledger.look(reader) >= ledger.newestPromised)
        #expect(reader.state.withLock { $0.root?.superblock.hasLog } == true)
    }
}
