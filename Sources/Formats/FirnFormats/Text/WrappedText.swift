import FirnValues

/// Breaks the lines of a message at the width of a terminal.
package enum WrappedText {
    /// The minimum width; in a narrower window, lines break anywhere.
    private static let columnsMin = 20

    /// Returns the text with each line broken after spaces.
    ///
    /// The rest of a line is indented more than the line. If the line has two columns, such
    /// as a command and its summary, the rest is aligned with the second column.
    ///
    /// - Parameters:
    ///   - columns: the maximum width of a line; `nil` for any width.
    ///   - hanging: the additional indentation of the rest of a line.
    package static func wrapping(_ text: String, columns: Int?, hanging: Int = 2) -> String {
        guard let columns, columns >= columnsMin else { return text }
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines += wrapped(line, columns: columns, additional: hanging)
        }
        return lines.joined(separator: "\n")
    }

    private static func wrapped(
        _ line: Substring, columns: Int, additional: Int
    ) -> [String] {
        guard DisplayWidth.columns(of: line) > columns else { return [String(line)] }
        let indentation = line.prefix { $0 == " " }.count
        var rest = line
        var lines: [String] = []
        var hanging = indentation + additional
        if let second = secondColumn(line, after: indentation) {
            let start = DisplayWidth.columns(of: line[..<second])
            if start <= columns / 2 {
                hanging = start
            } else {
                // The second column has no room beside the first.
                lines = wrapped(
                    trimmed(line[..<second]), columns: columns, additional: additional)
                hanging = indentation + 4
                rest = Substring(String(repeating: " ", count: hanging) + line[second...])
            }
        }
        let space = String(repeating: " ", count: hanging)
        while DisplayWidth.columns(of: rest) > columns,
            let end = breakIndex(rest, columns: columns)
        {
            lines.append(String(trimmed(rest[..<end])))
            rest = Substring(space + rest[end...].drop { $0 == " " })
        }
        return lines + [String(rest)]
    }

    /// Returns the start of the second column, which follows at least two spaces.
    private static func secondColumn(_ line: Substring, after indentation: Int) -> String.Index? {
        let body = line.dropFirst(indentation)
        guard let gap = body.firstRange(of: "  ") else { return nil }
        let second = body[gap.lowerBound...].drop { $0 == " " }
        return second.isEmpty ? nil : second.startIndex
    }

    /// Returns the last index after a space before which the text fits; `nil` if there is none.
    private static func breakIndex(_ line: Substring, columns: Int) -> String.Index? {
        var width = 0
        var end: String.Index?
        var hasWord = false
        for index in line.indices {
            let character = line[index]
            if character == " " {
                if hasWord, width <= columns { end = line.index(after: index) }
            } else {
                hasWord = true
            }
            width += DisplayWidth.columns(of: character)
            if width > columns, end != nil { break }
        }
        return end
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
