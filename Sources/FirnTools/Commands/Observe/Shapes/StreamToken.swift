import FirnValues

/// A position in the stream of a database, as in lines: `o1.43.91be02d7`.
///
/// The last part is a checksum that ties the token to the database.
enum StreamToken {
    private static let prefix = "o1"
    private static let checkDigits = 8

    static func text(_ version: LSN, in database: UUID) -> String {
        let digits = String(check(version, database), radix: 16)
        let zeros = String(repeating: "0", count: checkDigits - digits.count)
        return "\(prefix).\(version.rawValue).\(zeros)\(digits)"
    }

    /// Returns the version of a token.
    ///
    /// - Returns: `nil` if the token belongs to another database or is invalid.
    static func version(_ text: String, in database: UUID) -> LSN? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = UInt64(parts[1]) else { return nil }
        let version = LSN(number)
        return StreamToken.text(version, in: database) == text ? version : nil
    }

    /// Returns a checksum: every bit of the database id and of the version changes half of its
    /// bits.
    private static func check(_ version: LSN, _ database: UUID) -> UInt32 {
        var mixed: UInt64 = 0
        for part in [database.high, database.low, version.rawValue] {
            mixed = (mixed ^ part) &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
        }
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
