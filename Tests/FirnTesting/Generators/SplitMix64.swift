import FirnPlatform

/// A small generator of pseudorandom numbers that depend on the seed only.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns whether an event of this likelihood happens now.
    package mutating func happens(oneIn count: UInt64) -> Bool { next() % count == 0 }

    /// Returns bytes of which some are changed, and sometimes the last ones cut off.
    package mutating func damaging(_ bytes: [UInt8]) -> [UInt8] {
        var damaged = bytes
        for _ in 0...Int.random(in: 0...3, using: &self) where !damaged.isEmpty {
            damaged[Int.random(in: 0..<damaged.count, using: &self)] =
                UInt8(truncatingIfNeeded: next())
        }
        if happens(oneIn: 3), !damaged.isEmpty {
            damaged.removeLast(Int.random(in: 0..<damaged.count, using: &self))
        }
        return damaged
    }

    /// Random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// Entropy that repeats with its seed.
package final class SeededEntropy: Entropy {
    private let generator: Guarded<SplitMix64>

    package init(seed: UInt64) { generator = Guarded(SplitMix64(seed: seed)) }

    package func random64() -> UInt64 { generator.withLock { $0.next() } }
}
