import FirnCodec
import FirnValues

/// The columns of a row group as they stand in its directory leaf: checked when the leaf was read,
/// and each decoded when somebody asks for it.
///
/// Most groups of a leaf are only passed by on the way to another, and most columns of a group are
/// not looked at.
///
///     bytes    of the leaf, shared by its groups
///     starts   where each column begins, and where the last one ends
struct StoredColumns: Sendable {
    private let bytes: [UInt8]
    private let starts: [UInt32]

    /// - Parameter columns: ascending by property, then part.
    init(_ columns: [StoredColumn]) {
        var writer = ByteWriter()
        var starts: [UInt32] = [0]
        starts.reserveCapacity(columns.count + 1)
        for column in columns {
            column.write(to: &writer)
            starts.append(UInt32(writer.bytes.count))
        }
        bytes = writer.bytes
        self.starts = starts
    }

    /// Goes over the columns of a group of so many rows.
    ///
    /// - Parameter leaf: all that the reader reads.
    /// - Throws: ``CodecError`` if one of them could not be decoded, or they are out of order.
    init(
        checking reader: inout ByteReader, of leaf: [UInt8], rowCount: Int
    ) throws(CodecError) {
        let count = try reader.count(max: 3 * ClassSchema.propertyCountMaximum)
        var starts: [UInt32] = []
        // Each has at least its property and its part.
        starts.reserveCapacity(min(count, reader.remaining / 2) + 1)
        var last: (PropertyID, ColumnPart)?
        for _ in 0..<count {
            starts.append(UInt32(reader.offset))
            let (property, part) = try StoredColumn.check(&reader, rowCount: rowCount)
            if let last, last >= (property, part) {
                throw CodecError(.corrupt, "columns out of order", at: reader.offset)
            }
            last = (property, part)
        }
        starts.append(UInt32(reader.offset))
        self.starts = starts
        bytes = leaf
    }

    /// Goes over the columns of a group without a look at them: what passes may be none.
    static func skip(_ reader: inout ByteReader) throws(CodecError) {
        let count = try reader.count(max: 3 * ClassSchema.propertyCountMaximum)
        for _ in 0..<count { try StoredColumn.skip(&reader) }
    }

    var count: Int { starts.count - 1 }

    /// What they take in memory; the rest of the leaf is that of other groups.
    var memoryByteCount: Int { stored.count + starts.count * MemoryLayout<UInt32>.stride }

    /// All columns, ascending by property, then part.
    ///
    /// - Complexity: O(columns)
    var all: [StoredColumn] {
        starts.dropLast().map { start in
            decoded(start) { reader throws(CodecError) in
                try StoredColumn(from: &reader)
            }
        }
    }

    /// - Complexity: O(log columns)
    subscript(property: PropertyID, part: ColumnPart) -> StoredColumn? {
        start(of: property, part).map { start in
            decoded(start) { reader throws(CodecError) in try StoredColumn(from: &reader) }
        }
    }

    /// Where the page of a column is.
    ///
    /// - Complexity: O(log columns)
    func reference(_ property: PropertyID, _ part: ColumnPart) -> PageReference? {
        start(of: property, part).map { start in
            decoded(start) { reader throws(CodecError) in
                _ = try StoredColumn.name(from: &reader)
                return try PageReference(from: &reader)
            }
        }
    }

    /// Appends the columns to a leaf.
    func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(count))
        stored.withUnsafeBytes { writer.bytes($0) }
    }

    private var stored: ArraySlice<UInt8> {
        guard let first = starts.first, let end = starts.last else { return [] }
        return bytes[Int(first)..<Int(end)]
    }

    private func start(of property: PropertyID, _ part: ColumnPart) -> UInt32? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let name = decoded(starts[middle]) { reader throws(CodecError) in
                try StoredColumn.name(from: &reader)
            }
            if name == (property, part) { return starts[middle] }
            if name < (property, part) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Reads at a place what was checked, or written by this type.
    private func decoded<Result>(
        _ start: UInt32, _ body: (inout ByteReader) throws(CodecError) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[Int(start)...]))
            do throws(CodecError) {
                return try body(&reader)
            } catch {
                preconditionFailure("a column that was checked cannot be read: \(error.reason)")
            }
        }
    }
}

/// The form of each column is the only one, so that equal columns have equal bytes.
extension StoredColumns: Hashable {
    static func == (left: StoredColumns, right: StoredColumns) -> Bool {
        left.stored == right.stored
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}
