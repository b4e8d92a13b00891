import FirnCodec
import FirnValues

/// Rows that a transaction created and has not sealed yet, column by column.
final class CreatedRows {
    let schema: ClassSchema
    let firstRowID: RowID
    private(set) var count = 0
    private let builders: [ColumnBuilder]

    init(schema: ClassSchema, firstRowID: RowID) {
        self.schema = schema
        self.firstRowID = firstRowID
        builders = schema.properties.map { ColumnBuilder(kind: $0.type.base) }
    }

    /// Bytes of values, to seal before a group gets too large.
    var byteCount: Int { builders.reduce(0) { $0 + $1.byteCount } }

    /// Appends a row whose values were checked.
    func append(_ values: [Value]) throws(CodecError) {
        for (builder, value) in zip(builders, values) { try builder.append(value) }
        count += 1
    }

    func sealed() throws(CodecError) -> MemoryRowGroup {
        var columns: [PropertyID: ColumnPage] = [:]
        for (property, builder) in zip(schema.properties, builders) {
            columns[property.id] = try builder.makePage()
        }
        return MemoryRowGroup(firstRowID: firstRowID, rowCount: count, columns: columns)
    }
}
