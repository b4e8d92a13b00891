import FirnValues

/// The records at the beginning of a table, as one delimiter divides them.
///
/// A record ends at a line end outside quotes, so it can have several lines. Quotes have a meaning only
/// around a whole field, as when the table is read.
struct SampleRecords {
    static let countMax = 50
    private static let reservedCountMax = 4096

    struct Record {
        /// A part of the fields of all records.
        let fields: ArraySlice<ArraySlice<UInt8>>
        /// The number of lines, which is one more than the number of line ends inside quotes.
        let lineCount: Int
        /// Whether the record is an empty line.
        var isBlank: Bool {
            fields.count == 1 && fields.allSatisfy { $0.allSatisfy { $0 <= 0x20 } }
        }

        /// - Parameter column: the number of a field, less than the number of fields.
        subscript(column: Int) -> ArraySlice<UInt8> { fields[fields.startIndex + column] }
    }

    /// The number of fields up to the end of a record, and its number of lines.
    private typealias Ending = (fieldCount: Int, lineCount: Int)

    private(set) var records: [Record] = []
    /// Whether a quote is neither around a field nor doubled inside one.
    private(set) var hasStrayQuotes = false

    /// - Parameters:
    ///   - text: the beginning of the input. A record without a line end is ignored, because the
    ///     sample may cut it, unless it is the only one.
    ///   - quote: the character around fields; `nil` if there is none.
    ///   - comment: the first character of lines that are not records.
    init(_ text: ArraySlice<UInt8>, delimiter: UInt8, quote: UInt8?, comment: UInt8? = nil) {
        var fields: [ArraySlice<UInt8>] = []
        let endings = read(text, delimiter, quote, comment, &fields)
        var start = 0
        records = endings.map { ending in
            defer { start = ending.fieldCount }
            return Record(fields: fields[start..<ending.fieldCount], lineCount: ending.lineCount)
        }
    }

    private mutating func read(
        _ text: ArraySlice<UInt8>, _ delimiter: UInt8, _ quote: UInt8?, _ comment: UInt8?,
        _ fields: inout [ArraySlice<UInt8>]
    ) -> [Ending] {
        var rest = text
        var endings: [Ending] = []
        endings.reserveCapacity(SampleRecords.countMax)
        while endings.count < SampleRecords.countMax, !rest.isEmpty {
            if let comment, rest.first == comment {
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
                rest = rest[(end + 1)...]
                continue
            }
            let isFirst = endings.isEmpty
            guard let lineCount = next(&rest, delimiter, quote, &fields, isFirst: isFirst) else {
                break
            }
            if isFirst {
                // Most records are as wide as the first.
                let count = fields.count * SampleRecords.countMax
                fields.reserveCapacity(min(count, SampleRecords.reservedCountMax))
            }
            endings.append((fields.count, lineCount))
        }
        return endings
    }

    /// The records that are not empty lines.
    var filled: [Record] { records.filter { !$0.isBlank } }

    /// The number of fields of all records, not counting empty lines; `nil` if it differs.
    var width: Int? {
        let filled = filled
        guard let first = filled.first?.fields.count else { return nil }
        return filled.allSatisfy { $0.fields.count == first } ? first : nil
    }

    /// Reads the fields of a record.
    ///
    /// - Returns: the number of its lines; `nil` if the sample ends inside it.
    private mutating func next(
        _ rest: inout ArraySlice<UInt8>, _ delimiter: UInt8, _ quote: UInt8?,
        _ fields: inout [ArraySlice<UInt8>], isFirst: Bool
    ) -> Int? {
        var lineCount = 1
        while true {
            let field: ArraySlice<UInt8>
            if let quote, rest.first == quote {
                guard let quoted = SampleRecords.takeQuoted(&rest, quote) else { return nil }
                field = quoted
                lineCount += quoted.count { $0 == UInt8(ascii: "\n") }
                if let next = rest.first, next != delimiter, next != UInt8(ascii: "\n"),
                    next != UInt8(ascii: "\r")
                {
                    hasStrayQuotes = true
                }
                // Text after a closing quote is a mistake, and not part of the field.
                rest = rest.drop { $0 != delimiter && $0 != UInt8(ascii: "\n") }
            } else {
                let end = rest.firstIndex { $0 == delimiter || $0 == UInt8(ascii: "\n") }
                let text = rest[..<(end ?? rest.endIndex)]
                if let quote, text.contains(quote) { hasStrayQuotes = true }
                field = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
                rest = rest[(end ?? rest.endIndex)...]
            }
            fields.append(field)
            guard let end = rest.popFirst() else { return isFirst ? lineCount : nil }
            if end != delimiter { return lineCount }
        }
    }

    /// Removes a quoted field and returns its text; `nil` if the sample ends inside it.
    private static func takeQuoted(
        _ rest: inout ArraySlice<UInt8>, _ quote: UInt8
    ) -> ArraySlice<UInt8>? {
        let text = rest.dropFirst()
        var from = text.startIndex
        while let end = text[from...].firstIndex(of: quote) {
            guard end + 1 < text.endIndex, text[end + 1] == quote else {
                rest = text[(end + 1)...]
                return text[..<end]
            }
            from = end + 2
        }
        return nil
    }
}
