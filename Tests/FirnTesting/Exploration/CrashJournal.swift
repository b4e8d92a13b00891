import FirnPlatform

/// What a workload set out to do and what it was told is done, kept outside of the disk that
/// crashes.
///
/// After a crash everything acknowledged must be there, and nothing that was not begun.
package final class CrashJournal<Step: Sendable>: Sendable {
    private let steps = Guarded<(begun: [Step], acknowledged: [Step])>(
        (begun: [], acknowledged: []))

    package init() {}

    /// Notes a step before its first effect.
    package func begin(_ step: Step) { steps.withLock { $0.begun.append(step) } }

    /// Notes that whoever asked for the step was told that it is done.
    package func acknowledge(_ step: Step) { steps.withLock { $0.acknowledged.append(step) } }

    /// Notes a step, does it, and acknowledges it if it did not throw.
    package func perform(_ step: Step, _ body: () throws -> Void) rethrows {
        begin(step)
        try body()
        acknowledge(step)
    }

    package var begun: [Step] { steps.withLock { $0.begun } }
    package var acknowledged: [Step] { steps.withLock { $0.acknowledged } }
}
