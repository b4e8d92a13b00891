import FirnValues

/// The names of folders that have the rows with one value of a column, `carrier=UA`, as Hive and
/// Spark write them.
enum PartitionName {
    /// The value of a folder with the rows whose value is null or an empty text.
    static let null = Array("__HIVE_DEFAULT_PARTITION__".utf8)

    /// The bytes that are written as `%` and two digits, apart from control characters.
    private static let marks = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

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
