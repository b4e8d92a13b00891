#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The functions of angles, which the standard library does not have.
package enum Trigonometry {
    /// - Parameter angle: in radians.
    package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// - Parameter angle: in radians.
    package static func cosine(_ angle: Double) -> Double { cos(angle) }
}
