package import FirnValues

/// What is known of a page without reading it: how many rows and nulls, and between which values
/// the others lie.
///
/// Long strings are cut at the boundary of a character, the minimum to a prefix that is not above
/// it, the maximum to a prefix that it starts with (`maximumIsPrefix`). Minimum and maximum leave
/// NaN out. They are nil if there is no value to take them from.
package struct ZoneMap: Hashable, Sendable {
    package var rowCount: Int
    package var nullCount: Int
    package var minimum: Value?
    package var maximum: Value?
    /// The real maximum starts with `maximum` and is longer.
    package var maximumIsPrefix = false
    /// Some values are NaN.
    package var hasNaN = false

    package init(rowCount: Int, nullCount: Int) {
        self.rowCount = rowCount
        self.nullCount = nullCount
    }

    /// Sets both ends, cut to what a zone map may take.
    package mutating func setStrings(minimum: String, maximum: String) {
        self.minimum = .string(Self.prefix(minimum))
        let upper = Self.prefix(maximum)
        self.maximum = .string(upper)
        maximumIsPrefix = upper.utf8.count < maximum.utf8.count
    }

    private static func prefix(_ text: String) -> String {
        let limit = CodecLimits.zoneStringBytesMax
        var text = text
        return text.withUTF8 { bytes in
            var end = bytes.count
            if end > limit {
                end = limit
                while end > 0, UTF8Validation.isContinuation(bytes[end]) { end -= 1 }
            }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }
}
