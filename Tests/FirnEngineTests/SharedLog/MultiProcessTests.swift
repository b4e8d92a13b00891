import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Several processes over one simulated disk, of which a seed decides the one that runs.
@Suite("Processes that use a database concurrently")
struct MultiProcessTests {
    /// The participants, and the rounds of work of each.
    private struct Cast {
        var writers = 2
        var guests = 0
        var readers = 1
        var waiters = 0
        var checkpointers = 1
        var rounds = 6
        var logging = StoreOptions.Logging.always
        var writesPages = false
    }

    private static let casts = [
        Cast(),
        Cast(writers: 3, readers: 0, checkpointers: 2),
        Cast(writers: 1, guests: 2, readers: 1, checkpointers: 1, logging: .automatic),
        Cast(writers: 0, guests: 3, readers: 1, checkpointers: 0),
        Cast(writers: 1, guests: 1, readers: 0, waiters: 2, writesPages: true),
    ]

    private static let seeds = TestScale.seeds(5)

    private static func scheduler(_ seed: UInt64) throws -> ProcessScheduler {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        return ProcessScheduler(seed: seed, disk: disk, stepsMax: 2_000_000)
    }

    /// Starts all participants.
    ///
    /// - Returns: those that may be killed.
    @discardableResult
    private static func start(
        _ cast: Cast, _ ledger: Ledger, on scheduler: ProcessScheduler
    ) -> [SimulatedProcess] {
        var processes: [SimulatedProcess] = []
        for number in 0..<cast.writers {
            processes.append(
                scheduler.start("writer \(number)") { process in
                    let store = try Ledger.open(process.services, logging: cast.logging)
                    for round in 0..<cast.rounds {
                        let writesPages = cast.writesPages && (round + number) % 3 == 1
                        try ledger.commit(
                            (number + 1) * 1000 + round, writesPages ? .pages : .operations,
                            to: store)
                    }
                    try store.close()
                })
        }
        for number in 0..<cast.guests {
            processes.append(
                scheduler.start("guest \(number)") { process in
                    for visit in 0..<cast.rounds / 2 {
                        let store = try Ledger.open(process.services, logging: cast.logging)
                        for round in 0...visit % 3 {
                            try ledger.commit(
                                (number + 10) * 1000 + visit * 10 + round, to: store)
                        }
                        try store.close()
                    }
                })
        }
        for number in 0..<cast.readers {
            processes.append(
                scheduler.start("reader \(number)") { process in
                    let store = try Ledger.open(process.services, readOnly: number % 2 == 0)
                    var last = LSN.zero
                    for _ in 0..<cast.rounds * 2 { last = try ledger.look(store, notBefore: last) }
                })
        }
        for number in 0..<cast.waiters {
            processes.append(
                scheduler.start("waiter \(number)") { process in
                    let store = try Ledger.open(process.services, readOnly: number == 0)
                    var last = LSN.zero
                    for _ in 0..<cast.rounds {
                        last = try store.waitForVersion(after: last, nanoseconds: 20_000_000)
                        try ledger.look(store, notBefore: last)
                    }
                })
        }
        for number in 0..<cast.checkpointers {
            processes.append(
                scheduler.start("checkpointer \(number)") { process in
                    let store = try Ledger.open(process.services, logging: cast.logging)
                    // A handle has the log open from its first write.
                    for round in 0..<cast.rounds {
                        try store.beginWrite().rollback()
                        try store.checkpoint()
                        if round == cast.rounds / 2 {
                            try ledger.commit((number + 20) * 1000, to: store)
                        }
                    }
                    try store.close()
                })
        }
        return processes
    }

    @Test("Every commit is one version for all processes, in one order", arguments: casts.indices)
    func together(cast: Int) throws {
        for seed in Self.seeds {
            let scheduler = try Self.scheduler(seed)
            let ledger = Ledger()
            Self.start(Self.casts[cast], ledger, on: scheduler)
            try Self.explain(seed) {
                try scheduler.run()
                RunCounters.scheduledRuns.add(1)
                #expect(!scheduler.disk.hasLocks, "seed \(seed): locks are left")
                try ledger.checkEnd(scheduler.disk, isAtRest: true)
            }
        }
    }

    @Test("Killed processes lose no commits", arguments: casts.indices)
    func killed(cast: Int) throws {
        for seed in Self.seeds {
            let scheduler = try Self.scheduler(seed)
            let ledger = Ledger()
            let processes = Self.start(Self.casts[cast], ledger, on: scheduler)
            let plan = KillPlan(seed: seed, processes)
            scheduler.beforeEachSwitch { scheduler, point in plan.apply(scheduler, point) }
            try Self.explain(seed) {
                try scheduler.run()
                RunCounters.scheduledRuns.add(1)
                RunCounters.simulatedKills.add(processes.count { !$0.isAlive })
                #expect(!scheduler.disk.hasLocks, "seed \(seed): the dead hold locks")
                try ledger.checkEnd(scheduler.disk, isAtRest: false)
            }
        }
    }

    @Test(
        "A power loss keeps everything that was acknowledged or seen", arguments: casts.indices)
    func powerLoss(cast: Int) throws {
        for seed in Self.seeds {
            let scheduler = try Self.scheduler(seed)
            let ledger = Ledger()
            let processes = Self.start(Self.casts[cast], ledger, on: scheduler)
            // Some processes die before.
            let plan = KillPlan(seed: seed, processes.dropLast(seed % 2 == 0 ? processes.count : 0))
            var generator = SplitMix64(seed: seed &* 31 &+ 7)
            let last = Int.random(in: 20..<9000, using: &generator)
            scheduler.beforeEachSwitch { scheduler, point in
                plan.apply(scheduler, point)
                if point.step == last { scheduler.losePower() }
            }
            try Self.explain(seed) { try scheduler.run() }
            let losses: [PowerLoss] = [
                .nothingSurvives, .everythingSurvives, .random(seed: seed),
                .random(seed: seed + 1000),
            ]
            RunCounters.scheduledRuns.add(1)
            RunCounters.crashPoints.add(1)
            RunCounters.crashImages.add(losses.count)
            for loss in losses {
                try Self.explain(seed, "\(loss)") {
                    try Ledger(ledger).checkEnd(
                        scheduler.disk.powerLossImage(loss), isAtRest: false)
                }
            }
        }
    }

    /// Adds the details needed to reproduce a failure.
    private static func explain(
        _ seed: UInt64, _ what: String = "", _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch {
            throw TestFailure("seed \(seed) \(what): \(error)")
        }
    }
}

/// The processes to kill, and the times.
private struct KillPlan: Sendable {
    private let kills: [Int: (victim: SimulatedProcess, part: AppliedPart)]

    init(seed: UInt64, _ processes: some Collection<SimulatedProcess>) {
        var generator = SplitMix64(seed: seed &* 1_000_003 &+ 5)
        var kills: [Int: (victim: SimulatedProcess, part: AppliedPart)] = [:]
        for process in processes where generator.next() % 3 < 2 {
            let step = Int.random(in: 20..<9000, using: &generator)
            kills[step] = (process, AppliedPart.allCases.randomElement(using: &generator) ?? .half)
        }
        self.kills = kills
    }

    func apply(_ scheduler: ProcessScheduler, _ point: SwitchPoint) {
        guard let (victim, part) = kills[point.step], victim.isAlive else { return }
        scheduler.kill(victim, applying: part)
    }
}
