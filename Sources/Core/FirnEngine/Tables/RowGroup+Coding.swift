import FirnCodec
import FirnValues

/// The encoding of an entry of a directory leaf.
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

    /// The fields before the columns.
    struct Head {
        let firstRowID: RowID
        let rowCount: Int
        let rowIDs: PageReference?
        let deletedCount: Int
        let deleted: PageReference?
    }

    /// - Parameter leaf: All bytes of the reader.
    convenience init(from reader: inout ByteReader, of leaf: [UInt8]) throws(CodecError) {
        let head = try Head(from: &reader)
        let columns = try StoredColumns(checking: &reader, of: leaf, rowCount: head.rowCount)
        self.init(
            firstRowID: head.firstRowID, rowCount: head.rowCount, rowIDs: head.rowIDs,
            deletedCount: head.deletedCount, deleted: head.deleted, columns)
    }
}

extension RowGroup.Head {
    init(from reader: inout ByteReader) throws(CodecError) {
        firstRowID = RowID(try reader.varint())
        let rowCount = try reader.varint()
        let flags = try reader.u8()
        guard rowCount >= 1, rowCount <= UInt64(RowGroup.maximumRowCount), flags <= 3,
            firstRowID.rawValue <= RowID.limit.rawValue - rowCount
        else { throw CodecError(.corrupt, "impossible row group", at: reader.offset) }
        rowIDs = flags & 1 != 0 ? try PageReference(from: &reader) : nil
        var deletedCount: UInt64 = 0
        var deleted: PageReference?
        if flags & 2 != 0 {
            deletedCount = try reader.varint()
            deleted = try PageReference(from: &reader)
            guard deletedCount >= 1, deletedCount < rowCount else {
                throw CodecError(.corrupt, "impossible number of deleted rows", at: reader.offset)
            }
        }
        self.rowCount = Int(rowCount)
        self.deletedCount = Int(deletedCount)
        self.deleted = deleted
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

    /// Validates a column, which can be read afterwards.
    ///
    /// - Parameter rowCount: The number of rows of the group.
    /// - Returns: The property and the part of the column.
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

    /// Skips a column without validating it.
    static func skip(_ reader: inout ByteReader) throws(CodecError) {
        try reader.skipVarint()
        _ = try reader.skip(1)
        try PageReference.skip(&reader)
        _ = try reader.skip(1)
        try reader.skipVarint()
        try ZoneMap.skip(&reader)
    }

    /// Reads the property and the part of a column.
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
