package import FirnValues

/// A summary of a page: the numbers of rows and nulls, and the bounds of the values.
///
/// Long strings and data are truncated, strings at a character boundary. The minimum becomes a
/// prefix that does not exceed it; the maximum becomes a prefix that it begins with
/// (`maximumIsPrefix`). NaN is excluded from both. They are `nil` if there are no values for them,
/// and for columns of Any.
package struct ZoneMap: Hashable, Sendable {
    package var rowCount: Int
    package var nullCount: Int
    package var minimum: Value?
    package var maximum: Value?
    /// Whether the exact maximum begins with `maximum` and is longer.
    package var maximumIsPrefix = false
    /// Whether some values are NaN.
    package var hasNaN = false

    package init(rowCount: Int, nullCount: Int) {
        self.rowCount = rowCount
        self.nullCount = nullCount
    }

    /// Sets both bounds, and truncates strings and data to the size limit of a zone map.
    package mutating func setBounds(minimum: Value, maximum: Value) {
        self.minimum = Self.prefix(minimum).value
        (self.maximum, maximumIsPrefix) = Self.prefix(maximum)
    }

    /// Extends the bounds to include a number.
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
    /// Whether the value is NaN.
    package var isNotANumber: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal128(let value): value.isNaN
        default: false
        }
    }
}
