import FirnValues

/// The type of the columns that store values of one kind, and the text forms of the values.
///
///     Bool        boolean             t, f
///     Int         bigint              -17
///     Float       real                1.5, NaN, Infinity
///     Double      double precision
///     String      text COLLATE "C"    without U+0000
///     Data        bytea               \x00ff
///     Date        timestamptz         microseconds, in UTC
///                 + smallint          the remaining nanoseconds, in a second column
///     Decimal128  numeric
///     ObjectId    bytea               12 bytes
///     UUID        uuid
///
/// A link is stored as the key of its target, without a foreign key: the rows of a subset arrive in
/// any order.
enum ScalarText {
    /// Returns the SQL type of a kind; `nil` if PostgreSQL has none.
    static func type(_ tag: ValueTag) -> String? {
        switch tag {
        case .bool: "boolean"
        case .int: "bigint"
        case .float: "real"
        case .double: "double precision"
        case .string: "text"
        case .data, .objectID: "bytea"
        case .date: "timestamptz"
        case .decimal128: "numeric"
        case .uuid: "uuid"
        case .null, .any, .link, .list, .set, .map: nil
        }
    }

    /// Returns the text of a value that is not a Date.
    ///
    /// - Throws: ``UpstreamError`` with `unsupported` for a text with U+0000.
    static func text(_ value: Value) throws(UpstreamError) -> String? {
        switch value {
        case .null: return nil
        case .bool(let value): return value ? "t" : "f"
        case .int(let value): return String(value)
        case .float(let value): return special(Double(value)) ?? value.description
        case .double(let value): return special(value) ?? value.description
        case .string(let text):
            guard !text.utf8.contains(0) else {
                throw UpstreamError(
                    .unsupported, "PostgreSQL cannot store a text that contains U+0000")
            }
            return text
        case .data(let bytes): return "\\x" + hexadecimal(bytes)
        case .objectID(let id): return "\\x" + id.description
        case .uuid(let id): return id.description
        case .decimal128(let number): return try text(number)
        case .date, .link, .list, .set, .map:
            throw UpstreamError(
                .unsupported, "a value of type \(value.tag.name) does not fit into one column")
        }
    }

    private static func text(_ number: Decimal128) throws(UpstreamError) -> String {
        if number.isNaN { return "NaN" }
        guard number.isFinite else {
            return number.description.hasPrefix("-") ? "-Infinity" : "Infinity"
        }
        return number.description
    }

    private static func special(_ value: Double) -> String? {
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : nil
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the two columns of a point in time: microseconds, and the rest in nanoseconds.
    ///
    /// - Throws: ``UpstreamError`` with `unsupported` outside the years 1 to 9999.
    static func texts(_ date: Timestamp) throws(UpstreamError) -> [String] {
        // 0001-01-01 and 9999-12-31T23:59:59 in UTC.
        guard (-62_135_596_800...253_402_300_799).contains(date.seconds) else {
            throw UpstreamError(.unsupported, "the date \(date) is outside the years 1 to 9999")
        }
        let rest = date.nanoseconds % 1000
        let whole = Timestamp(
            seconds: date.seconds, nanoseconds: Int64(date.nanoseconds - rest))
        return [whole.description, String(rest)]
    }

    /// Returns the value of a text that PostgreSQL printed.
    ///
    /// - Returns: `nil` if the text does not fit the kind.
    static func value(_ text: String, _ tag: ValueTag) -> Value? {
        switch tag {
        case .bool: text == "t" || text == "f" ? .bool(text == "t") : nil
        case .int: Int64(text).map { .int($0) }
        case .float: Float(text).map { .float($0) }
        case .double: Double(text).map { .double($0) }
        case .string: .string(text)
        case .data: bytes(text).map { .data($0) }
        case .objectID: ObjectID(text.dropFirst(2)).map { .objectID($0) }
        case .date: Timestamp(text).map { .date($0) }
        case .decimal128: Decimal128(text).map { .decimal128($0) }
        case .uuid: UUID(text).map { .uuid($0) }
        case .null, .any, .link, .list, .set, .map: nil
        }
    }

    /// Returns the point in time of the two columns.
    static func date(_ text: String, rest: String?) -> Value? {
        guard let date = Timestamp(text), let rest = Int64(rest ?? "0"),
            (0..<1000).contains(rest)
        else { return nil }
        return .date(
            Timestamp(seconds: date.seconds, nanoseconds: Int64(date.nanoseconds) + rest))
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("\\x") else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8.dropFirst(2) {
            guard let number = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(truncatingIfNeeded: number))
                high = nil
            } else {
                high = UInt8(truncatingIfNeeded: number)
            }
        }
        return high == nil ? bytes : nil
    }
}
