import FirnValues

/// The exact sum of doubles, to which values are added and from which they are removed.
///
/// The sum is rounded only when it is read. It therefore depends neither on the order of the values
/// nor on values that were removed, and it does not drift, however many commits change it.
///
///     limbs[i] counts 2^(32 * (first + i) - 1074); between normalizations each is a signed sum of
///     parts below 2^32
struct ExactDoubleSum: Hashable {
    private static let bitsPerLimb = 32
    /// The exponent of the smallest positive double; every double is a multiple of it.
    private static let exponentMin = -1074
    /// The number of parts that a limb can hold without overflow.
    private static let additionCountMax = 1 << 30

    private var limbs: [Int64] = []
    private var first = 0
    private var additionCount = 0
    /// The numbers of values that a finite sum cannot contain.
    private var notANumberCount = 0
    private var infinityCount = 0
    private var negativeInfinityCount = 0

    mutating func add(_ number: Double) { change(number, by: 1) }

    /// Removes a value that was added before.
    mutating func remove(_ number: Double) { change(number, by: -1) }

    private mutating func change(_ number: Double, by count: Int) {
        if number.isNaN {
            notANumberCount += count
        } else if number == .infinity {
            infinityCount += count
        } else if number == -.infinity {
            negativeInfinityCount += count
        } else if number != 0 {
            addFinite(number, isNegative: (number < 0) == (count > 0))
        }
    }

    /// Adds or subtracts the magnitude of a number.
    private mutating func addFinite(_ number: Double, isNegative: Bool) {
        if additionCount == Self.additionCountMax { normalize() }
        additionCount += 1
        let exponentBits = Int(number.exponentBitPattern)
        // Subnormal numbers have no implicit bit, and the exponent of the smallest normal number.
        let significand =
            number.significandBitPattern
            | (exponentBits == 0 ? 0 : 1 << UInt64(Double.significandBitCount))
        let offset = max(1, exponentBits) - 1
        var rest = UInt128(significand) << UInt128(offset % Self.bitsPerLimb)
        var index = offset / Self.bitsPerLimb
        while rest != 0 {
            let part = Int64(UInt32(truncatingIfNeeded: rest))
            rest >>= UInt128(Self.bitsPerLimb)
            reserve(index)
            limbs[index - first] += isNegative ? -part : part
            index += 1
        }
    }

    private mutating func reserve(_ index: Int) {
        if limbs.isEmpty { first = index }
        if index < first {
            limbs.insert(contentsOf: repeatElement(0, count: first - index), at: 0)
            first = index
        }
        while index - first >= limbs.count { limbs.append(0) }
    }

    /// Brings every limb except the last into 0..<2^32; the last one carries the sign.
    private mutating func normalize() {
        additionCount = 1
        var index = 0
        while index < limbs.count {
            let carry = limbs[index] >> Int64(Self.bitsPerLimb)
            if carry == 0 || carry == -1 && index == limbs.count - 1 {
                index += 1
                continue
            }
            limbs[index] &= 0xFFFF_FFFF
            if index == limbs.count - 1 { limbs.append(0) }
            limbs[index + 1] += carry
            index += 1
        }
    }

    /// The double nearest to the sum; infinite if the sum is too large for a double.
    var value: Double {
        if notANumberCount > 0 || infinityCount > 0 && negativeInfinityCount > 0 { return .nan }
        if infinityCount > 0 { return .infinity }
        if negativeInfinityCount > 0 { return -.infinity }
        var sum = self
        sum.normalize()
        let isNegative = (sum.limbs.last ?? 0) < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index] = -sum.limbs[index] }
            sum.normalize()
        }
        let magnitude = sum.nearestMagnitude
        return isNegative ? -magnitude : magnitude
    }

    /// The double nearest to a normalized sum that is not negative.
    private var nearestMagnitude: Double {
        guard let last = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        // 96 bits contain at least the 64 highest ones of the sum.
        var top: UInt128 = 0
        for index in stride(from: last, through: last - 2, by: -1) {
            top = top << UInt128(Self.bitsPerLimb) | UInt128(index >= 0 ? limbs[index] : 0)
        }
        let hasRest = limbs.prefix(max(0, last - 2)).contains { $0 != 0 }
        // The last bit is set if there is a rest, so that the conversion rounds correctly.
        let whole = Double(hasRest ? top | 1 : top)
        let exponent = (first + last - 2) * Self.bitsPerLimb + Self.exponentMin
        return Double(sign: .plus, exponent: exponent, significand: whole)
    }
}
