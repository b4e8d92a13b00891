/// How a command ends; the numbers are a promise to scripts.
///
/// New ones may appear: what a script
/// does not know is a failure.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case ok = 0
    /// A negative answer that was asked for: no rows under `-e`, damage found by `check`.
    case no = 1
    /// The command line is wrong.
    case usage = 64
    /// The query or the input is wrong.
    case data = 65
    /// A file or class does not exist.
    case noInput = 66
    /// A version that no longer exists.
    case unavailable = 69
    /// A mistake in firn itself.
    case software = 70
    /// The output exists already or cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed, or the file is damaged.
    case inputOutput = 74
    /// Locked by another process: try again.
    case temporaryFailure = 75
    /// The change was committed, and what came after it failed, such as printing the report.
    case unreported = 76
    /// Permission denied.
    case noPermission = 77
    /// The settings of the user cannot be read, or are wrong.
    case configuration = 78
    /// The time that was given is over.
    case timeout = 124

    /// Whether the same command may succeed later without any change.
    package var isRetryable: Bool { self == .temporaryFailure }
}
