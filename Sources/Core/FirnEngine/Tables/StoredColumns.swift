import FirnCodec
import FirnValues

/// The columns of a row group in the encoding of their directory leaf.
///
/// They are validated when the leaf is read, and each is decoded on access. Most groups of a leaf
/// are only passed on the way to another, and most columns of a group are never read.
///
///     bytes    of the leaf, shared by its groups
///     starts   the offset of each column, and the end of the last one
struct StoredColumns: Sendable {
    private let bytes: [UInt8]
    private let starts: [UInt32]

    /// - Parameter columns: The columns, ascending by property, then part.
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

    /// Validates the columns of a group with a given number of rows.
    ///
    /// - Parameter leaf: All bytes of the reader.
    /// - Throws: ``CodecError`` if a column cannot be decoded, or if they are out of order.
    init(
        checking reader: inout ByteReader, of leaf: [UInt8], rowCount: Int
    ) throws(CodecError) {
        let count = try reader.count(max: 3 * ClassSchema.propertyCountMaximum)
        var starts: [UInt32] = []
        // Each column takes at least its property and its part.
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

    /// Skips the columns of a group without validating them.
    static func skip(_ reader: inout ByteReader) throws(CodecError) {
        let count = try reader.count(max: 3 * ClassSchema.propertyCountMaximum)
        for _ in 0..<count { try StoredColumn.skip(&reader) }
    }

    var count: Int { starts.count - 1 }

    /// The size of the columns in memory; the rest of the leaf belongs to other groups.
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

    /// Returns the reference of the page of a column.
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

    /// Decodes bytes at an offset that were validated, or written by this type.
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

/// Each column has only one encoding, so that equal columns have equal bytes.
extension StoredColumns: Hashable {
    static func == (left: StoredColumns, right: StoredColumns) -> Bool {
        left.stored == right.stored
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}
