import FirnValues

/// The identity of the current boot of the machine.
///
/// Shared memory from another boot is worthless.
package struct BootIdentity: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns the current boot; `nil` if the system does not report it, as in some containers.
    package static func current() -> BootIdentity? {
        ProcFolder.text("/proc/sys/kernel/random/boot_id", bytesMax: 64)
            .flatMap(BootIdentity.init(text:))
    }

    /// Parses `8-4-4-4-12` hexadecimal digits, optionally followed by a line break.
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
