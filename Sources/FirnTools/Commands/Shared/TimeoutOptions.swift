import ArgumentParser
import FirnPlatform

/// When a command gives up that changes or copies much.
struct TimeoutOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Give up after so long, with status 124: \(TimeSpan.forms).", valueName: "DURATION"))
    var timeout: TimeSpan?

    /// Ends the command as a signal would, once the time is over.
    ///
    /// - Parameter body: what the command does; it asks for signals wherever it takes long.
    func limiting<Result>(
        _ surroundings: Surroundings, _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard let timeout else { return try body() }
        do { try surroundings.raiseAlarm(timeout.nanoseconds) } catch {
            throw .diagnostic(Diagnostic(error, "cannot limit the time"))
        }
        do { return try body() } catch {
            guard case .interrupted(Signals.alarm) = error else { throw error }
            throw .diagnostic(
                Diagnostic(.commandTimeout, "not done after \(timeout.text), and given up"))
        }
    }
}
