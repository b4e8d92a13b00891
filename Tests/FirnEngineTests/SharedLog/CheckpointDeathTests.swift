import FirnEngine
import FirnPlatform
import FirnTesting
import Testing

/// A checkpoint consists of steps in three files and shared memory, and its process may die after
/// each of them while others continue.
@Suite("Deaths of checkpointers")
struct CheckpointDeathTests {
    private static let path = "/x.firn"
    private static let changingKinds: Set<SimulatedOperation.Kind> = [
        .lock, .store, .exchange, .add, .wake,
    ]

    /// Several processes over one disk, and their acknowledged commits.
    private final class Run {
        let disk = SimulatedFileSystem()
        var processes: [SimulatedFileSystem] = []
        var acknowledged: [Int: UInt64] = [:]
        /// The next step of the victim.
        var death = "none"

        /// Opens the database in a process of its own.
        func open(seed: UInt64) throws -> Store {
            let process = disk.anotherProcess()
            processes.append(process)
            return try open(process, seed: seed)
        }

        func open(_ process: SimulatedFileSystem, seed: UInt64) throws -> Store {
            var options = StoreOptions()
            options.logging = .always
            options.checkpointsInBackground = false
            return try Store.open(
                path, readOnly: false, services: process.services(entropySeed: seed),
                options: options)
        }

        func commit(_ store: Store, _ member: Int, _ count: Int) throws {
            for _ in 0..<count {
                let transaction = try store.beginWrite()
                let sequence = try CrewDatabase(transaction.schema).step(
                    transaction, member: member)
                _ = try transaction.commit()
                acknowledged[member] = sequence
            }
        }

        func check(_ store: Store) throws {
            let state = try CrewState(store.snapshot())
            for (member, last) in acknowledged where state.sequences[member] != last {
                throw CrewBreach(
                    "member \(member) has \(state.sequences[member] ?? 0) of \(last) commits")
            }
        }
    }

    /// Kills a checkpointer before one of its operations, while others continue.
    ///
    /// - Returns: whether there are that many operations.
    private func die(at number: Int, _ part: AppliedPart, _ run: Run) throws -> Bool {
        try CrewDatabase.create(Self.path, members: 3, services: run.disk.services())
        let process = run.disk.anotherProcess()
        let victim = try run.open(process, seed: 2)
        let witness = try run.open(seed: 3)
        for _ in 0..<2 {
            try run.commit(victim, 0, 1)
            try run.commit(witness, 1, 1)
            try victim.checkpoint()
        }
        try run.commit(witness, 1, 1)
        let seen = Guarded<(count: Int, last: SimulatedOperation?)>((0, nil))
        run.disk.beforeEachOperation { operation in
            // Only operations that change something: before any other, the state is the same as
            // before the next of these.
            guard operation.kind.changesDisk || Self.changingKinds.contains(operation.kind),
                part == .nothing || operation.kind == .write
            else { return }
            seen.withLock { seen in
                seen.count += 1
                guard seen.count == number else { return }
                seen.last = operation
                process.kill(applying: part)
            }
        }
        _ = try? victim.checkpoint()
        run.disk.beforeEachOperation(nil)
        guard let last = seen.withLock({ $0.last }) else { return false }
        run.death = "\(last)"
        try checkWhatIsLeft(run)
        // A process that knew the log before continues, and a new one opens it.
        try run.check(witness)
        try run.commit(witness, 1, 2)
        let late = try run.open(seed: 4)
        try run.check(late)
        try run.commit(late, 2, 1)
        try run.check(witness)
        try checkWhatIsLeft(run)
        try late.checkpoint()
        try run.commit(witness, 1, 1)
        try run.check(late)
        try checkWhatIsLeft(run)
        for other in run.processes { other.kill() }
        return true
    }

    /// Nothing acknowledged may be missing if all the others die now.
    private func checkWhatIsLeft(_ run: Run) throws {
        let acknowledged = run.acknowledged
        defer { run.acknowledged = acknowledged }
        for image in [CrashImage.processDeath, .powerLoss(.nothingSurvives)] {
            run.acknowledged = acknowledged
            let store = try run.open(image.disk(after: run.disk), seed: 5)
            try run.check(store)
            try run.commit(store, 0, 1)
            try run.check(store)
            try store.close()
        }
    }

    @Test(
        "A dying checkpointer harms no process, and no commit is lost even if the others die",
        arguments: [AppliedPart.nothing, .half])
    func everyOperation(part: AppliedPart) throws {
        var number = 1
        while true {
            let run = Run()
            do {
                guard try die(at: number, part, run) else { break }
            } catch {
                Issue.record("death at operation \(number), \(run.death): \(error)")
            }
            number += 1
        }
        #expect(number > 5, "there were operations to die at")
    }

    @Test(
        "A segment that cannot be started leaves the log intact, and other processes continue",
        arguments: [SimulatedOperation.Kind.create, .write, .sync], 0..<3)
    func refusedSegment(kind: SimulatedOperation.Kind, ordinal: Int) throws {
        // The second segment is a new file, the third reuses the file of the first.
        for rounds in 0..<2 {
            let run = Run()
            try CrewDatabase.create(Self.path, members: 3, services: run.disk.services())
            let victim = try run.open(seed: 2)
            let witness = try run.open(seed: 3)
            try run.commit(victim, 0, 1)
            try run.commit(witness, 1, 1)
            for _ in 0..<rounds {
                try run.commit(victim, 0, 1)
                try victim.checkpoint()
            }
            try run.commit(witness, 1, 1)
            run.disk.plan(
                Fault(
                    .fails(errno: 28, applying: .half), at: ordinal, of: [kind],
                    pathSuffix: rounds == 0 ? "-log1" : "-log0"))
            _ = try? victim.checkpoint()
            run.disk.forgetPlans()
            try checkWhatIsLeft(run)
            try run.commit(witness, 1, 2)
            try run.check(witness)
            try checkWhatIsLeft(run)
            try witness.checkpoint()
            try run.commit(witness, 1, 1)
            try checkWhatIsLeft(run)
            for process in run.processes { process.kill() }
        }
    }

    @Test("A store that is dropped without being closed leaves one file, too")
    func dropping() throws {
        let run = Run()
        try CrewDatabase.create(Self.path, members: 1, services: run.disk.services())
        do {
            let store = try run.open(seed: 2)
            try run.commit(store, 0, 3)
            #expect(run.disk.fileNames.count > 1, "there was a log")
        }
        #expect(run.disk.fileNames == [Self.path])
        try run.check(run.open(seed: 3))
    }
}
