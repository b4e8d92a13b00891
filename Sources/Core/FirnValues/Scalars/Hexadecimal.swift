/// Hexadecimal digits of identifiers.
enum Hexadecimal {
    /// Parses at most 16 digits, or returns `nil` if one of them is not hexadecimal.
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

    /// Returns the last `count` digits of a number in lower case, the most significant first.
    static func digits(_ number: UInt64, count: Int) -> [UInt8] {
        let alphabet = Array("0123456789abcdef".utf8)
        return (0..<count).map { index in
            alphabet[Int(number >> UInt64((count - 1 - index) * 4) & 15)]
        }
    }
}
