import FirnTesting
import Testing

@testable import FirnQuery

@Suite("Exact sums of doubles")
struct ExactDoubleSumTests {
    private func sum(_ numbers: Double...) -> Double {
        var sum = ExactDoubleSum()
        for number in numbers { sum.add(number) }
        return sum.value
    }

    @Test("The sum is the double nearest to the exact sum")
    func nearest() {
        #expect(sum() == 0)
        #expect(sum(1, 1e100, 1, -1e100) == 2)
        #expect(sum(1e308, 1e308, -1e308) == 1e308)
        #expect(sum(1e308, 1e308) == .infinity)
        #expect(sum(-1e308, -1e308) == -.infinity)
        // Halfway between two doubles, and a little more.
        #expect(sum(9_007_199_254_740_992, 1) == 9_007_199_254_740_992)
        #expect(sum(9_007_199_254_740_992, 1, 1e-300) == 9_007_199_254_740_994)
        #expect(sum(-9_007_199_254_740_992, -1, -1e-300) == -9_007_199_254_740_994)
        #expect(sum(.leastNonzeroMagnitude, .leastNonzeroMagnitude).bitPattern == 2)
        #expect(sum(.leastNormalMagnitude, -.leastNonzeroMagnitude).nextUp == .leastNormalMagnitude)
        #expect(sum(.greatestFiniteMagnitude) == .greatestFiniteMagnitude)
        #expect(sum(-0.0).sign == .plus)
        #expect(sum(.infinity, 1) == .infinity)
        #expect(sum(.infinity, -.infinity).isNaN && sum(.nan, 1).isNaN)
    }

    @Test("Removing numbers in any order leaves no rounding error", arguments: TestScale.seeds(20))
    func removal(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var kept: [Double] = []
        var removed: [Double] = []
        for _ in 0..<200 {
            let number = Double(bitPattern: generator.next())
            if generator.happens(oneIn: 3) { kept.append(number) } else { removed.append(number) }
        }
        kept.removeAll { !$0.isFinite }
        var sum = ExactDoubleSum()
        for number in (kept + removed).shuffled(using: &generator) { sum.add(number) }
        for number in removed.shuffled(using: &generator) { sum.remove(number) }
        var expected = ExactDoubleSum()
        for number in kept.shuffled(using: &generator) { expected.add(number) }
        #expect(sum.value == expected.value, "seed \(seed)")
        for number in kept { sum.remove(number) }
        #expect(sum.value == 0, "seed \(seed)")
    }

    @Test("Integers add up exactly like integers", arguments: TestScale.seeds(20))
    func integers(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var sum = ExactDoubleSum()
        var expected: Int128 = 0
        let scale = Double(
            sign: .plus, exponent: Int.random(in: -1000...800, using: &generator), significand: 1)
        for _ in 0..<300 {
            let number = Int64.random(in: -(1 << 53)...(1 << 53), using: &generator)
            let shift = Int.random(in: 0...60, using: &generator)
            expected += Int128(number) << Int128(shift)
            sum.add(Double(number) * Double(sign: .plus, exponent: shift, significand: 1) * scale)
        }
        #expect(sum.value == Double(expected) * scale, "seed \(seed)")
    }
}
