import FirnValues

/// The exact sum of any number of decimals, which is rounded only when it is read.
///
///     limbs[i] counts 10^(9 * (first + i)); between normalizations each is a signed sum of parts
///     below 10^9
struct DecimalSum {
    private static let digitsPerLimb = 9
    private static let base: Int64 = 1_000_000_000
    /// The number of parts that a limb can hold without overflow.
    private static let additionCountMax = 1 << 30

    /// The memory of the limbs of a typical sum: the header of an array, and four limbs.
    static let limbByteCount = 64

    private var limbs: [Int64] = []
    private var first = 0
    private var additionCount = 0
    private var exponentMin = Int.max
    private var positiveInfinity = false
    private var negativeInfinity = false
    private var isNaN = false

    mutating func add(_ number: Decimal128) {
        guard number.isFinite else {
            if number.isNaN { isNaN = true }
            if number.isInfinite, number.isNegative { negativeInfinity = true }
            if number.isInfinite, !number.isNegative { positiveInfinity = true }
            return
        }
        let (coefficient, exponent) = number.parts
        exponentMin = min(exponentMin, exponent)
        add(coefficient, exponent: exponent, isNegative: number.isNegative)
    }

    /// Adds an integer times a power of ten.
    private mutating func add(_ coefficient: UInt128, exponent: Int, isNegative: Bool) {
        guard coefficient != 0 else { return }
        if additionCount == Self.additionCountMax { normalize() }
        additionCount += 1
        var index = exponent / Self.digitsPerLimb
        var shift = exponent % Self.digitsPerLimb
        if shift < 0 {
            index -= 1
            shift += Self.digitsPerLimb
        }
        // Shifts within the limb. The part that does not fit is carried to the next limb.
        let power = UInt128(Self.power(shift))
        var rest = coefficient
        var carry: UInt128 = 0
        while rest != 0 || carry != 0 {
            let part = rest % UInt128(Self.base) * power + carry
            rest /= UInt128(Self.base)
            carry = part / UInt128(Self.base)
            let limb = Int64(part % UInt128(Self.base))
            reserve(index)
            limbs[index - first] += isNegative ? -limb : limb
            index += 1
        }
    }

    /// Adds all numbers of another sum.
    mutating func add(_ other: DecimalSum) {
        isNaN = isNaN || other.isNaN
        positiveInfinity = positiveInfinity || other.positiveInfinity
        negativeInfinity = negativeInfinity || other.negativeInfinity
        exponentMin = min(exponentMin, other.exponentMin)
        guard !other.limbs.isEmpty else { return }
        var other = other
        normalize()
        other.normalize()
        reserve(other.first)
        reserve(other.first + other.limbs.count - 1)
        for (index, limb) in other.limbs.enumerated() {
            limbs[other.first + index - first] += limb
        }
        additionCount = 2
    }

    private static func power(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private mutating func reserve(_ index: Int) {
        if limbs.isEmpty { first = index }
        if index < first {
            limbs.insert(contentsOf: repeatElement(0, count: first - index), at: 0)
            first = index
        }
        while index - first >= limbs.count { limbs.append(0) }
    }

    /// Brings every limb into 0..<10^9.
    ///
    /// The last limb of a negative number stays negative.
    private mutating func normalize() {
        additionCount = 1
        var index = 0
        while index < limbs.count {
            var carry = limbs[index] / Self.base
            var rest = limbs[index] % Self.base
            if rest < 0 {
                rest += Self.base
                carry -= 1
            }
            let isLast = index == limbs.count - 1
            if isLast, carry == -1, rest != 0 || index == 0 {
                // The sign of a negative number is kept in its last limb.
                return
            }
            limbs[index] = rest
            if carry != 0 {
                if isLast { limbs.append(0) }
                limbs[index + 1] += carry
            }
            index += 1
        }
    }

    /// Returns the sum divided by a count; `nil` if the count is 0.
    func value(dividedBy count: Int = 1) -> Decimal128? {
        guard count > 0 else { return nil }
        if isNaN || positiveInfinity && negativeInfinity { return .nan }
        if positiveInfinity { return .infinity }
        if negativeInfinity { return Decimal128.infinity.negated }
        let preferred = exponentMin == .max ? 0 : exponentMin
        guard count > 1 else { return rounded(preferred: preferred) }
        let (isNegative, digits) = magnitude()
        let exponent = first * Self.digitsPerLimb
        return Self.quotient(digits, count, isNegative, exponent, preferred)
    }

    /// Returns the finite sum, with the exponent that an exact result should have.
    private func rounded(preferred: Int) -> Decimal128 {
        let (isNegative, digits) = magnitude()
        return UnroundedDecimal(
            isNegative: isNegative, digits: digits.drop { $0 == 0 },
            exponent: first * Self.digitsPerLimb, hasRest: false
        ).rounded(preferred: preferred)
    }

    /// Performs long division with the number of digits that rounding needs.
    private static func quotient(
        _ digits: [UInt8], _ count: Int, _ isNegative: Bool, _ exponent: Int, _ preferred: Int
    ) -> Decimal128 {
        let divisor = UInt128(count)
        var rest: UInt128 = 0
        var quotient: [UInt8] = []
        var exponent = exponent
        func take(_ digit: UInt8) {
            rest = rest * 10 + UInt128(digit)
            let next = UInt8(rest / divisor)
            rest %= divisor
            if next != 0 || !quotient.isEmpty { quotient.append(next) }
        }
        for digit in digits { take(digit) }
        while rest != 0, quotient.count <= Decimal128.digitsMax {
            take(0)
            exponent -= 1
        }
        return UnroundedDecimal(
            isNegative: isNegative, digits: quotient, exponent: exponent, hasRest: rest != 0
        ).rounded(preferred: preferred)
    }

    /// Returns the decimal digits, the most significant first.
    private func magnitude() -> (isNegative: Bool, digits: [UInt8]) {
        var sum = self
        sum.normalize()
        let isNegative = (sum.limbs.last ?? 0) < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index] = -sum.limbs[index] }
            sum.normalize()
        }
        var digits: [UInt8] = []
        for limb in sum.limbs.reversed() {
            var rest = limb
            var part = [UInt8](repeating: 0, count: Self.digitsPerLimb)
            for index in part.indices.reversed() {
                part[index] = UInt8(rest % 10)
                rest /= 10
            }
            digits += part
        }
        return (isNegative, digits)
    }
}
