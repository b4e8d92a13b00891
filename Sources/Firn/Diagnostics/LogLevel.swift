/// The severity of a message and the threshold of a ``Logger``.
public enum LogLevel: UInt, CaseIterable, Comparable, Sendable {
    /// No messages.
    case off = 0
    /// Errors that end the program.
    ///
    /// Firn writes these to the standard error, not to the log.
    case fatal = 1
    /// Failures that may not be reported to the program in any other way.
    case error = 2
    /// Operations that did not proceed as requested, such as recreating a file.
    case warn = 3
    /// Rare operations on request, such as compacting a file.
    case info = 4
    /// The opening of files.
    case detail = 5
    /// The end of each write transaction.
    case debug = 6
    /// Each advance of a realm to a newer version.
    case trace = 7
    /// All messages.
    case all = 8

    /// Returns a Boolean value that indicates whether the left level admits fewer messages.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
