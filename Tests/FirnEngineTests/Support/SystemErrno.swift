/// Error numbers that are the same on Linux and macOS.
enum SystemErrno {
    static let inputOutput: Int32 = 5
    static let diskFull: Int32 = 28
}
