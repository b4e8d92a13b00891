package import FirnPlatform
package import FirnQuery

/// What a link is where its key is a text.
package enum LinkStyle: Sendable {
    /// A JSON value: in quotes.
    case json
    /// A field of a line or a cell: the text itself.
    case plain
}

/// Writes a result in one format; calls come in the order begin, write (any number), finish.
package protocol ResultWriter: AnyObject {
    /// How the keys stand that links are written as.
    var linkStyle: LinkStyle { get }
    /// Writes what stands in front of the rows.
    func begin(_ columns: [ResultColumn]) throws(PlatformError)
    /// Writes the rows of a batch; its vectors fit the columns of ``begin(_:)``.
    func write(_ batch: ResultBatch) throws(PlatformError)
    /// Writes what stands behind the rows, and hands all bytes to the sink.
    func finish() throws(PlatformError)
}

/// How values are written, in every format that has the choice.
package struct WriterOptions: Sendable {
    /// Whether csv, tsv and table begin with the names of the columns.
    package var header = true
    /// What stands for null in csv, tsv, table and line; the format's own word if it is `nil`.
    package var nullText: String?
    /// Whether JSON has integers of 64 bits as strings, for readers that round them.
    package var quotesInt64 = false
    /// Whether CSV keeps spreadsheets from running texts as formulas.
    package var disarmsFormulas = false
    /// What JSON writes as `$class` of every object, if anything.
    package var className: String?

    package init() {}
}
