/// How much what a ``Logger`` is told matters, and up to where it wants to be told.
public enum LogLevel: UInt, CaseIterable, Comparable, Sendable {
    /// Nothing at all.
    case off = 0
    /// What ends the program. Firn itself says that on the standard error, not in the log.
    case fatal = 1
    /// What failed although nobody may be there to be told.
    case error = 2
    /// What went on, but not as it was asked for: a file was begun anew.
    case warn = 3
    /// What happens rarely and by request: a file was compacted.
    case info = 4
    /// What happens when files are opened.
    case detail = 5
    /// The end of each write transaction.
    case debug = 6
    /// Each move of a realm to a newer version.
    case trace = 7
    /// Everything.
    case all = 8

    /// Whether the left level lets less through than the right one.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
