import FirnValues

/// The type of a property of a class, or of each element if it is a collection.
public enum PropertyType: Int, Hashable, Sendable {
    /// An integer of any width.
    case int = 0
    /// A Boolean value.
    case bool = 1
    /// A string.
    case string = 2
    /// A sequence of bytes.
    case data = 3
    /// A point in time.
    case date = 4
    /// A 32-bit floating-point number.
    case float = 5
    /// A 64-bit floating-point number.
    case double = 6
    /// A link to an object.
    case object = 7
    /// The objects that link to the object; see ``LinkingObjects``.
    case linkingObjects = 8
    /// A value of any type; see ``AnyRealmValue``.
    case any = 9
    /// An object identifier; see ``ObjectId``.
    case objectId = 10
    /// A decimal number; see ``Decimal128``.
    case decimal128 = 11
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A universally unique identifier of 16 bytes.
    case UUID = 12
}

extension PropertyType: CustomStringConvertible {
    /// The name of the type, such as `string` or `linking objects`.
    public var description: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .any: "mixed"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }
}

extension PropertyType {
    init(_ base: ValueTag) {
        self =
            switch base {
            case .bool: .bool
            case .int: .int
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .decimal128: .decimal128
            case .objectID: .objectId
            case .uuid: .UUID
            case .link: .object
            // No property has any other type.
            case .any, .null, .list, .set, .map: .any
            }
    }
}
