/// Which boot of the machine this is: what another boot left in shared memory is worthless.
package struct BootIdentity: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The boot that this process runs in; `nil` if the system does not tell, as in some containers.
    package static func current() -> BootIdentity? {
        ProcFolder.text("/proc/sys/kernel/random/boot_id", bytesMax: 64)
            .flatMap(BootIdentity.init(text:))
    }

    /// Reads `8-4-4-4-12` hexadecimal digits with an optional line end behind them.
    init?(text: String) {
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let digits = line.filter { $0 != "-" }
        guard line.utf8.count == 36, digits.utf8.count == 32,
            let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
