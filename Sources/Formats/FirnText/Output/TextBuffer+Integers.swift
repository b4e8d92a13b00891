import FirnValues

/// The digits of 0 to 99, two bytes each, which halves the number of divisions.
@usableFromInline let digitPairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

/// The maximum size of a 64-bit number: 20 digits and a sign.
@usableFromInline let integerBytesMax = 21

extension TextBuffer {
    /// Appends a number in decimal.
    @inlinable @inline(__always)
    public mutating func append(int value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(unsigned: value.magnitude)
    }

    /// Appends a number in decimal.
    @inlinable @inline(__always)
    public mutating func append(unsigned value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
        } else {
            let target = reserve(integerBytesMax)
            commit(TextBuffer.write(value, to: target))
        }
    }

    /// Appends the lowest `digits` digits of a number, with leading zeros.
    @inlinable @inline(__always)
    public mutating func append(unsigned value: UInt64, digits: Int) {
        let target = reserve(digits)
        var rest = value
        var index = digits
        while index > 0 {
            index &-= 1
            target[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        commit(digits)
    }

    /// Writes the digits to `target`, which has room for 20, and returns their number.
    @inlinable
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let count = digitCount(value)
        let pairs = digitPairs.utf8Start
        var rest = value
        var index = count
        while rest >= 100 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
            rest = quotient
            index &-= 2
            let pair = Int(truncatingIfNeeded: remainder &* 2)
            target[index] = pairs[pair]
            target[index &+ 1] = pairs[pair &+ 1]
        }
        if rest >= 10 {
            let pair = Int(truncatingIfNeeded: rest &* 2)
            target[0] = pairs[pair]
            target[1] = pairs[pair &+ 1]
        } else {
            target[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
        return count
    }

    /// Returns the number of decimal digits of a number.
    @inlinable
    static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        if rest >= 1000 { return count &+ 3 }
        if rest >= 100 { return count &+ 2 }
        return rest >= 10 ? count &+ 1 : count
    }
}
