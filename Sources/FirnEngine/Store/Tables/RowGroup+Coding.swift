import FirnCodec
import FirnValues

/// An entry of a directory leaf:
///
///     first row id, rows, u8 flags (1: row ids, 2: delete marks), [reference of the row ids],
///     [deleted count, reference of the marks], count, { property, u8 part, reference,
///     u8 encoding, raw bytes, zone map }
extension RowGroup {
    func write(to writer: inout ByteWriter) {
        writer.varint(firstRowID.rawValue)
        writer.varint(UInt64(rowCount))
        writer.u8((rowIDs == nil ? 0 : 1) | (deleted == nil ? 0 : 2))
        rowIDs?.write(to: &writer)
        if let deleted {
            writer.varint(UInt64(deletedCount))
            deleted.write(to: &writer)
        }
        packed.write(to: &writer)
    }

    /// - Parameter leaf: all that the reader reads.
    convenience init(from reader: inout ByteReader, of leaf: [UInt8]) throws(CodecError) {
        let firstRowID = RowID(try reader.varint())
        let rowCount = try reader.varint()
        let flags = try reader.u8()
        guard rowCount >= 1, rowCount <= UInt64(RowGroup.maximumRowCount), flags <= 3,
            firstRowID.rawValue <= RowID.limit.rawValue - rowCount
        else { throw CodecError(.corrupt, "impossible row group", at: reader.offset) }
        let rowIDs = flags & 1 != 0 ? try PageReference(from: &reader) : nil
        var deletedCount: UInt64 = 0
        var deleted: PageReference?
        if flags & 2 != 0 {
            deletedCount = try reader.varint()
            deleted = try PageReference(from: &reader)
            guard deletedCount >= 1, deletedCount < rowCount else {
                throw CodecError(.corrupt, "impossible number of deleted rows", at: reader.offset)
            }
        }
        let columns = try StoredColumns(checking: &reader, of: leaf, rowCount: Int(rowCount))
        self.init(
            firstRowID: firstRowID, rowCount: Int(rowCount), rowIDs: rowIDs,
            deletedCount: Int(deletedCount), deleted: deleted, columns)
    }
}

extension StoredColumn {
    func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(property.rawValue))
        writer.u8(part.rawValue)
        reference.write(to: &writer)
        writer.u8(encoding.rawValue)
        writer.varint(UInt64(rawByteCount))
        zone.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        let (property, part) = try StoredColumn.name(from: &reader)
        let reference = try PageReference(from: &reader)
        let (encoding, rawByteCount) = try StoredColumn.form(from: &reader)
        self.init(
            property: property, part: part, reference: reference,
            zone: try ZoneMap(from: &reader), encoding: encoding, rawByteCount: rawByteCount)
    }

    /// Goes over a column, after which it can be read.
    ///
    /// - Parameter rowCount: of the group.
    /// - Returns: whose values they are, and which.
    static func check(
        _ reader: inout ByteReader, rowCount: Int
    ) throws(CodecError) -> (PropertyID, ColumnPart) {
        let (property, part) = try name(from: &reader)
        _ = try PageReference(from: &reader)
        _ = try form(from: &reader)
        let zoneRowCount = try ZoneMap.check(&reader)
        guard part != .values || zoneRowCount == rowCount else {
            throw CodecError(.corrupt, "zone map of other rows", at: reader.offset)
        }
        return (property, part)
    }

    /// Reads whose values a column has, and which.
    static func name(
        from reader: inout ByteReader
    ) throws(CodecError) -> (PropertyID, ColumnPart) {
        guard let property = UInt32(exactly: try reader.varint()) else {
            throw CodecError(.corrupt, "property id too large", at: reader.offset)
        }
        guard let part = ColumnPart(rawValue: try reader.u8()) else {
            throw CodecError(.corrupt, "unknown part of a column", at: reader.offset)
        }
        return (PropertyID(property), part)
    }

    private static func form(
        from reader: inout ByteReader
    ) throws(CodecError) -> (PageEncoding, rawByteCount: UInt32) {
        guard let encoding = PageEncoding(rawValue: try reader.u8()),
            let rawByteCount = UInt32(exactly: try reader.varint())
        else { throw CodecError(.corrupt, "unknown encoding", at: reader.offset) }
        return (encoding, rawByteCount)
    }
}
