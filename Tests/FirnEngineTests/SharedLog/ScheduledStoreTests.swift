import FirnEngine
import FirnPlatform
import FirnTesting
import Testing

/// Several processes on one simulated machine, whose turns and deaths come in every order that a
/// seed can produce.
@Suite("Processes that share a database, in any order of steps", .serialized)
struct ScheduledStoreTests {
    private static let path = "/x.firn"
    private static let seeds = TestScale.seeds(12)

    /// The acknowledgements that the processes of a run got; none of them is in the database.
    private struct Journal: Sendable {
        var acknowledged: [Int: UInt64] = [:]
        var commitCount = 0
        var snapshotCount = 0
        var kills = 0
    }

    /// One run of two writers, two checkpointers, a reader and a compactor.
    private final class Run: Sendable {
        let scheduler: ProcessScheduler
        let journal = Guarded(Journal())
        private let generator: Guarded<SplitMix64>

        init(seed: UInt64) throws {
            let disk = SimulatedFileSystem()
            try CrewDatabase.create(path, members: 4, services: disk.services())
            scheduler = ProcessScheduler(seed: seed, disk: disk)
            generator = Guarded(SplitMix64(seed: seed &+ 77))
            for number in 0..<4 {
                let role: CrewRole = number < 2 ? .writer : .checkpointer
                start(role, number)
            }
            start(.reader, 4)
            start(.compactor, 5)
        }

        private func start(_ role: CrewRole, _ number: Int) {
            scheduler.start("\(role) \(number)") { [unowned self] process in
                try work(process, role, number)
            }
        }

        private func work(_ process: SimulatedProcess, _ role: CrewRole, _ number: Int) throws {
            var options = StoreOptions()
            options.logging = number % 2 == 0 ? .always : .automatic
            options.checkpointsInBackground = false
            let store = try Store.open(
                path, readOnly: role == .reader, services: process.services, options: options)
            if role == .reader { return try read(store, process) }
            if role == .compactor { return try compact(store) }
            for _ in 0..<4 {
                let transaction = try store.beginWrite(waitNanoseconds: 60_000_000_000)
                let sequence = try CrewDatabase(transaction.schema).step(
                    transaction, member: number)
                _ = try transaction.commit()
                guard process.isAlive else { return }
                journal.withLock { journal in
                    journal.acknowledged[number] = sequence
                    journal.commitCount += 1
                }
                if role == .checkpointer { try store.checkpoint() }
            }
            try store.close()
        }

        private func compact(_ store: Store) throws {
            var options = CompactionOptions()
            options.waitNanoseconds = 60_000_000_000
            for _ in 0..<2 { _ = try store.compact(options) }
            try store.close()
        }

        private func read(_ store: Store, _ process: SimulatedProcess) throws {
            var last: CrewState?
            for _ in 0..<8 {
                // The snapshot contains everything that was acknowledged before it.
                let told = journal.withLock { $0.acknowledged }
                let state = try CrewState(store.snapshot())
                guard process.isAlive else { return }
                for (member, sequence) in told where state.sequences[member, default: 0] < sequence
                {
                    throw CrewBreach("a snapshot lacks commit \(sequence) of member \(member)")
                }
                if let last { try state.check(after: last) }
                last = state
                journal.withLock { $0.snapshotCount += 1 }
                process.clock.sleep(nanoseconds: 50_000)
            }
            try store.close()
        }

        /// Kills processes at random, and starts others in their places.
        func killAtRandom(atMost: Int) {
            scheduler.beforeEachSwitch { [unowned self] scheduler, point in
                guard generator.withLock({ $0.happens(oneIn: 500) }) else { return }
                let kills = journal.withLock { journal in
                    journal.kills += 1
                    return journal.kills
                }
                guard kills <= atMost else { return }
                scheduler.kill(point.process, applying: kills % 2 == 0 ? .half : .nothing)
                let words = point.process.name.split(separator: " ")
                guard let role = words.first.flatMap({ CrewRole(rawValue: String($0)) }),
                    let number = words.last.flatMap({ Int($0) })
                else { return }
                start(role, number)
            }
        }
    }

    /// Opens the files that a run left, and checks that nothing is missing.
    private func check(_ disk: SimulatedFileSystem, _ journal: Journal, _ text: String) throws {
        do {
            let store = try Store.open(
                Self.path, readOnly: false, services: disk.services(entropySeed: 9))
            let state = try CrewState(store.snapshot())
            for (member, last) in journal.acknowledged {
                guard state.sequences[member, default: 0] >= last else {
                    throw CrewBreach("commit \(last) of member \(member) is lost")
                }
            }
            let transaction = try store.beginWrite()
            _ = try CrewDatabase(transaction.schema).step(transaction, member: 0)
            _ = try transaction.commit()
            try store.close()
            try expectSound(
                Store.open(Self.path, readOnly: true, services: disk.services(entropySeed: 10)),
                allowingTornCopy: true)
        } catch {
            throw CrewBreach("\(text): \(error)")
        }
    }

    @Test(
        "Nothing is lost and one file remains, whichever processes die in between",
        .timeLimit(.minutes(5 + 2 * TestScale.factor)))
    func deaths() throws {
        var total = Journal()
        for seed in Self.seeds {
            let run = try Run(seed: seed)
            run.killAtRandom(atMost: seed % 3 == 0 ? 0 : 6)
            try run.scheduler.run()
            let journal = run.journal.withLock { $0 }
            #expect(run.scheduler.disk.fileNames == [Self.path], "seed \(seed)")
            #expect(!run.scheduler.disk.hasLocks, "seed \(seed)")
            try check(run.scheduler.disk, journal, "seed \(seed)")
            total.commitCount += journal.commitCount
            total.snapshotCount += journal.snapshotCount
            total.kills += min(6, journal.kills)
        }
        RunCounters.scheduledRuns.add(Self.seeds.count)
        RunCounters.simulatedKills.add(total.kills)
        RunCounters.commits.add(total.commitCount)
        print(
            "scheduled processes: \(Self.seeds.count) runs, \(total.kills) kills, "
                + "\(total.commitCount) commits, \(total.snapshotCount) snapshots")
        #expect(total.kills > 0 || Self.seeds.count < 3)
    }

    @Test(
        "A power loss at any step loses nothing that was acknowledged",
        .timeLimit(.minutes(5 + 2 * TestScale.factor)))
    func powerLosses() throws {
        for seed in Self.seeds {
            let run = try Run(seed: seed)
            var generator = SplitMix64(seed: seed)
            let last = Int.random(in: 1..<4000, using: &generator)
            run.scheduler.beforeEachSwitch { scheduler, point in
                if point.step == last { scheduler.losePower() }
            }
            try run.scheduler.run()
            let journal = run.journal.withLock { $0 }
            let disk = run.scheduler.disk
            let images: [CrashImage] = [
                .processDeath, .powerLoss(.nothingSurvives), .powerLoss(.everythingSurvives),
                .powerLoss(.random(seed: seed)), .powerLoss(.random(seed: seed &+ 1000)),
            ]
            RunCounters.scheduledRuns.add(1)
            RunCounters.crashPoints.add(1)
            RunCounters.crashImages.add(images.count)
            for image in images {
                try check(image.disk(after: disk), journal, "seed \(seed), \(image)")
            }
        }
    }
}
