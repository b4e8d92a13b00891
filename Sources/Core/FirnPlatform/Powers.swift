#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Powers and logarithms, which the standard library does not have.
package enum Powers {
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    package static func exponential(_ exponent: Double) -> Double { exp(exponent) }

    package static func naturalLogarithm(_ value: Double) -> Double { log(value) }

    package static func decimalLogarithm(_ value: Double) -> Double { log10(value) }
}
