/// Writes fields separated by tabs.
package typealias TSVWriter = DelimitedWriter<TSVDialect>

/// Nothing is quoted: a tab, line feed, carriage return or backslash inside a text is written as
/// `\t`, `\n`, `\r` or `\\`.
package enum TSVDialect: DelimitedDialect {
    package static let delimiter = UInt8(ascii: "\t")

    package static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\t"): buffer.append("\\t")
            case UInt8(ascii: "\n"): buffer.append("\\n")
            case UInt8(ascii: "\r"): buffer.append("\\r")
            case UInt8(ascii: "\\"): buffer.append("\\\\")
            default: buffer.append(byte)
            }
        }
    }
}
