import CPlatform
import FirnValues

/// The random number generator of the kernel.
package struct SystemEntropy: Entropy {
    package init() {}

    package func random64() -> UInt64 {
        var number: UInt64 = 0
        let reason = withUnsafeMutableBytes(of: &number) { bytes in
            firn_random(bytes.baseAddress, bytes.count)
        }
        // Repeated ids and nonces would silently destroy data, so the process must not continue.
        precondition(reason == 0, "the kernel gives no randomness")
        return number
    }
}
