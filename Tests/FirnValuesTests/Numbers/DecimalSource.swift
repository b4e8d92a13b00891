import FirnTesting

/// Random operations on decimals, many of them at the edges of rounding.
struct DecimalSource {
    enum Operation: String, CaseIterable {
        case add
        case subtract
        case multiply
        case divide
        case compare
        case reduce
        case parse
        case double
        case binary
    }

    /// An operation and the text of its operands.
    struct Round: CustomStringConvertible {
        let operation: Operation
        let left: String
        let right: String

        var description: String { "\(operation) \(left) \(right)" }
    }

    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func next() -> Round {
        let operation = Operation.allCases[Int.random(in: 0..<9, using: &generator)]
        switch operation {
        case .parse:
            return Round(operation: operation, left: long(), right: "0")
        case .binary:
            let double = Double(bitPattern: generator.next())
            let left = double.isFinite ? Self.hexadecimal(double) : "0x0.0p+0"
            return Round(operation: operation, left: left, right: "0")
        case .double:
            // Most of them in the range of doubles.
            let exponent = Int.random(in: -400...330, using: &generator)
            return Round(operation: operation, left: "\(digits(34))E\(exponent)", right: "0")
        default:
            let exponent = exponent()
            let distance = Int.random(in: -45...45, using: &generator)
            // One in four is unrelated to the other.
            let isFar = generator.happens(oneIn: 4)
            let other = isFar ? self.exponent() : min(max(exponent + distance, -6176), 6111)
            return Round(operation: operation, left: number(exponent), right: number(other))
        }
    }

    /// A number with this exponent, or a special value.
    private mutating func number(_ exponent: Int) -> String {
        let sign = generator.happens(oneIn: 2) ? "-" : ""
        if generator.happens(oneIn: 60) {
            let names = ["Infinity", "NaN", "sNaN", "NaN17", "sNaN4", "0", "0E-6176", "0E+6111"]
            return sign + names[Int.random(in: 0..<names.count, using: &generator)]
        }
        return "\(sign)\(digits(34))E\(exponent)"
    }

    private mutating func exponent() -> Int {
        switch generator.next() % 6 {
        case 0: Int.random(in: -6176...(-6100), using: &generator)
        case 1: Int.random(in: 6040...6111, using: &generator)
        case 2: Int.random(in: -6176...6111, using: &generator)
        // Products and quotients that leave the range.
        case 3:
            (generator.happens(oneIn: 2) ? -1 : 1) * Int.random(in: 3020...3110, using: &generator)
        default: Int.random(in: -40...40, using: &generator)
        }
    }

    /// Up to the given number of digits; many of them are long rows of 0, 9 or a 5 before them.
    private mutating func digits(_ countMax: Int) -> String {
        let count = Int.random(in: 1...countMax, using: &generator)
        let kept =
            generator.happens(oneIn: 2) ? count : Int.random(in: 0...count, using: &generator)
        var digits = (0..<kept).map { _ in generator.next() % 10 }
        guard kept < count else { return digits.map(String.init).joined() }
        let filler: UInt64 = generator.happens(oneIn: 3) ? 9 : 0
        digits.append(generator.happens(oneIn: 2) ? 5 : filler)
        digits += Array(repeating: filler, count: count - digits.count)
        if generator.happens(oneIn: 3) { digits[count - 1] = 1 }
        return digits.map(String.init).joined()
    }

    /// A text with more digits than fit, and any exponent.
    private mutating func long() -> String {
        let exponent = generator.happens(oneIn: 2) ? exponent() : exponent() - 40
        return "\(digits(90)).\(digits(40))E\(exponent)"
    }

    /// A double in the form of Python's `float.hex`.
    static func hexadecimal(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        let sign = number.sign == .minus ? "-" : ""
        if number == 0 { return sign + "0x0.0p+0" }
        let isNormal = number.exponentBitPattern != 0
        let digits = String(number.significandBitPattern, radix: 16)
        let zeros = String(repeating: "0", count: 13 - digits.count)
        let exponent = (isNormal ? Int(number.exponentBitPattern) : 1) - 1023
        let power = exponent < 0 ? "\(exponent)" : "+\(exponent)"
        return "\(sign)0x\(isNormal ? 1 : 0).\(zeros)\(digits)p\(power)"
    }
}
