/// An IEEE 754-2008 decimal number of 34 digits in binary integer decimal encoding.
public struct Decimal128: Hashable, Sendable, CustomStringConvertible {
    /// The upper half: sign, exponent and the highest digits.
    public let high: UInt64
    /// The lower half.
    public let low: UInt64

    /// Makes a number from its encoding.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digits.
    public var description: String { "" }
}
