/// A scheduled run that failed, with all details needed to reproduce it.
package struct SchedulerFailure: Error, CustomStringConvertible {
    package enum Reason: Sendable {
        /// All threads wait, none of them for a time.
        case deadlock
        case tooManySteps
        /// The thread with the turn did nothing for a long time, maybe because it waits for another
        /// one that has no turn.
        case stuck
        /// A thread that the scheduler did not start used the disk.
        case stranger(SimulatedOperation)
        case threw(process: String, any Error)
    }

    package let seed: UInt64
    package let steps: Int
    package let reason: Reason
    /// The last points, oldest first.
    package let trace: [SwitchPoint]

    package var description: String {
        """
        seed \(seed), step \(steps): \(reasonText)
          \(trace.map(\.description).joined(separator: "\n  "))
        """
    }

    private var reasonText: String {
        switch reason {
        case .deadlock: "all threads wait, and nobody will wake them"
        case .tooManySteps: "no end after so many steps"
        case .stuck: "a thread stands still outside of the disk, shared memory and the clock"
        case .stranger(let operation): "a thread that was not scheduled did: \(operation)"
        case .threw(let process, let error): "\(process) threw: \(error)"
        }
    }
}
