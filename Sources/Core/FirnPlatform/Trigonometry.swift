#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Trigonometric functions, which the standard library does not have.
package enum Trigonometry {
    /// - Parameter angle: the angle in radians.
    package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// - Parameter angle: the angle in radians.
    package static func cosine(_ angle: Double) -> Double { cos(angle) }
}
