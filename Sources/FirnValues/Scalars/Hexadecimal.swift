/// Hexadecimal digits of identifiers.
enum Hexadecimal {
    /// The number that at most 16 digits spell, or `nil` if one of them is none.
    static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard digits.count <= 16 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit & 15)
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                number = number << 4 | UInt64(digit & 15 + 9)
            default: return nil
            }
        }
        return number
    }

    /// The lowest `count` digits of a number, highest first, in lower case.
    static func digits(_ number: UInt64, count: Int) -> [UInt8] {
        let alphabet = Array("0123456789abcdef".utf8)
        return (0..<count).map { index in
            alphabet[Int(number >> UInt64((count - 1 - index) * 4) & 15)]
        }
    }
}
