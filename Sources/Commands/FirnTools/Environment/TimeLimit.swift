import FirnFormats
import FirnPlatform
import FirnValues

/// Interrupts a query at its time limit or after a signal.
struct TimeLimit {
    private let span: UInt64?
    private let deadline: UInt64?
    private let environment: CommandEnvironment

    /// - Parameters:
    ///   - nanoseconds: the limit; `nil` for none.
    ///   - start: the clock at the start of the command.
    init(_ nanoseconds: UInt64?, from start: UInt64, _ environment: CommandEnvironment) {
        span = nanoseconds
        deadline = nanoseconds.map { start.addingReportingOverflow($0) }
            .map { $0.overflow ? .max : $0.partialValue }
        self.environment = environment
    }

    /// Returns whether to stop; called once per page.
    var isReached: () -> Bool { { isOver || environment.pendingSignal() != nil } }

    private var isOver: Bool {
        guard let deadline else { return false }
        return environment.services.clock.monotonicNanoseconds() >= deadline
    }

    /// Runs an operation that stops when ``isReached`` is true, and throws the reason.
    func watching<Result>(
        _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try body() } catch {
            guard case .diagnostic(let diagnostic) = error, diagnostic.slug == .queryCancelled
            else {
                throw error
            }
            try environment.checkSignals()
            throw .diagnostic(
                Diagnostic(
                    .queryTimeout,
                    "the query took longer than \(TimeSpan(nanoseconds: span ?? 0).text)"))
        }
    }
}
