import FirnValues

extension QueryError {
    /// Returns the lines that show the location of the error, to be written below its message.
    ///
    /// They are the line of the text, a caret under the location followed by the hint, and the
    /// notes.
    ///
    ///       Person nme == "Ann" SORT(age DESC)
    ///              ^^^ did you mean "name"?
    ///       properties: age Int · city String
    ///
    /// - Parameters:
    ///   - source: the text that was parsed.
    ///   - columnsMax: the maximum width of a text line.
    package func render(source: String, columnsMax: Int = 80) -> [String] {
        let room = max(20, columnsMax - QueryError.indentation.count)
        var lines: [String] = []
        if source.utf8.contains(where: { $0 > 0x20 }) {
            let excerpt = SourceExcerpt(of: source, around: range, columnsMax: room)
            let caret =
                String(repeating: " ", count: excerpt.offset)
                + String(repeating: "^", count: excerpt.length)
            lines = [excerpt.line, caret]
        }
        if let hint {
            let last = lines.last.map { $0 + " " } ?? ""
            if last.count + hint.count <= room {
                lines = lines.dropLast() + [last + hint]
            } else {
                lines.append(hint)
            }
        }
        for note in notes { lines += QueryError.wrapped(note, columnsMax: room) }
        return lines.map { QueryError.indentation + $0 }
    }

    private static let indentation = "  "

    /// Wraps a note at the ` · ` between its parts.
    private static func wrapped(_ note: String, columnsMax: Int) -> [String] {
        let separator = " · "
        var lines: [String] = []
        for part in note.split(separator: separator) {
            if let last = lines.last, last.count + separator.count + part.count <= columnsMax {
                lines[lines.count - 1] = last + separator + part
            } else {
                lines.append((lines.isEmpty ? "" : indentation) + part)
            }
        }
        return lines
    }

    /// Returns the line and the column of the error, both from 1, and its length, in characters.
    package func position(in source: String) -> (line: Int, column: Int, length: Int) {
        let bytes = Array(source.utf8)
        let lower = min(max(range.lowerBound, 0), bytes.count)
        let upper = min(max(range.upperBound, lower), bytes.count)
        let newline = UInt8(ascii: "\n")
        let before = bytes[..<lower]
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        func characters(_ range: Range<Int>) -> Int {
            String(decoding: bytes[range], as: UTF8.self).count
        }
        return (
            before.count { $0 == newline } + 1, characters(lineStart..<lower) + 1,
            characters(lower..<upper)
        )
    }
}
