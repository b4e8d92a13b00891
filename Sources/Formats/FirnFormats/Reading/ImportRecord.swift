package import FirnText
import FirnValues

/// One record of an input: the values of an object.
package struct ImportRecord {
    /// The class that the input names for the record, if any.
    package let className: String?
    /// The fields in the order of the input.
    let fields: [JSONTree.Member]
    package let position: TextPosition
    /// The meaning of the values if they are texts of a table, which only the types of the
    /// properties can interpret.
    let cells: CellForm?

    package init(
        className: String?, fields: [JSONTree.Member], position: TextPosition, cells: CellForm?
    ) {
        self.className = className
        self.fields = fields
        self.position = position
        self.cells = cells
    }

    package var isTable: Bool { cells != nil }

    package subscript(name: String) -> JSONTree? { fields.first { $0.name == name }?.value }

    /// The record as one JSON value, to be stored if it is rejected.
    package var tree: JSONTree { JSONTree(.object(fields), at: position) }
}

/// An item of an input.
package enum ImportItem {
    /// The schema document at the start of a stream or a document.
    case schema(JSONTree)
    case record(ImportRecord)
}

/// The content of an invalid record.
package enum BrokenRecord {
    /// A valid JSON value that is not a record.
    case tree(JSONTree)
    /// The bytes of its lines; if there are very many, only the first.
    case bytes([UInt8])
}

/// A source of records.
package protocol RecordSource: AnyObject {
    /// The name of the input in errors.
    var name: String { get }
    /// The number of bytes in the records so far, for progress.
    var bytesRead: UInt64 { get }
    /// Whether ``next()`` can continue after an error, because the error concerns only one record.
    var canContinue: Bool { get }
    /// Returns the skipped record after ``next()`` threw and can continue. It may have to wait for
    /// the end of the record.
    func takeBroken() throws(InputError) -> BrokenRecord
    /// The last line that was read.
    var line: UInt64 { get }
    /// Whether more input is available without waiting for the writer.
    var hasInput: Bool { get }
    /// The names of the columns of a table; `nil` for records that each have their own names.
    var columnNames: [String]? { get }
    /// Returns the next record, or `nil` at the end.
    func next() throws(InputError) -> ImportItem?
}

extension RecordSource {
    package var columnNames: [String]? { nil }
}
