import FirnPlatform

/// Words to whoever waits.
enum Console {
    /// Writes a line to standard error, where it does not mix with the report.
    static func note(_ text: String) { write(text, to: .error) }

    /// Writes a line to standard output at once: a process waits for it.
    static func say(_ text: String) { write(text, to: .output) }

    private static func write(_ text: String, to stream: StandardStream) {
        var line = text + "\n"
        // If nobody can read it, the report still counts.
        line.withUTF8 { try? stream.write(UnsafeRawBufferPointer($0)) }
    }
}
