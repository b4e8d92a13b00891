import FirnValues

/// Lines of fields that are separated by tabs, in the records of a file.
///
///     field = text, with \\ for a backslash, \t for a tab and \n for a line end
enum RecordText {
    /// Returns a text as a field.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t")
            .replacing("\n", with: "\\n")
    }

    /// Returns the text of a field.
    static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in field.utf8 {
            if !isEscape, byte == UInt8(ascii: "\\") {
                isEscape = true
                continue
            }
            switch (isEscape, byte) {
            case (true, UInt8(ascii: "t")): bytes.append(UInt8(ascii: "\t"))
            case (true, UInt8(ascii: "n")): bytes.append(UInt8(ascii: "\n"))
            default: bytes.append(byte)
            }
            isEscape = false
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
