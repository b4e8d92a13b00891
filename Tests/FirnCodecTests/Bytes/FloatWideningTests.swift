import FirnCodec
import FirnTesting
import Testing

@Suite("Floats as doubles")
struct FloatWideningTests {
    @Test("Every Float round-trips bit for bit, including signalling NaNs")
    func exact() {
        var random = SplitMix64(seed: 11)
        let special: [UInt32] = [
            0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7F80_0001, 0xFFBF_FFFF, 1,
            0x007F_FFFF, 0x0080_0000,
        ]
        let bits = special + (0..<10_000).map { _ in UInt32(truncatingIfNeeded: random.next()) }
        for bits in bits {
            let double = Double(widening: Float(bitPattern: bits))
            #expect(Float(narrowing: double).bitPattern == bits)
            let float = Float(bitPattern: bits)
            #expect(float.isNaN ? double.isNaN : double == Double(float))
        }
        // A NaN outside of Float remains a NaN.
        #expect(Float(narrowing: Double(bitPattern: 0x7FF0_0000_0000_0001)).isNaN)
    }
}
