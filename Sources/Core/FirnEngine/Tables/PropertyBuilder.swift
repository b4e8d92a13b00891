import FirnCodec
import FirnValues

/// A builder for the values of one property of one row group.
enum PropertyBuilder {
    case single(ColumnBuilder)
    case collection(CollectionBuilder)

    init(_ property: PropertySchema) {
        self =
            property.type.container == .single
            ? .single(ColumnBuilder(kind: property.columnKind))
            : .collection(CollectionBuilder(property))
    }

    /// The column with one value per row: the values, or the lengths of collections.
    var rowColumn: ColumnBuilder {
        switch self {
        case .single(let builder): builder
        case .collection(let builder): builder.lengths
        }
    }

    var collection: CollectionBuilder? {
        if case .collection(let builder) = self { builder } else { nil }
    }

    var count: Int { rowColumn.count }

    var byteCount: Int {
        switch self {
        case .single(let builder): builder.byteCount
        case .collection(let builder): builder.byteCount
        }
    }

    /// Whether every value takes the same number of bytes.
    var hasFixedSize: Bool {
        switch self {
        case .single(let builder): builder.kind.hasFixedSize
        case .collection: false
        }
    }

    func encode(_ level: CompressionLevel, of property: PropertyID) throws(CodecError)
        -> [EncodedPart]
    {
        switch self {
        case .single(let builder): [try EncodedPart(property, .values, builder, level)]
        case .collection(let builder): try builder.encode(level)
        }
    }

    func removeAll() {
        switch self {
        case .single(let builder): builder.removeAll()
        case .collection(let builder): builder.removeAll()
        }
    }
}

extension EncodedPart {
    func stored(at reference: PageReference) -> StoredColumn {
        StoredColumn(
            property: property, part: part, reference: reference, zone: page.zone,
            encoding: page.encoding, rawByteCount: UInt32(clamping: rawByteCount))
    }
}

/// The values of one property of one row group, to be appended to a builder.
enum PropertyColumn {
    case single(ColumnPage)
    /// Rows that are not stored as pages, the index of the property in them, and their changes.
    case values(RowBlock, Int, PropertyType, RowMap<Value>)
    case collection(CollectionColumn)

    init(_ property: PropertySchema, of view: RowGroupView) throws(StoreError) {
        guard property.type.container == .single else {
            self = .collection(try view.collection(property))
            return
        }
        if case .memory(let group) = view.source, let block = group.block,
            let index = block.index(of: property.id), view.patch?.columns[property.id] == nil
        {
            self = .values(block, index, property.type, view.patch?.values[property.id] ?? RowMap())
        } else {
            self = .single(try view.column(property))
        }
    }

    /// Appends rows of single values.
    func append(_ rows: ArraySlice<UInt32>, to builder: ColumnBuilder) throws(CodecError) {
        switch self {
        case .single(let column):
            rows.withContiguousStorageIfAvailable { builder.append(column, rows: $0) }
        case .values(let block, let index, let type, let changes):
            if changes.isEmpty { return try block.append(rows, of: index, to: builder) }
            for row in rows {
                try builder.append(
                    type.toColumn(changes[row] ?? block.value(at: Int(row), index)))
            }
        case .collection: preconditionFailure("a builder and its column are of one property")
        }
    }

    var memoryByteCount: Int {
        switch self {
        case .single(let column): column.memoryByteCount
        case .values(let block, _, _, _): block.byteCount / max(1, block.properties.count)
        case .collection(let column): column.memoryByteCount
        }
    }
}

extension ValueTag {
    /// Whether every value of this kind takes the same number of bytes, 8 or less.
    var hasFixedSize: Bool {
        switch self {
        case .bool, .int, .float, .double, .date, .null: true
        default: false
        }
    }
}
