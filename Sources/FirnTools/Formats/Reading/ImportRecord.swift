/// One record of an input: what an object is to be, in the words of the input.
struct ImportRecord {
    /// The class that the input says for it, if it does.
    let className: String?
    /// Fields in the order of the input.
    let fields: [JSONTree.Member]
    let place: JSONPlace
    /// Whether the values are the texts of a table, which only the types of the properties explain.
    let isTable: Bool

    subscript(name: String) -> JSONTree? { fields.first { $0.name == name }?.value }

    /// The record as one JSON value, to be saved when it is rejected.
    var tree: JSONTree { JSONTree(.object(fields), at: place) }
}

/// What an input yields, one after the other.
enum ImportItem {
    /// The schema document that a stream or a document begins with.
    case schema(JSONTree)
    case record(ImportRecord)
}

/// What is left of a record that is wrong in itself.
enum BrokenRecord {
    /// It has a form, though not that of a record.
    case tree(JSONTree)
    /// The bytes of its lines, of very many only the first.
    case bytes([UInt8])
}

/// The records of an input.
protocol RecordSource: AnyObject {
    /// What errors call the input.
    var name: String { get }
    /// How many bytes the records so far took, for progress.
    var bytesRead: UInt64 { get }
    /// Whether ``next()`` can go on after it threw: what was wrong concerns one record only.
    var canContinue: Bool { get }
    /// After ``next()`` threw and can go on: the record that is left out. It may have to wait for
    /// its end.
    func takeBroken() throws(InputError) -> BrokenRecord
    /// The line that was read last.
    var line: UInt64 { get }
    /// Whether there is more without waiting for whoever writes the input.
    var hasInput: Bool { get }
    /// The next record, or `nil` at the end.
    func next() throws(InputError) -> ImportItem?
}
