#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The keys of a terminal, one by one and without being shown while this exists.
///
/// Ctrl-C and Ctrl-Z do what they always do. The terminal is as it was after ``restore()``.
package final class TerminalKeys {
    private let stream: StandardStream
    private var before: termios?
    /// Whether nobody will press anything any more.
    private var hasEnded = false

    /// - Returns: `nil` if the stream is no terminal, or if the terminal is somebody else's now:
    ///   whoever runs in the background is not to touch it.
    package init?(_ stream: StandardStream = .input) {
        self.stream = stream
        var settings = termios()
        guard stream.isTerminal, tcgetpgrp(stream.rawValue) == getpgrp(),
            tcgetattr(stream.rawValue, &settings) == 0
        else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(stream.rawValue, TCSANOW, &settings) == 0 else { return nil }
    }

    /// Whether any key was pressed since ``pressed()``.
    package var hasPressed: Bool { !hasEnded && stream.hasInput }

    /// The keys that were pressed since the last time.
    package func pressed() -> [UInt8] {
        guard hasPressed else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { buffer in
            // A terminal that cannot be read has no keys.
            (try? stream.read(into: buffer)) ?? 0
        }
        if count == 0 { hasEnded = true }
        return Array(bytes.prefix(count))
    }

    package func restore() {
        guard var settings = before else { return }
        before = nil
        // In the background it is the shell that has the terminal, and its settings.
        guard tcgetpgrp(stream.rawValue) == getpgrp() else { return }
        tcsetattr(stream.rawValue, TCSADRAIN, &settings)
    }

    deinit { restore() }
}
