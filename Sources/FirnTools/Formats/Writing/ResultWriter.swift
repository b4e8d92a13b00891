package import FirnPlatform
package import FirnQuery

/// Writes a result in one format; calls come in the order begin, write (any number), finish.
package protocol ResultWriter: AnyObject {
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

    package init() {}
}
