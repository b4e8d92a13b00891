import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

/// Freezes of older versions concurrent with checkpoints that keep nothing else.
@Suite("Freezes while other processes fold the log, in any order of steps", .serialized)
struct ScheduledFreezeTests {
    private static let path = "/x.firn"
    private static let seeds = TestScale.seeds(30)

    /// One run of two processes that commit and fold, one that freezes and a compactor.
    private final class Run: Sendable {
        let scheduler: ProcessScheduler
        /// The acknowledged freezes.
        let freezes = Guarded<[Freeze]>([])
        /// The freezes of versions by the transactions that made them, each in place of the one before.
        let ownFreezes = Guarded<[Freeze]>([])

        init(seed: UInt64) throws {
            let disk = SimulatedFileSystem()
            try CrewDatabase.create(path, members: 4, services: disk.services())
            scheduler = ProcessScheduler(seed: seed, disk: disk)
            for member in 0..<2 {
                scheduler.start("folder \(member)") { process in
                    let store = try self.open(process)
                    for _ in 0..<6 {
                        try self.commit(to: store, member)
                        try store.checkpoint()
                    }
                    try store.close()
                }
            }
            scheduler.start("freezer") { process in try self.freeze(self.open(process)) }
            scheduler.start("namer") { process in try self.name(self.open(process)) }
            scheduler.start("compactor") { process in
                var options = CompactionOptions()
                options.waitNanoseconds = 60_000_000_000
                let store = try self.open(process)
                _ = try store.compact(options)
                try store.close()
            }
        }

        private func open(_ process: SimulatedProcess) throws -> Store {
            var options = StoreOptions()
            options.logging = .always
            options.checkpointsInBackground = false
            options.history = .off
            return try Store.open(
                path, readOnly: false, services: process.services, options: options)
        }

        private func commit(to store: Store, _ member: Int) throws {
            let transaction = try store.beginWrite(waitNanoseconds: 60_000_000_000)
            _ = try CrewDatabase(transaction.schema).step(transaction, member: member)
            _ = try transaction.commit()
        }

        /// Moves a name to each version that it makes, and reads the version before.
        private func name(_ store: Store) throws {
            for _ in 0..<8 {
                let transaction = try store.beginWrite(waitNanoseconds: 60_000_000_000)
                if let old = ownFreezes.withLock({ $0.last }) {
                    let snapshot = try store.snapshot(at: .number(old.version))
                    guard try CrewState(snapshot).version == old.version.rawValue else {
                        throw CrewBreach("version \(old.version.rawValue) has other objects")
                    }
                    try transaction.dropFreeze("own")
                }
                _ = try CrewDatabase(transaction.schema).step(transaction, member: 3)
                let freeze = try transaction.freezeResult(name: "own")
                _ = try transaction.commit()
                ownFreezes.withLock { $0.append(freeze) }
            }
            try store.close()
        }

        /// Freezes versions that the newest root may be about to drop.
        private func freeze(_ store: Store) throws {
            for number in 0..<8 {
                try commit(to: store, 2)
                let transaction = try store.beginWrite(waitNanoseconds: 60_000_000_000)
                do throws(StoreError) {
                    let freeze = try transaction.freeze(name: "f\(number)", at: .back(1))
                    _ = try transaction.commit()
                    freezes.withLock { $0.append(freeze) }
                } catch {
                    guard error.code == .versionGone else { throw error }
                    transaction.rollback()
                }
            }
            try store.close()
        }
    }

    /// Replication named each version that it made in a commit of its own after it. Another process
    /// could fold the log between the two, and the version was gone.
    @Test(
        "A version named by its own transaction stays readable until the name moves to another",
        .timeLimit(.minutes(5 + 2 * TestScale.factor))
    )
    func own() throws {
        for seed in Self.seeds {
            let run = try Run(seed: seed)
            try run.scheduler.run()
            let store = try Store.open(
                Self.path, readOnly: true,
                services: run.scheduler.disk.services(entropySeed: 10))
            let last = try #require(run.ownFreezes.withLock { $0.last }, "seed \(seed)")
            let snapshot = try store.snapshot(at: .freeze("own"))
            #expect(snapshot.version == last.version, "seed \(seed)")
            #expect(try CrewState(snapshot).version == last.version.rawValue, "seed \(seed)")
            try expectSound(store, allowingTornCopy: true)
        }
    }

    /// A checkpoint had chosen the version to fold, and the freezes known at that point, when
    /// another process froze an older version. The root of the checkpoint dropped that version, and
    /// the freeze named nothing.
    @Test(
        "A freeze keeps its version whatever the order of steps",
        .timeLimit(.minutes(5 + 2 * TestScale.factor))
    )
    func older() throws {
        var count = 0
        for seed in Self.seeds {
            let run = try Run(seed: seed)
            try run.scheduler.run()
            let disk = run.scheduler.disk
            let store = try Store.open(
                Self.path, readOnly: true, services: disk.services(entropySeed: 10))
            for freeze in run.freezes.withLock({ $0 }) {
                count += 1
                do {
                    let snapshot = try store.snapshot(at: .freeze(freeze.name))
                    #expect(try CrewState(snapshot).version == freeze.version.rawValue)
                } catch {
                    throw CrewBreach("seed \(seed), version \(freeze.version.rawValue): \(error)")
                }
            }
            try expectSound(store, allowingTornCopy: true)
        }
        print("scheduled freezes: \(Self.seeds.count) runs, \(count) freezes")
        #expect(count > 0)
    }
}
