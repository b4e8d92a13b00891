import FirnCodec
import FirnValues

/// A builder for the collections of one property of one row group.
final class CollectionBuilder {
    let property: PropertySchema
    let lengths = ColumnBuilder(kind: .int)
    let elements: ColumnBuilder
    let keys: ColumnBuilder?
    /// The rows whose elements are stored outside the row group, with their collections.
    private(set) var outOfLine: [UInt32: OutOfLine] = [:]
    private var starts: [UInt32] = [0]

    init(_ property: PropertySchema) {
        self.property = property
        elements = ColumnBuilder(kind: property.columnKind)
        keys = property.type.container == .map ? ColumnBuilder(kind: .string) : nil
    }

    var count: Int { lengths.count }

    var byteCount: Int {
        lengths.byteCount + elements.byteCount + (keys?.byteCount ?? 0)
    }

    /// Appends a collection with all of its elements.
    func append(_ value: Value) throws(CodecError) {
        switch value {
        case .list(let values), .set(let values):
            for value in values { try elements.append(property.type.toColumn(value)) }
        case .map(let map):
            for (key, value) in map.orderedEntries {
                try keys?.append(.string(key))
                try elements.append(property.type.toColumn(value))
            }
        case .null: break
        default:
            throw CodecError(.typeMismatch, "\(value.tag.name) in a column of collections")
        }
        endRow()
    }

    /// Appends a collection whose elements are stored outside the row group.
    func append(outOfLine collection: OutOfLine) {
        outOfLine[UInt32(count)] = collection
        appendOutOfLine()
    }

    /// Appends a row with only the marker that its elements are in the collection tree.
    func appendOutOfLine() {
        lengths.append(int: ColumnPart.outOfLine)
        starts.append(UInt32(elements.count))
    }

    /// Appends a row with the elements that were appended since the last row.
    func endRow() {
        let last = starts.last ?? 0
        lengths.append(int: Int64(elements.count) - Int64(last))
        starts.append(UInt32(elements.count))
    }

    /// Appends a row of a column with its inline elements.
    func append(_ column: CollectionColumn, row: Int) {
        let range = column.range(of: row)
        elements.append(column.elements, rows: UInt32(range.lowerBound)..<UInt32(range.upperBound))
        if let source = column.keys {
            keys?.append(source, rows: UInt32(range.lowerBound)..<UInt32(range.upperBound))
        }
        endRow()
    }

    /// Returns the column in memory.
    func makeColumn() throws(CodecError) -> CollectionColumn {
        CollectionColumn(
            property: property, starts: starts, elements: try elements.makePage(),
            keys: try keys?.makePage(), outOfLine: outOfLine)
    }

    /// Returns the parts as stored on disk.
    func encode(_ level: CompressionLevel) throws(CodecError) -> [EncodedPart] {
        var parts = [try EncodedPart(property.id, .values, lengths, level)]
        // If all collections are empty, no elements are stored.
        guard elements.count > 0 else { return parts }
        parts.append(try EncodedPart(property.id, .elements, elements, level))
        if let keys { parts.append(try EncodedPart(property.id, .keys, keys, level)) }
        return parts
    }

    func removeAll() {
        lengths.removeAll()
        elements.removeAll()
        keys?.removeAll()
        outOfLine = [:]
        starts = [0]
    }
}
