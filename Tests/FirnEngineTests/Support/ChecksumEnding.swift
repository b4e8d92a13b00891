import FirnCodec
import FirnTesting

/// Eight bytes that complete other bytes to any wanted checksum.
///
/// The last steps of XXH64 can be reversed one by one, and the last eight bytes enter the first of
/// them.
enum ChecksumEnding {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63

    /// The bytes with eight more, so that the whole has this checksum.
    ///
    /// - Precondition: the eight bytes are then read as one of the words after the last whole 32
    ///   bytes.
    static func complete(_ bytes: [UInt8], seed: UInt64, checksum: UInt64) -> [UInt8] {
        let count = bytes.count + 8
        precondition(count % 8 == 0 && count % 32 != 0)
        let plain = (bytes + [UInt8](repeating: 0, count: 8)).withUnsafeBytes {
            Checksum.xxh64($0, seed: seed)
        }
        // A word of zeros changes nothing in the round: this is the state before the ending.
        let before = beforeWord(beforeAvalanche(plain))
        let mixed = before ^ beforeWord(beforeAvalanche(checksum))
        let word = rotateRight(mixed &* inverse(prime1), 31) &* inverse(prime2)
        return bytes + (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) }
    }

    /// A stored blob with room for an ending after the bytes that its reader decodes.
    static func room(for stored: [UInt8]) -> [UInt8] {
        var stored = stored + [UInt8](repeating: 0, count: 7 - (stored.count + 7) % 8)
        stored += [UInt8](repeating: 0, count: stored.count % 32 == 24 ? 16 : 8)
        return stored
    }

    private static func beforeAvalanche(_ hash: UInt64) -> UInt64 {
        var hash = hash ^ hash >> 32
        hash = hash &* inverse(prime3)
        hash ^= hash >> 29 ^ hash >> 58
        hash = hash &* inverse(prime2)
        return hash ^ hash >> 33
    }

    /// The state before a word, still mixed with the word.
    private static func beforeWord(_ hash: UInt64) -> UInt64 {
        rotateRight((hash &- prime4) &* inverse(prime1), 27)
    }

    private static func rotateRight(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value >> count | value << (64 - count)
    }

    /// The multiplicative inverse of an odd number.
    private static func inverse(_ number: UInt64) -> UInt64 {
        var inverse = number
        for _ in 0..<6 { inverse = inverse &* (2 &- number &* inverse) }
        return inverse
    }
}
