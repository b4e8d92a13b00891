import FirnPlatform

/// Words to the person who waits.
enum Console {
    /// Writes a line to standard error, where it does not mix with the report.
    static func note(_ text: String) {
        var line = text + "\n"
        // If nobody can read it, the report still counts.
        line.withUTF8 { try? StandardStream.error.write(UnsafeRawBufferPointer($0)) }
    }
}
