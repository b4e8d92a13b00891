import FirnValues

/// The names of folders, each with the rows for one value of a column: `carrier=UA`, as written by
/// Hive and Spark.
enum PartitionName {
    /// The value of a folder with the rows whose value is null or an empty text.
    static let null = Array("__HIVE_DEFAULT_PARTITION__".utf8)

    /// The bytes that are written as `%` and two digits, apart from control characters.
    private static let marks = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns a name or a value; text that is not escaped as by ``append(_:to:)`` stays unchanged.
    static func decoded(_ text: some Sequence<UInt8>) -> String {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = value(of: bytes[index + 1]), let low = value(of: bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self) ?? String(decoding: bytes, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Appends a name or a value.
    static func append(_ text: some Sequence<UInt8>, to name: inout [UInt8]) {
        for byte in text {
            if byte < 0x20 || marks.contains(byte) {
                name.append(UInt8(ascii: "%"))
                name.append(digits[Int(byte >> 4)])
                name.append(digits[Int(byte & 15)])
            } else {
                name.append(byte)
            }
        }
    }
}
