import FirnFormats
import FirnPlatform

/// The reason for the end of a stream, as given in its last line.
enum StreamEnd: String {
    case count
    case until
    /// A key was pressed; never in a line, because only a table reads keys.
    case quit
    /// Everything was delivered, with `--catch-up`.
    case caughtUp = "caught-up"
    case idle
    case timeout
    case interrupted
    case terminated
    case replaced
    case removed
    case error

    /// Returns the reason that the reader of the stream sees for a failure.
    init(_ failure: CommandFailure) {
        switch failure {
        case .interrupted(signal: Signals.interrupt): self = .interrupted
        case .interrupted: self = .terminated
        case .diagnostic, .ended: self = .error
        }
    }

    /// The exit status for a reason that is not a failure.
    var status: ExitStatus {
        switch self {
        case .count, .until, .quit, .caughtUp: .ok
        case .idle, .timeout: .timeout
        case .replaced: .unavailable
        case .removed: .noInput
        // The signal or the failure itself determines the status.
        case .interrupted, .terminated, .error: .software
        }
    }
}

/// The reason for a restart of a stream.
enum StreamReset: String {
    /// The version of the stream is no longer kept.
    case historyGone = "history-gone"
    /// More commits are waiting than `--max-lag` allows.
    case lag
    /// Classes or properties have changed.
    case schemaChanged = "schema-changed"
    /// Another file replaced the database.
    case replaced
}
