package import FirnPlatform
package import FirnQuery

/// The form of a link whose key is a text.
package enum LinkStyle: Sendable {
    /// A JSON value, in quotes.
    case json
    /// A field of a line or a cell, without quotes.
    case plain
}

/// A writer of a result in one format; the calls are begin, write (any number), finish.
package protocol ResultWriter: AnyObject {
    /// The form of the keys of links.
    var linkStyle: LinkStyle { get }
    /// Whether the writer takes links and collections as they are.
    var keepsValues: Bool { get }
    /// Writes the start of the output, before the rows.
    func begin(_ columns: [ResultColumn]) throws(PlatformError)
    /// Writes the rows of a batch; its vectors match the columns of ``begin(_:)``.
    func write(_ batch: ResultBatch) throws(PlatformError)
    /// Writes the end of the output, and passes all bytes to the sink.
    func finish() throws(PlatformError)
}

extension ResultWriter {
    package var keepsValues: Bool { false }
}

/// A writer whose errors are not errors of a file.
package protocol FailingResultWriter: ResultWriter {
    /// The actual failure, if an error of the system was thrown in its place.
    var failure: CommandFailure? { get }
}

/// The options for values, in every format that supports them.
package struct WriterOptions: Sendable {
    /// Whether csv, tsv and table begin with the column names.
    package var header = true
    /// The text for null in csv, tsv, table and line; `nil` for the default of the format.
    package var nullText: String?
    /// Whether JSON has 64-bit integers as strings, for readers that round numbers.
    package var quotesInt64 = false
    /// Whether csv and tsv begin with a byte order mark, by which spreadsheets recognize UTF-8.
    package var startsWithMark = false
    /// Whether CSV has numbers with a decimal comma, and semicolons between the fields.
    package var hasDecimalComma = false
    /// The character between the fields of CSV; `nil` for a comma, or a semicolon with decimal commas.
    package var delimiter: UInt8?
    /// Whether CSV prevents spreadsheets from running text as formulas.
    package var disarmsFormulas = false
    /// The `$class` of every object in JSON, if any.
    package var className: String?

    package init() {}
}
