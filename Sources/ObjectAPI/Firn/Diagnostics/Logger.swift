import FirnPlatform
import FirnValues
import Foundation

/// Receives the log messages of the realms in this process.
///
///     Logger.shared.level = .debug
///     Logger.shared = Logger(level: .detail) { level, message in
///         print("\(level): \(message)")
///     }
///
/// Messages contain paths of files, names of classes and numbers, but never the values of objects.
public final class Logger: Sendable {
    private let currentLevel: Guarded<LogLevel>
    private let logFunction: @Sendable (LogLevel, String) -> Void

    /// Creates a logger, which receives messages once it is ``shared``.
    ///
    /// - Parameters:
    ///   - level: The threshold of the logger.
    ///   - logFunction: A closure that receives the level and the text of each message. It is
    ///     called synchronously on any thread, and on several threads at once. It must return
    ///     quickly and not use realms.
    public init(
        level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
    ) {
        currentLevel = Guarded(level)
        self.logFunction = logFunction
    }

    /// The threshold of the logger.
    ///
    /// Messages above this level are not delivered.
    public var level: LogLevel {
        get { currentLevel.withLock { $0 } }
        set { currentLevel.withLock { $0 = newValue } }
    }

    private static let current = Guarded(
        Logger(level: .info) { level, message in
            // A closed standard error does not stop the program.
            try? FileHandle.standardError.write(
                contentsOf: Data("Firn: \(level): \(message)\n".utf8))
        })

    /// The logger of this process.
    ///
    /// The default logger has the level `info` and writes to the standard error.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Passes a message to the logger of this process if its level admits the message.
    ///
    /// - Parameter message: The message, which is only computed if it is admitted.
    package static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        let logger = shared
        guard level <= logger.level else { return }
        logger.logFunction(level, message())
    }
}

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
