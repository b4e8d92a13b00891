import FirnValues

/// Writes the schema of a stream.
enum ArrowSchemaWriting {
    /// The version V5 of the metadata.
    static let version: Int16 = 4

    static func message(
        _ fields: [ColumnarField], _ metadata: [(key: String, value: String)]
    ) -> [UInt8] {
        var builder = FlatBuilder()
        let schema = schema(fields, metadata, &builder)
        return finish(schema, ArrowMessageKind.schema, bodyBytes: 0, &builder)
    }

    static func schema(
        _ fields: [ColumnarField], _ metadata: [(key: String, value: String)],
        _ builder: inout FlatBuilder
    ) -> Int {
        let parts = fields.map { field($0, &builder) }
        let columns = builder.vector(parts)
        var values: [(id: Int, value: FlatBuilder.Field)] = [(1, .part(columns))]
        if !metadata.isEmpty { values.append((2, .part(texts(metadata, &builder)))) }
        return builder.table(values)
    }

    static func finish(
        _ header: Int, _ kind: ArrowMessageKind, bodyBytes: Int64, _ builder: inout FlatBuilder
    ) -> [UInt8] {
        let message = builder.table([
            (3, .int64(bodyBytes)), (2, .part(header)), (0, .int16(version)),
            (1, .int8(Int8(kind.rawValue))),
        ])
        return builder.finish(message)
    }

    private static func texts(
        _ texts: [(key: String, value: String)], _ builder: inout FlatBuilder
    ) -> Int {
        var entries: [Int] = []
        for (key, value) in texts {
            let key = builder.text(key)
            let value = builder.text(value)
            entries.append(builder.table([(0, .part(key)), (1, .part(value))]))
        }
        return builder.vector(entries)
    }

    private static func field(_ field: ColumnarField, _ builder: inout FlatBuilder) -> Int {
        var children: [ColumnarField] = []
        switch field.type {
        case .list(let element): children = [element]
        case .structure(let parts): children = parts
        case .map(let key, let value):
            let required = ColumnarField("key", key.type, isOptional: false)
            let entries = [
                required, ColumnarField("value", value.type, isOptional: value.isOptional),
            ]
            children = [ColumnarField("entries", .structure(entries), isOptional: false)]
        default: break
        }
        let parts = builder.vector(children.map { self.field($0, &builder) })
        let name = builder.text(field.name)
        let (code, type) = type(field.type, &builder)
        var values: [(id: Int, value: FlatBuilder.Field)] = [
            (0, .part(name)), (3, .part(type)), (5, .part(parts)), (2, .int8(code)),
            (1, .bool(field.isOptional || field.type == .null)),
        ]
        let named =
            field.type == .uuid
            ? ArrowExtension.uuid
            : field.type == .json ? ArrowExtension.json : nil
        if let named {
            let entries = [(ArrowExtension.key, named), (ArrowExtension.metadataKey, "")]
            values.append((6, .part(texts(entries.map { (key: $0.0, value: $0.1) }, &builder))))
        }
        return builder.table(values)
    }

    /// Builds the type of a field.
    ///
    /// - Returns: the code of the type, and its table.
    private static func type(
        _ type: ColumnarType, _ builder: inout FlatBuilder
    ) -> (Int8, Int) {
        switch type {
        case .null: return (1, builder.table([]))
        case .int(let bits, let isSigned):
            return (2, builder.table([(0, .int32(Int32(bits))), (1, .bool(isSigned))]))
        case .float: return (3, builder.table([(0, .int16(1))]))
        case .double: return (3, builder.table([(0, .int16(2))]))
        case .binary: return (4, builder.table([]))
        case .string, .json: return (5, builder.table([]))
        case .bool: return (6, builder.table([]))
        case .decimal(let precision, let scale):
            return (
                7,
                builder.table([
                    (0, .int32(Int32(precision))), (1, .int32(Int32(scale))), (2, .int32(128)),
                ])
            )
        case .date: return (8, builder.table([(0, .int16(0))]))
        case .time(let unit):
            let bits: Int32 = unit == .seconds || unit == .milliseconds ? 32 : 64
            return (9, builder.table([(0, .int16(code(unit))), (1, .int32(bits))]))
        case .timestamp(let unit, let isUTC):
            guard isUTC else { return (10, builder.table([(0, .int16(code(unit)))])) }
            let zone = builder.text("UTC")
            return (10, builder.table([(1, .part(zone)), (0, .int16(code(unit)))]))
        case .duration(let unit): return (18, builder.table([(0, .int16(code(unit)))]))
        case .list: return (12, builder.table([]))
        case .structure: return (13, builder.table([]))
        case .uuid: return (15, builder.table([(0, .int32(16))]))
        case .map: return (17, builder.table([(0, .bool(false))]))
        }
    }

    private static func code(_ unit: ColumnarTimeUnit) -> Int16 {
        switch unit {
        case .seconds, .secondsAndNanoseconds: 0
        case .milliseconds: 1
        case .microseconds: 2
        case .nanoseconds: 3
        }
    }
}
