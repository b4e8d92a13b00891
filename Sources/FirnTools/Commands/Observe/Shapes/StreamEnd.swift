import FirnPlatform

/// Why a stream ends, as its last line says it.
enum StreamEnd: String {
    case count
    case until
    /// Somebody pressed the key for it: never a line, as only a table has keys.
    case quit
    case idle
    case timeout
    case interrupted
    case terminated
    case replaced
    case removed
    case error

    /// What a failure is to the reader of the stream.
    init(_ failure: CommandFailure) {
        switch failure {
        case .interrupted(signal: Signals.interrupt): self = .interrupted
        case .interrupted: self = .terminated
        case .diagnostic, .ended: self = .error
        }
    }

    /// How the command ends for a reason that is no failure.
    var status: ExitStatus {
        switch self {
        case .count, .until, .quit: .ok
        case .idle, .timeout: .timeout
        case .replaced: .unavailable
        case .removed: .noInput
        // The signal, or the failure itself, says how it ends.
        case .interrupted, .terminated, .error: .software
        }
    }
}

/// Why a stream begins anew.
enum StreamReset: String {
    /// The version that it was at is not kept any more.
    case historyGone = "history-gone"
    /// More commits wait than `--max-lag` allows.
    case lag
    /// Classes or properties are others now.
    case schemaChanged = "schema-changed"
    /// Another file took the place of the database.
    case replaced
}
