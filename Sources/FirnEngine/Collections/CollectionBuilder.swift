import FirnCodec
import FirnValues

/// Collects the collections of one property of one row group.
final class CollectionBuilder {
    let property: PropertySchema
    let lengths = ColumnBuilder(kind: .int)
    let elements: ColumnBuilder
    let keys: ColumnBuilder?
    /// Places of rows whose elements stand elsewhere, with what they are.
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

    /// Appends a collection whose elements stand elsewhere.
    func append(outOfLine collection: OutOfLine) {
        outOfLine[UInt32(count)] = collection
        appendOutOfLine()
    }

    /// Appends a row that only says that its elements stand in the collection tree.
    func appendOutOfLine() {
        lengths.append(int: ColumnPart.outOfLine)
        starts.append(UInt32(elements.count))
    }

    /// Appends a row with the elements that were appended since the last.
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

    /// The column as it is in memory.
    func makeColumn() throws(CodecError) -> CollectionColumn {
        CollectionColumn(
            property: property, starts: starts, elements: try elements.makePage(),
            keys: try keys?.makePage(), outOfLine: outOfLine)
    }

    /// The parts as they are stored.
    func encode(_ level: CompressionLevel) throws(CodecError) -> [EncodedPart] {
        var parts = [try EncodedPart(property.id, .values, lengths, level)]
        // Collections that are all empty need no elements.
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
