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
        writer.varint(UInt64(columns.count))
        for column in columns {
            writer.varint(UInt64(column.property.rawValue))
            writer.u8(column.part.rawValue)
            column.reference.write(to: &writer)
            writer.u8(column.encoding.rawValue)
            writer.varint(UInt64(column.rawByteCount))
            column.zone.write(to: &writer)
        }
    }

    convenience init(from reader: inout ByteReader) throws(CodecError) {
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
        let columnCount = try reader.varint()
        guard columnCount <= 3 * UInt64(ClassSchema.propertyCountMaximum) else {
            throw CodecError(.corrupt, "more columns than a class may have", at: reader.offset)
        }
        var columns: [StoredColumn] = []
        for _ in 0..<columnCount {
            let column = try StoredColumn(from: &reader, rowCount: Int(rowCount))
            if let last = columns.last,
                (last.property, last.part) >= (column.property, column.part)
            {
                throw CodecError(.corrupt, "columns out of order", at: reader.offset)
            }
            columns.append(column)
        }
        self.init(
            firstRowID: firstRowID, rowCount: Int(rowCount), rowIDs: rowIDs,
            deletedCount: Int(deletedCount), deleted: deleted, columns: columns)
    }
}

extension StoredColumn {
    fileprivate init(from reader: inout ByteReader, rowCount: Int) throws(CodecError) {
        guard let property = UInt32(exactly: try reader.varint()) else {
            throw CodecError(.corrupt, "property id too large", at: reader.offset)
        }
        guard let part = ColumnPart(rawValue: try reader.u8()) else {
            throw CodecError(.corrupt, "unknown part of a column", at: reader.offset)
        }
        let reference = try PageReference(from: &reader)
        guard let encoding = PageEncoding(rawValue: try reader.u8()),
            let rawByteCount = UInt32(exactly: try reader.varint())
        else { throw CodecError(.corrupt, "unknown encoding", at: reader.offset) }
        let zone = try ZoneMap(from: &reader)
        guard part != .values || zone.rowCount == rowCount else {
            throw CodecError(.corrupt, "zone map of other rows", at: reader.offset)
        }
        self.init(
            property: PropertyID(property), part: part, reference: reference, zone: zone,
            encoding: encoding, rawByteCount: rawByteCount)
    }
}
