/// Error numbers of the machine that the tests run on.
enum SystemErrno {
    static let inputOutput: Int32 = 5
    static let fileTooLarge: Int32 = 27
    static let diskFull: Int32 = 28
    #if canImport(Darwin)
    static let quotaUsed: Int32 = 69
    #else
    static let quotaUsed: Int32 = 122
    #endif
}
