/// A MongoDB-style object id: 12 bytes, ordered as bytes, written as 24 hexadecimal digits.
public struct ObjectID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, big-endian: the timestamp and half of the random part.
    public let high: UInt64
    /// The last four bytes, big-endian.
    public let low: UInt32

    /// Creates an object id from its first eight and last four bytes, both big-endian.
    public init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    /// Parses 24 hexadecimal digits in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 24 else { return nil }
        let digits = Array(text.utf8)
        guard let high = Hexadecimal.number(digits[0..<16]),
            let low = Hexadecimal.number(digits[16..<24])
        else { return nil }
        self.init(high: high, low: UInt32(truncatingIfNeeded: low))
    }

    /// Compares the bytes, first byte first.
    public static func < (left: ObjectID, right: ObjectID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// The 24 digits in lower case.
    public var description: String {
        let digits =
            Hexadecimal.digits(high, count: 16) + Hexadecimal.digits(UInt64(low), count: 8)
        return String(decoding: digits, as: UTF8.self)
    }
}
