/// Any value that a property can have, with its type.
///
/// Two values are equal (`==`) only if they have the same tag and the same content, bit for bit, as
/// required by storage and tests. Queries compare with ``Value/order(relativeTo:)`` instead, for
/// which 1 equals 1.0.
public enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case data([UInt8])
    case date(Timestamp)
    case decimal128(Decimal128)
    case objectID(ObjectID)
    case uuid(UUID)
    case link(ObjectReference)
    case list([Value])
    case set([Value])
    case map(TextMap<Value>)

    /// The kind of this value.
    public var tag: ValueTag {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .string: .string
        case .data: .data
        case .date: .date
        case .decimal128: .decimal128
        case .objectID: .objectID
        case .uuid: .uuid
        case .link: .link
        case .list: .list
        case .set: .set
        case .map: .map
        }
    }

    /// A Boolean value that indicates whether this is the absence of a value.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

/// A reference to an object, as stored in a link.
public struct ObjectReference: Hashable, Sendable {
    /// The class of the target.
    public let classID: ClassID
    /// The row id of the target in its class.
    public let rowID: RowID

    /// Creates a reference to an object of a class.
    public init(classID: ClassID, rowID: RowID) {
        self.classID = classID
        self.rowID = rowID
    }
}
