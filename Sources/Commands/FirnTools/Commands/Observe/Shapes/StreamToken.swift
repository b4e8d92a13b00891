import FirnEngine
import FirnQuery
import FirnValues

/// A position in the stream of a database, as in lines: `o2.43.91be02d7.5f3a9c21`.
///
///     o2          the form
///     43          the version
///     91be02d7    a checksum that ties the token to the database
///     5f3a9c21    a checksum of the commit, which tells the version from one with the same number in
///                 another history of the file, such as after an older copy was put back
///
/// Tokens of the form `o1`, without the last part, are read as well.
struct StreamToken: Hashable {
    private static let prefix = "o2"
    private static let formerPrefix = "o1"
    private static let checkDigits = 8

    /// The version.
    let version: LSN
    /// The checksum of the commit; `nil` if the token has none.
    private let commit: UInt32?

    /// The position after a commit.
    init(_ version: LSN, _ chain: ChainHash) {
        self.version = version
        commit = UInt32(truncatingIfNeeded: chain.rawValue >> 32 ^ chain.rawValue)
    }

    /// The position of a reader that has a version.
    init(after snapshot: DatabaseSnapshot) {
        self.init(snapshot.version, snapshot.snapshot.chain)
    }

    /// The position after the commit with this number, in any history.
    init(of version: LSN) {
        self.version = version
        commit = nil
    }

    /// The position before the first commit.
    static let beginning = StreamToken(.zero, .origin)

    /// Parses a token.
    ///
    /// - Returns: `nil` if the token belongs to another database or is invalid.
    init?(_ text: String, in database: UUID) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4, let number = UInt64(parts[1]) else {
            return nil
        }
        version = LSN(number)
        if parts.count == 4 {
            guard let commit = UInt32(parts[3], radix: 16) else { return nil }
            self.commit = commit
        } else {
            commit = nil
        }
        guard self.text(in: database) == text else { return nil }
    }

    /// Returns the text of the token for a database.
    func text(in database: UUID) -> String {
        let check = StreamToken.digits(StreamToken.check(version, database))
        guard let commit else {
            return "\(StreamToken.formerPrefix).\(version.rawValue).\(check)"
        }
        return "\(StreamToken.prefix).\(version.rawValue).\(check).\(StreamToken.digits(commit))"
    }

    /// Returns whether the token belongs to a version.
    func isPosition(of version: LSN, _ chain: ChainHash) -> Bool {
        guard self.version == version else { return false }
        return commit == nil || self == StreamToken(version, chain)
    }

    private static func digits(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: checkDigits - digits.count) + digits
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
