import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the keys of a terminal one by one, without echo, during its lifetime.
///
/// Ctrl-C and Ctrl-Z keep their function. ``restore()`` restores the terminal settings.
package final class TerminalKeys {
    private let stream: StandardStream
    private var before: termios?
    /// Whether the input has ended.
    private var hasEnded = false

    /// Changes the terminal settings.
    ///
    /// - Returns: `nil` if the stream is not a terminal, or if the process is in the background and
    ///   must not change the terminal.
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

    /// Whether a key was pressed since ``pressed()``.
    package var hasPressed: Bool { !hasEnded && stream.hasInput }

    /// Returns the keys that were pressed since the last call.
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
        // In the background, the terminal and its settings belong to the shell.
        guard tcgetpgrp(stream.rawValue) == getpgrp() else { return }
        tcsetattr(stream.rawValue, TCSADRAIN, &settings)
    }

    deinit { restore() }
}
