import ArgumentParser
import FirnFormats
import FirnPlatform

/// The time limit of a command that changes or copies large amounts of data.
struct TimeoutOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Give up after this long, and exit with 124: \(TimeSpan.forms).", valueName: "DURATION")
    )
    var timeout: TimeSpan?
}

/// A command with a time limit.
protocol LimitedSubcommand: Subcommand {
    var ending: TimeoutOptions { get }
}

extension LimitedSubcommand {
    var timeLimit: TimeSpan? { ending.timeout }
}

extension CommandEnvironment {
    /// Stops a command when its time limit is reached, as a signal would.
    ///
    /// - Parameters:
    ///   - limit: the limit; `nil` for none.
    ///   - body: checks for signals during long work.
    func limiting<Result>(
        to limit: TimeSpan?, _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard let limit else { return try body() }
        do { try raiseAlarm(limit.nanoseconds) } catch {
            throw .diagnostic(Diagnostic(error, "cannot set a time limit"))
        }
        // The shell continues after a command that finished in time.
        defer { endAlarm() }
        do { return try body() } catch {
            guard case .interrupted(Signals.alarm) = error else { throw error }
            throw .diagnostic(
                Diagnostic(.commandTimeout, "gave up after \(limit.text)"))
        }
    }
}
