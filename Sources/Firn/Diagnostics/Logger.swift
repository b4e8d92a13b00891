import FirnPlatform
import FirnValues
import Foundation

/// Is told what the realms of this process do.
///
///     Logger.shared.level = .debug
///     Logger.shared = Logger(level: .detail) { level, message in
///         print("\(level): \(message)")
///     }
///
/// Messages have paths of files, names of classes and numbers in them, never what objects have.
public final class Logger: Sendable {
    private let currentLevel: Guarded<LogLevel>
    private let logFunction: @Sendable (LogLevel, String) -> Void

    /// Makes a logger; it is told something once it is ``shared``.
    ///
    /// - Parameters:
    ///   - level: up to where it wants to be told.
    ///   - logFunction: gets the level of a message and the message. It is called on any thread, also on
    ///     several at once, while that waits: it must be quick, and not use realms.
    public init(
        level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
    ) {
        currentLevel = Guarded(level)
        self.logFunction = logFunction
    }

    /// Up to where the logger wants to be told.
    public var level: LogLevel {
        get { currentLevel.withLock { $0 } }
        set { currentLevel.withLock { $0 = newValue } }
    }

    private static let current = Guarded(
        Logger(level: .info) { level, message in
            // A standard error that is closed is no reason to stop.
            try? FileHandle.standardError.write(
                contentsOf: Data("Firn: \(level): \(message)\n".utf8))
        })

    /// The logger of this process.
    ///
    /// The first one has the level `info` and writes to the standard error.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Tells the logger of this process something, if it wants to know.
    ///
    /// - Parameter message: is only made then.
    static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        let logger = shared
        guard level <= logger.level else { return }
        logger.logFunction(level, message())
    }
}
