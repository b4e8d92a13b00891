/// A Float as the double of the same value and back, NaN bit for bit too: the conversions of the
/// processor set the quiet bit of every NaN, and storage must not change what was stored.
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
    /// The nearest Float, which is the one that was widened.
    @inline(__always)
    package init(narrowing value: Double) {
        if value.isNaN {
            let bits = value.bitPattern
            let content = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
            // A NaN whose bits a Float has not stays a NaN.
            self.init(
                bitPattern: UInt32(truncatingIfNeeded: bits >> 63) << 31 | 0xFF << 23
                    | (content == 0 ? 1 << 22 : content))
        } else {
            self.init(value)
        }
    }
}
