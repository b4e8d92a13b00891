public import Foundation

/// A value of any of the types that can be stored, as the type of a property or element.
///
///     class Setting: Object {
///         @Persisted(primaryKey: true) var name = ""
///         @Persisted var value: AnyRealmValue
///     }
///
///     setting.value = .int(3)
///     if case .string(let text) = setting.value { print(text) }
///
/// Lists and dictionaries of values can be nested in each other, up to 100 levels. One that was read
/// from a managed object stands for what is stored at its place: in a write transaction, changing it
/// changes the object. Nil is ``none``: the type itself is never optional.
public enum AnyRealmValue {
    /// Nothing.
    case none
    /// A whole number.
    case int(Int)
    /// True or false.
    case bool(Bool)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A moment.
    case date(Date)
    /// A link to a top-level object.
    case object(Object)
    /// An identity.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A universally unique identity.
    case uuid(UUID)
    /// Values by keys.
    case dictionary(Map<String, AnyRealmValue>)
    /// Values in their order.
    case list(List<AnyRealmValue>)

    /// Makes ``none``.
    public init() { self = .none }
}

/// The value, if it is of a type.
extension AnyRealmValue {
    /// The integer; `nil` of another type.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The truth value; `nil` of another type.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number; `nil` of another type.
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
    /// The number; `nil` of another type.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The string; `nil` of another type.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The bytes; `nil` of another type.
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
    /// The date; `nil` of another type.
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
    /// The object id; `nil` of another type.
    public var objectIdValue: ObjectId? {
        if case .objectId(let value) = self { value } else { nil }
    }
    /// The number; `nil` of another type.
    public var decimal128Value: Decimal128? {
        if case .decimal128(let value) = self { value } else { nil }
    }
    /// The UUID; `nil` of another type.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// The dictionary; `nil` of another type.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// The list; `nil` of another type.
    public var listValue: List<AnyRealmValue>? {
        if case .list(let value) = self { value } else { nil }
    }

    /// The object, if it is one of a class.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }
}

/// Nested values.
extension AnyRealmValue {
    /// Makes a dictionary, which is unmanaged.
    ///
    ///     setting.value = .fromDictionary(["size": .int(3), "tags": .fromArray([.string("a")])])
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        let map = Map<String, AnyRealmValue>()
        map.merge(dictionary) { _, new in new }
        return .dictionary(map)
    }

    /// Makes a list, which is unmanaged.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
        .list(List(unmanaged: array))
    }
}

extension AnyRealmValue: Hashable {
    /// Whether both are of the same type and have the same value; nested lists and dictionaries, the
    /// same elements.
    public static func == (left: AnyRealmValue, right: AnyRealmValue) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.int(let left), .int(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.objectId(let left), .objectId(let right)): left == right
        case (.decimal128(let left), .decimal128(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)):
            left == right || left.entries == right.entries
        case (.list(let left), .list(let right)): left == right || left.elementsEqual(right)
        default: false
        }
    }

    /// Feeds what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .none: hasher.combine(0)
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .decimal128(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value.entries)
        case .list(let value): hasher.combine(Array(value))
        }
    }
}

extension AnyRealmValue {
    /// The object, whose properties are known by their names; `nil` of another type, and of an object that
    /// is in no realm.
    ///
    /// This is how objects are reached whose class the program does not declare.
    public var dynamicObject: DynamicObject? {
        guard case .object(let object) = self, let access = object.access else { return nil }
        if let object = object as? DynamicObject { return object }
        let dynamic = DynamicObject()
        dynamic.manage(
            access.instance, access.instance.dynamicBinding(of: access.binding.schema), access.row)
        return dynamic
    }
}

extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
