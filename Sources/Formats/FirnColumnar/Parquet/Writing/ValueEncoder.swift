/// Encodes the values of one leaf, page by page.
protocol ValueEncoder: AnyObject {
    /// The bytes of the values that are not yet in a page, if they were plain.
    var pendingBytes: Int { get }
    /// The least and the greatest value of the row group, in the order of the type; `nil` if
    /// unknown.
    var bounds: ParquetBounds? { get }
    /// The number of values of the dictionary; 0 without one.
    var dictionaryCount: Int { get }

    /// Adds the values of a batch.
    func append(_ entries: LeafEntries)
    /// Writes the pending values as a page without its levels.
    func encodePage(to output: ByteOutput) -> ParquetEncoding
    /// Writes the values of the dictionary.
    func encodeDictionary(to output: ByteOutput)
    /// Starts the next row group.
    func reset()
}

/// The least and the greatest value of a column in a row group, as they are stored.
struct ParquetBounds {
    var least: [UInt8]
    var greatest: [UInt8]
    /// Whether the bounds are actual values and not shortened ones.
    var isExact = true
}

extension LeafEntries {
    /// The number of values that are not null.
    var valueCount: Int { positions?.count ?? entryCount }
}

/// The way in which the pages of a row group are encoded.
enum PageMode {
    /// The first page will decide.
    case undecided
    case dictionary
    case delta
    case plain
}
