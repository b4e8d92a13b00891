/// The kind of a value, as stored in the file format.
///
/// The numbers are never changed or reused.
///
///     0 null     4 string    8 objectID   12 list
///     1 bool     5 data      9 uuid       13 set
///     2 int      6 date     10 link       14 map
///     3 double   7 decimal  11 float      15 any (as a property type only)
public enum ValueTag: UInt8, Sendable, CaseIterable {
    case null = 0
    case bool = 1
    case int = 2
    case double = 3
    case string = 4
    case data = 5
    case date = 6
    case decimal128 = 7
    case objectID = 8
    case uuid = 9
    case link = 10
    case float = 11
    case list = 12
    case set = 13
    case map = 14
    case any = 15

    /// The name that schemas, errors and `@type` use.
    public var name: String {
        switch self {
        case .null: "null"
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .decimal128: "Decimal128"
        case .objectID: "ObjectId"
        case .uuid: "UUID"
        case .link: "Link"
        case .float: "Float"
        case .list: "List"
        case .set: "Set"
        case .map: "Map"
        case .any: "Any"
        }
    }
}
