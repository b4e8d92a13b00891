/// A universally unique identifier: 16 bytes, ordered as bytes, written 8-4-4-4-12 in lower case.
public struct UUID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Creates an identifier from its two halves, both big-endian.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses `8-4-4-4-12` hexadecimal digits in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36 else { return nil }
        let utf8 = Array(text.utf8)
        var digits: [UInt8] = []
        for (index, byte) in utf8.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                digits.append(byte)
            }
        }
        guard let high = Hexadecimal.number(digits[0..<16]),
            let low = Hexadecimal.number(digits[16..<32])
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Compares the bytes, first byte first.
    public static func < (left: UUID, right: UUID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// The 8-4-4-4-12 form in lower case.
    public var description: String {
        let digits = Hexadecimal.digits(high, count: 16) + Hexadecimal.digits(low, count: 16)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
