import ArgumentParser
import FirnFormats

/// The time that a command waits for another writer.
struct WaitOptions: ParsableArguments {
    private static let standard = TimeSpan(nanoseconds: 5_000_000_000)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long to wait while another process writes: \(TimeSpan.forms), or 0 (default: "
                + "FIRN_WAIT, or 5s).",
            valueName: "DURATION"))
    var wait: TimeSpan?

    /// Returns the wait time; the option takes precedence over the environment.
    func span(_ environment: CommandEnvironment) throws(CommandFailure) -> TimeSpan {
        try WaitOptions.span(wait, environment)
    }

    /// - Parameter wait: the value of the option; `nil` if it is not given.
    static func span(
        _ wait: TimeSpan?, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> TimeSpan {
        if let wait { return wait }
        guard let text = environment.variable("FIRN_WAIT") else { return WaitOptions.standard }
        guard let span = TimeSpan(argument: text) else {
            throw .diagnostic(
                .usage(
                    "FIRN_WAIT is \"\(text)\", which is not a duration such as \(TimeSpan.forms)"))
        }
        return span
    }
}
