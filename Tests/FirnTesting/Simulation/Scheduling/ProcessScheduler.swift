import FirnPlatform

/// Runs several processes of one simulated machine, exactly one thread at any time.
///
///     let scheduler = ProcessScheduler(seed: seed)
///     for number in 0..<4 {
///         scheduler.start("writer \(number)") { process in
///             let store = try Store.open("/x", services: process.services)
///             ...
///         }
///     }
///     try scheduler.run()
///
/// Each process has its own handles, clock and entropy over one disk; each of its threads is a real
/// one, and only the thread with the turn runs. The turn may go to any other thread before every
/// operation on the disk, every access to shared memory and every sleep, as a generator decides:
/// the same seed always gives the same run. Between two such points a thread is alone, so this does
/// not find races of plain memory.
///
/// Time is simulated. Every point costs ``stepNanoseconds``; a thread that sleeps, or waits for a
/// word of shared memory, has no turn before its time or its wake-up, and when all wait, time
/// jumps. Sometimes a wait ends without a reason, as real ones do.
///
/// A killed process never acts again: all its calls fail or are ignored, its locks are free at
/// once, and its threads run to their end without effect. Locks between the threads of one process
/// must not be held across such a point: a thread that waits for another one in any other way than
/// through the disk, shared memory or the clock blocks forever. Threads that the scheduler did not
/// start must not use the disk while it runs.
package final class ProcessScheduler: @unchecked Sendable {
    /// The simulated time that each point costs.
    package static let stepNanoseconds: UInt64 = 1000
    /// The number of points that a failure shows.
    static let traceMax = 50
    /// The number of attempts of a dead thread before it is abandoned: code that cannot throw may
    /// retry forever.
    static let lastCallsMax = 10_000
    /// The real time that a thread may run without reaching a point.
    private static let stuckNanoseconds: UInt64 = 60_000_000_000

    package let seed: UInt64
    package let disk: SimulatedFileSystem
    let stepsMax: Int

    // Everything below is accessed under the lock only.
    let lock = Lock()
    let hasEnded = Condition()
    var threads: [ScheduledThread] = []
    /// The thread with the turn.
    var current: ScheduledThread?
    var generator: SplitMix64
    /// The number of throws of 8 at a point that leave the turn where it is: some runs switch all
    /// the time, some let a thread run long.
    let staysOfEight: UInt64
    var now: UInt64 = 1_000_000_000
    var steps = 0
    var trace: [SwitchPoint] = []
    var failure: SchedulerFailure?
    var isRunning = false
    var interference: (@Sendable (ProcessScheduler, SwitchPoint) -> Void)?
    /// The number of processes that were started.
    private var processCount: UInt64 = 0

    /// - Parameters:
    ///   - seed: decides all choices.
    ///   - disk: the disk of all processes, which nothing else uses during ``run()``.
    ///   - stepsMax: the run has failed after more points than this.
    package init(
        seed: UInt64, disk: SimulatedFileSystem = SimulatedFileSystem(), stepsMax: Int = 500_000
    ) {
        self.seed = seed
        self.disk = disk
        self.stepsMax = stepsMax
        generator = SplitMix64(seed: seed &* 0x1_0000_01B3)
        staysOfEight = [0, 4, 7][Int(generator.next() % 3)]
        disk.setScheduler(self)
    }

    // MARK: Before and during a run

    /// Starts a process with one thread; during a run it gets its first turn later.
    ///
    /// An error that the body throws while its process lives makes the run fail. When its last
    /// thread has ended the process exits, and all its locks are released.
    @discardableResult
    package func start(
        _ name: String, _ body: @escaping @Sendable (SimulatedProcess) throws -> Void
    ) -> SimulatedProcess {
        let number = lock.withLock {
            processCount += 1
            return processCount
        }
        let process = SimulatedProcess(
            name: name, scheduler: self, files: disk.anotherProcess(),
            entropySeed: seed &* 1_000_003 &+ number)
        startThread(of: process, name, body)
        return process
    }

    /// Sets a closure that is called at every point, on the thread with the turn and before the
    /// operation: it may kill processes, start others or cut the power. Its own actions are not
    /// points.
    package func beforeEachSwitch(
        _ body: (@Sendable (ProcessScheduler, SwitchPoint) -> Void)?
    ) {
        lock.withLock { interference = body }
    }

    /// Kills a process like `kill -9`.
    ///
    /// - Parameter part: the part of its next operation on the disk that still happens.
    package func kill(_ process: SimulatedProcess, applying part: AppliedPart = .nothing) {
        process.files.kill(applying: part)
        lock.withLock { free(of: process) }
    }

    /// Ends all processes, and leaves unsynced data in doubt.
    ///
    /// The result is an image of ``disk``, as after ``SimulatedFileSystem/crash()``.
    package func losePower() {
        disk.crash()
        lock.withLock { for thread in threads { free(of: thread.process) } }
    }

    /// The number of points passed.
    package var stepCount: Int { lock.withLock { steps } }

    // MARK: Running

    /// Runs until the last thread has ended.
    ///
    /// - Throws: ``SchedulerFailure``.
    package func run() throws {
        let ended = lock.withLock {
            runToEnd()
            return threads.compactMap { $0.takeWorker() }
        }
        // Outside of the lock, which they take on their way out.
        for worker in ended { worker.join() }
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    private func runToEnd() {
        isRunning = true
        passTurn()
        var stepsSeen = -1
        while threads.contains(where: { $0.isActive }) {
            let isWoken = hasEnded.wait(lock, nanoseconds: Self.stuckNanoseconds)
            if !isWoken, steps == stepsSeen {
                fail(.stuck)
                break
            }
            stepsSeen = steps
        }
        isRunning = false
    }

    /// Records the first failure, and lets all threads end.
    func fail(_ reason: SchedulerFailure.Reason) {
        guard failure == nil else { return }
        failure = SchedulerFailure(seed: seed, steps: steps, reason: reason, trace: trace)
        for thread in threads where thread.isActive {
            thread.process.files.kill()
            free(of: thread.process)
        }
    }

    /// Lets the threads of a dead process run to their end.
    func free(of process: SimulatedProcess) {
        for thread in threads where thread.process === process && thread.isActive {
            thread.state = .runnable
        }
    }
}
