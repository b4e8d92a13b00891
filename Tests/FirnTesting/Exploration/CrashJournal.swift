import FirnPlatform

/// The steps that a workload began and those that were acknowledged, kept outside of the disk that
/// crashes.
///
/// After a crash everything acknowledged must exist, and nothing that was not begun.
package final class CrashJournal<Step: Sendable>: Sendable {
    private let steps = Guarded<(begun: [Step], acknowledged: [Step])>(
        (begun: [], acknowledged: []))

    package init() {}

    /// Records a step before its first effect.
    package func begin(_ step: Step) { steps.withLock { $0.begun.append(step) } }

    /// Records the acknowledgement of a step.
    package func acknowledge(_ step: Step) { steps.withLock { $0.acknowledged.append(step) } }

    /// Records a step, performs it, and acknowledges it if it did not throw.
    package func perform(_ step: Step, _ body: () throws -> Void) rethrows {
        begin(step)
        try body()
        acknowledge(step)
    }

    package var begun: [Step] { steps.withLock { $0.begun } }
    package var acknowledged: [Step] { steps.withLock { $0.acknowledged } }
}
