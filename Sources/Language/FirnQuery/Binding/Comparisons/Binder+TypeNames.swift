import FirnCodec
import FirnSyntax
import FirnValues

extension Binder {
    /// Compares `@type` with type names.
    func typeTest(
        _ names: [(value: Value, range: SourceRange)], _ operation: ComparisonOperator,
        _ comparison: Comparison
    ) throws(QueryError) -> ColumnTest {
        guard operation == .equal || operation == .notEqual else {
            throw typeError(
                "@type can only be compared with ==, != and IN", comparison.operatorRange)
        }
        guard comparison.options.isEmpty else {
            throw typeError("@type has no [c] or [d]", comparison.operatorRange)
        }
        var wanted: Set<ValueTag> = []
        for (value, range) in names {
            guard case .string(let name) = value else {
                throw typeError("@type is the name of a type, not \(value.tag.name)", range)
            }
            guard let tags = TypeNames.tags(name) else {
                throw QueryError(
                    .type, "no type is called \"\(name.shortened)\"", at: range.bytes,
                    notes: ["types: " + TypeNames.all.joined(separator: " · ")])
            }
            wanted.formUnion(tags)
        }
        let passing = TypeNames.tags.filter { wanted.contains($0) == (operation == .equal) }
        let values = passing.map { Value.string($0.name) }
        guard values.count == 1, let only = values.first else { return .oneOf(values) }
        return .compare(.equal, only)
    }
}

/// The names that `@type` can be compared with.
enum TypeNames {
    /// The possible tags of a value, in the order in which they are tested.
    static let tags: [ValueTag] = [
        .null, .bool, .int, .float, .double, .decimal128, .string, .data, .date, .objectID, .uuid,
        .link, .list, .set, .map,
    ]

    /// The type names.
    ///
    /// Those of the same type are adjacent.
    static let all = [
        "null", "bool", "boolean", "int", "integer", "int16", "int32", "int64", "short", "long",
        "byte", "char", "float", "double", "decimal", "decimal128", "numeric", "string", "binary",
        "data", "bytearray", "byte[]", "bindata", "date", "datetimeoffset", "timestamp",
        "objectid", "uuid", "guid", "object", "objectlink", "link", "list", "array", "set", "map",
        "dictionary", "collection",
    ]

    /// Returns the tags for a type name in any case.
    static func tags(_ name: String) -> Set<ValueTag>? {
        switch name.lowercased() {
        case "null": [.null]
        case "bool", "boolean": [.bool]
        case "int", "integer", "int8", "int16", "int32", "int64", "short", "long", "byte", "char":
            [.int]
        case "float": [.float]
        case "double": [.double]
        case "decimal", "decimal128": [.decimal128]
        case "numeric": [.int, .float, .double, .decimal128]
        case "string": [.string]
        case "binary", "data", "bytearray", "byte[]", "bindata": [.data]
        case "date", "datetimeoffset", "timestamp": [.date]
        case "objectid": [.objectID]
        case "uuid", "guid": [.uuid]
        case "objectlink", "link": [.link]
        case "list", "array": [.list]
        case "set": [.set]
        case "object", "dictionary", "map": [.map]
        case "collection": [.list, .set, .map]
        default: nil
        }
    }
}
