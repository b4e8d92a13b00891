import FirnValues

/// Finds the lines before the header of a table, such as the title of a report.
///
/// Nothing is skipped on suspicion: the lines before the header have no delimiter, or an empty line
/// ends them; all lines after them have equally many; and a column has a name above values of a
/// type.
struct TitleSearch {
    private static let lineCountMax = 50
    private static let titleCountMax = 20
    private static let delimiters = [",", "\t", ";", "|"].map { (text: Unicode.Scalar) in
        UInt8(ascii: text)
    }

    private let quote: UInt8?
    /// The lines of the beginning, without their ends.
    private let lines: [ArraySlice<UInt8>]

    /// - Parameter text: the beginning of the input.
    init(_ text: ArraySlice<UInt8>, quote: UInt8?) {
        self.quote = quote
        var lines: [ArraySlice<UInt8>] = []
        var rest = text
        while lines.count < TitleSearch.lineCountMax,
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        {
            let line = rest[..<end]
            lines.append(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            rest = rest[(end + 1)...]
        }
        while let last = lines.last, TitleSearch.isBlank(last) { lines.removeLast() }
        self.lines = lines
    }

    /// The line `sep=;` of a spreadsheet, which names the delimiter.
    var namedDelimiter: UInt8? {
        guard let first = lines.first, first.count == 5, first.starts(with: "sep=".utf8) else {
            return nil
        }
        return first.last
    }

    /// Returns the number of lines before the header.
    ///
    /// - Parameter delimiter: the delimiter, if it is known.
    func lineCount(_ delimiter: UInt8?) -> Int {
        if namedDelimiter != nil { return 1 }
        var best: (count: Int, start: Int)?
        for candidate in delimiter.map({ [$0] }) ?? TitleSearch.delimiters {
            guard let (count, start) = start(candidate) else { continue }
            if count > best?.count ?? 0 { best = (count, start) }
        }
        return best?.start ?? 0
    }

    /// Returns the number of delimiters of the table's lines, and the index of its header.
    private func start(_ delimiter: UInt8) -> (count: Int, start: Int)? {
        let counts = lines.map { fields($0, delimiter).count - 1 }
        guard let count = counts.last, count > 0 else { return nil }
        let start = (counts.lastIndex { $0 != count }.map { $0 + 1 }) ?? 0
        guard start > 0, start <= TitleSearch.titleCountMax, lines.count - start >= 2 else {
            return nil
        }
        let isTitle =
            TitleSearch.isBlank(lines[start - 1]) || counts[..<start].allSatisfy { $0 == 0 }
        return isTitle && hasTypedColumn(from: start, delimiter) ? (count, start) : nil
    }

    /// Returns whether a column has a name above values that all are numbers, dates or null.
    private func hasTypedColumn(from start: Int, _ delimiter: UInt8) -> Bool {
        let names = fields(lines[start], delimiter)
        let rows = lines[(start + 1)...].map { fields($0, delimiter) }
        let hasNames = names.allSatisfy { !TitleSearch.isTyped($0) }
        return hasNames
            && names.indices.contains { column in
                let values = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
                    .filter { !TitleSearch.isBlank($0) }
                return !values.isEmpty && values.allSatisfy { TitleSearch.isTyped($0) }
            }
    }

    /// Returns the fields of a line without their quotes.
    private func fields(_ line: ArraySlice<UInt8>, _ delimiter: UInt8) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        var start = line.startIndex
        var isQuoted = false
        for index in line.indices {
            if line[index] == quote { isQuoted.toggle() }
            guard line[index] == delimiter, !isQuoted else { continue }
            fields.append(unquoted(line[start..<index]))
            start = index + 1
        }
        return fields + [unquoted(line[start...])]
    }

    private func unquoted(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard field.count >= 2, let quote, field.first == quote, field.last == quote else {
            return field
        }
        return field.dropFirst().dropLast()
    }

    private static func isBlank(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0 <= 0x20 }
    }

    private static func isTyped(_ text: ArraySlice<UInt8>) -> Bool {
        Array(text).withUnsafeBufferPointer { text in
            var plain: [UInt8] = []
            return FieldText.double(text) != nil || FieldText.time(text) != nil
                || [",", "."].contains { (sign: Unicode.Scalar) in
                    NumberForm(decimal: UInt8(ascii: sign)).read(text, into: &plain) == .converted
                }
        }
    }
}
