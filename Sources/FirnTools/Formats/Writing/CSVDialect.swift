/// Writes RFC 4180 with LF.
package typealias CSVWriter = DelimitedWriter<CSVDialect>

/// An empty string is `""`, unlike null, and other strings are quoted only if necessary.
package enum CSVDialect: DelimitedDialect {
    package static let delimiter = UInt8(ascii: ",")

    /// Appends a text, in quotes if a reader would otherwise read a different value.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        guard mustQuote(text) else {
            if let base = text.baseAddress { buffer.append(base, count: text.count) }
            return
        }
        buffer.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { buffer.append(byte) }
            buffer.append(byte)
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func mustQuote(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = text.isEmpty ? 1 : 0
        for byte in text {
            // Without a branch, so that the compiler can vectorize the loop.
            found |= byte == UInt8(ascii: ",") ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\n") ? 1 : 0
            found |= byte == UInt8(ascii: "\r") ? 1 : 0
        }
        // A byte order mark at the start of a file would be dropped.
        return found != 0
            || (text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF)
    }
}
