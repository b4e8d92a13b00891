import ArgumentParser
import FirnFormats
import FirnValues

/// The options for the form of tables that cannot be found by reading them.
struct DialectOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The character between the fields of a table, or tab (default: found in its beginning).",
            valueName: "CHARACTER"))
    var delimiter: FieldCharacter?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The character around fields of a table, or none (default: \").",
            valueName: "CHARACTER"))
    var quote: FieldCharacter?

    @Flag(
        name: .customLong("escape"),
        help: """
            In a table, a backslash begins an escape such as \\t, and \\N is null, as PostgreSQL and \
            MySQL write them; there are no quotes then.
            """)
    var hasEscapes = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The first character of lines of a table that are comments.", valueName: "CHARACTER"))
    var comment: FieldCharacter?

    @Option(
        name: .customLong("skip-lines"),
        help: ArgumentHelp(
            "The number of lines before the header of a table (default: found in its beginning).",
            valueName: "N"))
    var skippedLines: Int?

    @Flag(
        name: .customLong("headerless"),
        help: "The first line of a table is a row; its columns are column1, column2 and so on.")
    var hasNoHeader = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The names of the columns of a table without a header.", valueName: "NAME,..."))
    var columns: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The sign before fractions in a table: . or , so that the other one, spaces and \
            apostrophes may separate groups of three digits.
            """,
            valueName: "SIGN"))
    var decimal: FieldCharacter?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The encoding of the inputs: \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")) \
            (default: UTF-8, or as its beginning shows).
            """,
            valueName: "NAME"))
    var encoding: String?

    mutating func validate() throws {
        if let skippedLines, skippedLines < 0 || skippedLines > 1_000_000 {
            throw ValidationError("--skip-lines must be a number of lines")
        }
        if hasEscapes, quote?.byte != nil {
            throw ValidationError("--escape means --quote none")
        }
        if hasNoHeader, columns != nil {
            throw ValidationError("--columns already means --headerless")
        }
        if let columns { try check(names(columns)) }
        if let decimal, ![",", "."].contains(decimal.text) {
            throw ValidationError("--decimal is . or ,")
        }
        if let encoding, TextEncoding(name: encoding) == nil {
            let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "unknown --encoding \(SafeText.escaping(encoding)); known: \(names)")
        }
        let marks = [delimiter, quote, comment].compactMap { $0?.byte }
        if Set(marks).count < marks.count {
            throw ValidationError("--delimiter, --quote and --comment need different characters")
        }
    }

    private func names(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    }

    private func check(_ names: [String]) throws {
        if names.contains(where: \.isEmpty) { throw ValidationError("--columns has an empty name") }
        if let again = names.enumerated().first(where: { names[..<$0].contains($1) })?.element {
            throw ValidationError("--columns names \(SafeText.escaping(again)) twice")
        }
    }

    var dialect: TableDialect {
        var dialect = TableDialect()
        dialect.delimiter = delimiter?.byte
        if let quote { dialect.quote = .some(quote.byte) }
        dialect.hasEscapes = hasEscapes
        dialect.comment = comment?.byte
        dialect.skippedLineCount = skippedLines
        if let columns {
            dialect.header = .names(names(columns))
        } else if hasNoHeader {
            dialect.header = DelimitedFormat.Header.none
        }
        dialect.numbers = decimal?.byte.map { NumberForm(decimal: $0) }
        dialect.encoding = encoding.flatMap { TextEncoding(name: $0) }
        return dialect
    }
}

/// A character between or around fields.
struct FieldCharacter: ExpressibleByArgument {
    let text: String
    /// The character; `nil` for none.
    let byte: UInt8?

    init?(argument: String) {
        text = argument
        switch argument.lowercased() {
        case "none": byte = nil
        case "tab", "\\t", "\t": byte = UInt8(ascii: "\t")
        case "comma": byte = UInt8(ascii: ",")
        case "semicolon": byte = UInt8(ascii: ";")
        case "pipe": byte = UInt8(ascii: "|")
        case "space": byte = UInt8(ascii: " ")
        default:
            let bytes = Array(argument.utf8)
            // A letter, a digit or a line end could not be told from the fields.
            guard bytes.count == 1, let only = bytes.first, only > 0x20, only < 0x7F,
                !(only | 0x20).isLetterOrDigit
            else { return nil }
            byte = only
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        self &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
    }
}
