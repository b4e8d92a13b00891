import FirnCodec
import FirnText
import FirnValues

extension DelimitedReader {
    /// The start of the current row, safe to show.
    var rowExcerpt: String {
        let end = max(buffer.rowStart, min(buffer.end, position + 20))
        let bytes = UnsafeBufferPointer(
            start: buffer.base + buffer.rowStart, count: end - buffer.rowStart)
        // The text after the line is not part of the row.
        let row = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return SafeText.excerpt(of: row)
    }

    /// Returns an error at ``position``.
    func syntaxError(_ message: String, remedy: String? = nil) -> InputError {
        InputError(
            .syntax, message, name: name, line: line, offset: bytesRead, excerpt: rowExcerpt,
            remedy: remedy)
    }

    func limitError(_ message: String) -> InputError {
        InputError(
            .limit, message, name: name, line: rowLine, excerpt: rowExcerpt,
            remedy: "check that quotes are closed and that lines end with a line feed")
    }

    func nulError() -> InputError {
        InputError(
            .encoding, "a NUL byte", name: name, line: line, offset: bytesRead,
            remedy: "convert the input to UTF-8; UTF-16 files contain NUL bytes")
    }

    /// Checks that the row is UTF-8.
    ///
    /// - Parameter columnNames: the names of the columns, for the error.
    func validateText(_ columnNames: [String]) throws(InputError) {
        // Without a byte from 0x80 on, the row is ASCII.
        guard seenBits >= 0x80 else { return }
        for index in 0..<fieldCount {
            let bytes = UnsafeRawBufferPointer(text(index))
            guard let offset = UTF8Validation.firstError(in: bytes) else { continue }
            let start = buffer.bytesBefore + UInt64(buffer.rowStart + row.fields[index].start)
            throw InputError(
                .encoding, "text that is not UTF-8", name: name, line: rowLine,
                column: index < columnNames.count ? columnNames[index] : "\(index + 1)",
                offset: start + UInt64(offset), excerpt: SafeText.excerpt(of: text(index)),
                remedy: "name its encoding, such as --encoding windows-1252")
        }
    }
}
