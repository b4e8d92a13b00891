import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Quantiles of Ints")
struct QuantileTests {
    /// Values that are counted, and values that are too far apart to be counted.
    private static func value(_ generator: inout SplitMix64, isWide: Bool) -> Int64 {
        isWide && generator.happens(oneIn: 50)
            ? [.min, -1 << 40, 1 << 40, .max].randomElement(using: &generator) ?? 0
            : Int64.random(in: -30...200, using: &generator)
    }

    private static func expected(_ values: [Int64], _ fraction: Double) -> Value {
        guard !values.isEmpty else { return .null }
        let sorted = values.sorted().map { Double($0) }
        let position = fraction * Double(sorted.count - 1)
        let lower = Int(position)
        let (low, high) = (sorted[lower], sorted[min(lower + 1, sorted.count - 1)])
        let share = position - Double(lower)
        if low == high { return .double(low) }
        return .double(share == 0.5 ? low / 2 + high / 2 : low + (high - low) * share)
    }

    @Test(
        "Counted and listed values have the same quantiles, in one part and in several",
        arguments: TestScale.seeds(60))
    func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let isWide = generator.happens(oneIn: 2)
        let fractions: [Double] = [0.5, 0, 1, 0.9]
        let fraction = fractions.randomElement(using: &generator) ?? 0.5
        let ownerCount = Int.random(in: 1...6, using: &generator)
        var values = [[Int64]](repeating: [], count: ownerCount)
        var parts: [Accumulators] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            var part = Accumulators(.quantile, kind: .int, fraction: fraction, count: 0)
            for batch in 0..<Int.random(in: 0...4, using: &generator) {
                // Owners appear one after the other.
                part.resize(to: min(ownerCount, batch + 1))
                var vector = ColumnVector(kind: .int)
                var owners: [UInt32] = []
                for _ in 0..<Int.random(in: 0...60, using: &generator) {
                    let owner = Int.random(in: 0...min(ownerCount - 1, batch), using: &generator)
                    owners.append(UInt32(owner))
                    if generator.happens(oneIn: 9) {
                        vector.appendNull()
                        continue
                    }
                    let value = Self.value(&generator, isWide: isWide)
                    vector.append(.int(value))
                    values[owner].append(value)
                }
                part.add(vector, owners: owners)
            }
            part.resize(to: ownerCount)
            parts.append(part)
        }
        var whole = parts.removeFirst()
        for part in parts {
            try whole.merge(part, owners: (0..<UInt32(ownerCount)).map { $0 })
        }
        whole.finish()
        for owner in 0..<ownerCount {
            #expect(
                whole.value(owner) == Self.expected(values[owner], fraction), "seed \(seed)")
        }
    }
}
