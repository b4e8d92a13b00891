import FirnValues

/// Converts a Float to a Double of the same value and back, preserving every NaN bit for bit.
///
/// The processor's conversions set the quiet bit of every NaN, but storage must not change a value.
extension Double {
    @inline(__always)
    package init(widening value: Float) {
        if value.isNaN {
            let bits = UInt64(value.bitPattern)
            self.init(bitPattern: (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29)
        } else {
            self.init(value)
        }
    }
}

extension Float {
    /// Returns the nearest Float, which is the original for a widened Float.
    @inline(__always)
    package init(narrowing value: Double) {
        if value.isNaN {
            let bits = value.bitPattern
            let content = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
            // A NaN whose bits no Float has remains a NaN.
            self.init(
                bitPattern: UInt32(truncatingIfNeeded: bits >> 63) << 31 | 0xFF << 23
                    | (content == 0 ? 1 << 22 : content))
        } else {
            self.init(value)
        }
    }
}
