import FirnPlatform

/// How much longer than usual random and exhaustive tests run, and where their seeds begin.
package enum TestScale {
    /// 1, or what the environment variable `FIRN_TEST_SCALE` says.
    package static let factor: Int = max(1, number("FIRN_TEST_SCALE") ?? 1)

    /// 0, or what the environment variable `FIRN_TEST_SEED` says: another one makes other runs.
    package static let firstSeed: UInt64 = UInt64(max(0, number("FIRN_TEST_SEED") ?? 0))

    /// A number of rounds or images for this run.
    package static func scaled(_ count: Int) -> Int { count * factor }

    /// The seeds of this run, for so many rounds in a usual one.
    package static func seeds(_ count: Int) -> Range<UInt64> {
        firstSeed..<(firstSeed + UInt64(scaled(count)))
    }

    private static func number(_ name: String) -> Int? {
        Environment.variable(name).flatMap { Int($0) }
    }
}
