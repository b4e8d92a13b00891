package import FirnValues

/// What is known of a page without reading it: how many rows and nulls, and between which values
/// the others lie.
///
/// Long strings and data are cut, strings at the boundary of a character: the minimum to a prefix that is not above
/// it, the maximum to a prefix that it starts with (`maximumIsPrefix`). Minimum and maximum leave
/// NaN out. They are nil if there is no value to take them from, and for columns of Any.
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

    /// Sets both ends, strings and data cut to what a zone map may take.
    package mutating func setBounds(minimum: Value, maximum: Value) {
        self.minimum = Self.prefix(minimum).value
        (self.maximum, maximumIsPrefix) = Self.prefix(maximum)
    }

    /// Widens the ends so that a number lies between them.
    mutating func include(_ value: Value) {
        if value.isNotANumber {
            hasNaN = true
            return
        }
        if minimum.map({ value.order(relativeTo: $0) == .less }) ?? true { minimum = value }
        if maximum.map({ value.order(relativeTo: $0) == .greater }) ?? true { maximum = value }
    }

    private static func prefix(_ value: Value) -> (value: Value, isCut: Bool) {
        switch value {
        case .string(let text):
            let kept = prefix(text)
            return (.string(kept), kept.utf8.count < text.utf8.count)
        case .data(let bytes):
            let limit = CodecLimits.zoneStringBytesMax
            return (.data(Array(bytes.prefix(limit))), bytes.count > limit)
        default: return (value, false)
        }
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

extension Value {
    /// Whether the value is a number that is NaN.
    package var isNotANumber: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal128(let value): value.isNaN
        default: false
        }
    }
}
