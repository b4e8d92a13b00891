import FirnValues

/// The exit status of a command; scripts can rely on the numbers.
///
/// New statuses may appear; a script must treat an unknown status as a failure.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case ok = 0
    /// A requested negative result: no rows under `-e`, damage found by `check`.
    case no = 1
    /// The command line is wrong.
    case usage = 64
    /// The query or the input is invalid.
    case data = 65
    /// A file or class does not exist.
    case noInput = 66
    /// A version that is no longer kept.
    case unavailable = 69
    /// An internal error in firn.
    case software = 70
    /// The output already exists or cannot be created.
    case cannotCreate = 73
    /// A read or write failed, or the file is damaged.
    case inputOutput = 74
    /// Locked by another process: try again.
    case temporaryFailure = 75
    /// The change was committed, but a later step failed, such as printing the report.
    case unreported = 76
    /// Permission denied.
    case noPermission = 77
    /// The user's settings cannot be read, or are invalid.
    case configuration = 78
    /// The time limit was reached.
    case timeout = 124

    /// Whether the same command may succeed later without any change.
    package var isRetryable: Bool { self == .temporaryFailure }
}
