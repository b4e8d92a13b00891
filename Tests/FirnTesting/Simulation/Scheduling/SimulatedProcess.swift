package import FirnPlatform

/// A process that a ``ProcessScheduler`` runs.
package final class SimulatedProcess: Sendable {
    package let name: String
    /// The disk of the machine, as opened by this process.
    package let files: SimulatedFileSystem
    package let clock: any Clock
    package let entropy: any Entropy
    private unowned let scheduler: ProcessScheduler

    init(
        name: String, scheduler: ProcessScheduler, files: SimulatedFileSystem, entropySeed: UInt64
    ) {
        self.name = name
        self.scheduler = scheduler
        self.files = files
        clock = ScheduledClock(scheduler: scheduler)
        entropy = SeededEntropy(seed: entropySeed)
    }

    /// The services that a program gets from the machine.
    package var services: SystemServices {
        SystemServices(
            files: files, clock: clock, entropy: entropy, bootIdentity: files.bootIdentity)
    }

    /// Whether it was neither killed nor has ended.
    package var isAlive: Bool { files.isAlive }

    /// Starts another thread of this process.
    package func startThread(
        _ name: String, _ body: @escaping @Sendable (SimulatedProcess) throws -> Void
    ) {
        scheduler.startThread(of: self, name, body)
    }
}

/// The time of a scheduled run.
private final class ScheduledClock: Clock {
    private unowned let scheduler: ProcessScheduler

    init(scheduler: ProcessScheduler) { self.scheduler = scheduler }

    func monotonicNanoseconds() -> UInt64 { scheduler.lock.withLock { scheduler.now } }

    func wallTime() -> (seconds: Int64, nanoseconds: Int32) {
        let now = monotonicNanoseconds()
        return (1_767_225_600 + Int64(now / 1_000_000_000), Int32(now % 1_000_000_000))
    }

    func sleep(nanoseconds: UInt64) { scheduler.sleep(nanoseconds: nanoseconds) }
}

/// A moment of a scheduled run, before an operation.
package struct SwitchPoint: Sendable, CustomStringConvertible {
    /// The number of the step, from 1.
    package let step: Int
    package let process: SimulatedProcess
    package let thread: String
    package let operation: SimulatedOperation

    package var description: String {
        let who = thread == process.name ? thread : "\(process.name), \(thread)"
        return "\(step) \(who): \(operation)"
    }
}
