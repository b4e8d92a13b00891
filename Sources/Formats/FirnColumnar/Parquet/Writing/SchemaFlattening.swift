import FirnValues

/// The flat list of the parts of a schema, and the ways to its leaves.
struct SchemaFlattening {
    private(set) var elements: [ParquetSchemaElement] = []
    private(set) var leaves: [LeafPath] = []

    init(_ fields: [ColumnarField]) throws(ColumnarError) {
        var root = ParquetSchemaElement()
        root.name = "schema"
        root.childCount = fields.count
        root.repetition = -1
        elements.append(root)
        for (index, field) in fields.enumerated() {
            try add(field, LeafPath(), isRoot: true, index)
        }
    }

    private mutating func add(
        _ field: ColumnarField, _ outer: LeafPath, isRoot: Bool = false, _ index: Int
    ) throws(ColumnarError) {
        var path = outer
        path.names.append(field.name)
        if !isRoot { path.steps.append(.part(index)) }
        if field.isOptional || field.type == .null { path.steps.append(.optional) }
        var element = ParquetSchemaElement()
        element.name = field.name
        element.repetition = field.isOptional || field.type == .null ? 1 : 0
        switch field.type {
        case .list(let item):
            element.childCount = 1
            element.logical = .list
            element.converted = 3
            elements.append(element)
            addRepeated("list", childCount: 1)
            try addElement(item.renamed("element"), path, "list", 0)
        case .map(let key, let value):
            element.childCount = 1
            element.logical = .map
            element.converted = 1
            elements.append(element)
            addRepeated("key_value", childCount: 2)
            let required = ColumnarField("key", key.type, isOptional: false)
            try addElement(required, path, "key_value", 0)
            try addElement(value.renamed("value"), path, "key_value", 1)
        case .structure(let parts):
            guard !parts.isEmpty else {
                throw ColumnarError(
                    .unrepresentable, "Parquet has no structures without parts"
                ).located(column: path.names.joined(separator: "."))
            }
            element.childCount = parts.count
            elements.append(element)
            for (index, part) in parts.enumerated() { try add(part, path, index) }
        default:
            element.describe(field.type)
            elements.append(element)
            path.type = field.type
            leaves.append(path)
        }
    }

    private mutating func addRepeated(_ name: String, childCount: Int) {
        var element = ParquetSchemaElement()
        element.name = name
        element.repetition = 2
        element.childCount = childCount
        elements.append(element)
    }

    /// Adds the elements of a list, which are a child of its column.
    private mutating func addElement(
        _ field: ColumnarField, _ list: LeafPath, _ group: String, _ child: Int
    ) throws(ColumnarError) {
        var path = list
        path.names.append(group)
        path.steps.append(.elements(child))
        try add(field, path, isRoot: true, 0)
    }
}

extension ColumnarField {
    fileprivate func renamed(_ name: String) -> ColumnarField {
        ColumnarField(name, type, isOptional: isOptional)
    }
}

extension ParquetSchemaElement {
    /// Sets the types of a leaf.
    fileprivate mutating func describe(_ type: ColumnarType) {
        physical = type.parquetPhysical
        switch type {
        case .int(let bits, let isSigned):
            logical = .integer(bits: bits, isSigned: isSigned)
            let converted = [8: 0, 16: 1, 32: 2, 64: 3][bits] ?? 3
            self.converted = converted + (isSigned ? 15 : 11)
        case .string:
            logical = .string
            converted = 0
        case .json:
            logical = .json
            converted = 19
        case .uuid:
            logical = .uuid
            typeLength = 16
        case .decimal(let precision, let scale):
            logical = .decimal(precision: precision, scale: scale)
            converted = 5
            self.precision = precision
            self.scale = scale
            if physical == .fixedByteArray { typeLength = 16 }
        case .date:
            logical = .date
            converted = 6
        case .time(let unit):
            logical = .time(unit)
            converted = [.milliseconds: 7, .microseconds: 8][unit]
        case .timestamp(let unit, let isUTC):
            logical = .timestamp(unit, isUTC: isUTC)
            converted = isUTC ? [.milliseconds: 9, .microseconds: 10][unit] : nil
        case .null: logical = .unknown
        default: break
        }
    }
}

extension ColumnarType {
    /// The type in which Parquet stores the values.
    var parquetPhysical: ParquetPhysicalType {
        switch self {
        case .bool: .boolean
        case .int(let bits, _): bits == 64 ? .int64 : .int32
        case .float: .float
        case .double: .double
        case .date, .null: .int32
        case .time(.milliseconds): .int32
        case .time, .duration, .timestamp: .int64
        case .decimal(let precision, _):
            precision <= 9 ? .int32 : precision <= 18 ? .int64 : .fixedByteArray
        case .uuid: .fixedByteArray
        default: .byteArray
        }
    }
}
