import FirnPlatform

/// Output for the user and for a waiting process.
enum Console {
    /// Writes a line to standard error, where it does not mix with the report.
    static func note(_ text: String) { write(text, to: .error) }

    /// Writes a line to standard output immediately: a process waits for it.
    static func say(_ text: String) { write(text, to: .output) }

    private static func write(_ text: String, to stream: StandardStream) {
        var line = text + "\n"
        // If the stream cannot be written, the report still counts.
        line.withUTF8 { try? stream.write(UnsafeRawBufferPointer($0)) }
    }
}
