import CPlatform

/// Randomness of the kernel.
package struct SystemEntropy: Entropy {
    package init() {}

    package func random64() -> UInt64 {
        var number: UInt64 = 0
        let reason = withUnsafeMutableBytes(of: &number) { bytes in
            firn_random(bytes.baseAddress, bytes.count)
        }
        // Identities and nonces that repeat would destroy data quietly; there is no way on.
        precondition(reason == 0, "the kernel gives no randomness")
        return number
    }
}
