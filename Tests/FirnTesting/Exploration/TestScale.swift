import FirnPlatform

/// The factor by which random and exhaustive tests run longer than usual, and their first seed.
package enum TestScale {
    /// 1, or the value of the environment variable `FIRN_TEST_SCALE`.
    package static let factor: Int = max(1, number("FIRN_TEST_SCALE") ?? 1)

    /// 0, or the value of the environment variable `FIRN_TEST_SEED`: another seed gives other runs.
    package static let firstSeed: UInt64 = UInt64(max(0, number("FIRN_TEST_SEED") ?? 0))

    /// A number of rounds or images for this run.
    package static func scaled(_ count: Int) -> Int { count * factor }

    /// The seeds of this run, for a number of rounds in a usual run.
    package static func seeds(_ count: Int) -> Range<UInt64> {
        firstSeed..<(firstSeed + UInt64(scaled(count)))
    }

    private static func number(_ name: String) -> Int? {
        Environment.variable(name).flatMap { Int($0) }
    }
}
