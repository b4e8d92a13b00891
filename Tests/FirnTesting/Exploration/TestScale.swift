import FirnPlatform

/// How much longer than usual random and exhaustive tests run: 1, or what the environment
/// variable `FIRN_TEST_SCALE` says.
package enum TestScale {
    package static let factor: Int = {
        let text = Environment.variable("FIRN_TEST_SCALE") ?? ""
        return max(1, Int(text) ?? 1)
    }()

    /// A number of rounds or images for this run.
    package static func scaled(_ count: Int) -> Int { count * factor }
}
