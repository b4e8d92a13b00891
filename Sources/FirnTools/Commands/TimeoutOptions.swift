import ArgumentParser
import FirnPlatform

/// When a command gives up that changes or copies much.
struct TimeoutOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Give up after this long, and exit with 124: \(TimeSpan.forms).", valueName: "DURATION")
    )
    var timeout: TimeSpan?
}

/// A command that can be told when to give up.
protocol LimitedSubcommand: Subcommand {
    var ending: TimeoutOptions { get }
}

extension LimitedSubcommand {
    var timeLimit: TimeSpan? { ending.timeout }
}

extension CommandEnvironment {
    /// Ends what a command does as a signal would, once its time is over.
    ///
    /// - Parameters:
    ///   - limit: `nil` for no end.
    ///   - body: asks for signals wherever it takes long.
    func limiting<Result>(
        to limit: TimeSpan?, _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard let limit else { return try body() }
        do { try raiseAlarm(limit.nanoseconds) } catch {
            throw .diagnostic(Diagnostic(error, "cannot set a time limit"))
        }
        // The shell goes on after a command that was in time.
        defer { endAlarm() }
        do { return try body() } catch {
            guard case .interrupted(Signals.alarm) = error else { throw error }
            throw .diagnostic(
                Diagnostic(.commandTimeout, "gave up after \(limit.text)"))
        }
    }
}
