public import Foundation

/// A value of any storable type, for properties and elements.
///
///     class Setting: Object {
///         @Persisted(primaryKey: true) var name = ""
///         @Persisted var value: AnyRealmValue
///     }
///
///     setting.value = .int(3)
///     if case .string(let text) = setting.value { print(text) }
///
/// Lists and dictionaries of values can be nested, up to 100 levels. A list or dictionary that was
/// read from a managed object represents the stored value at its location. In a write transaction,
/// changing it changes the object. Nil is represented by ``none``, so the type itself is never
/// optional.
public enum AnyRealmValue {
    /// No value.
    case none
    /// An integer.
    case int(Int)
    /// A Boolean value.
    case bool(Bool)
    /// A 32-bit floating-point number.
    case float(Float)
    /// A 64-bit floating-point number.
    case double(Double)
    /// A string.
    case string(String)
    /// A sequence of bytes.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// A link to a top-level object.
    case object(Object)
    /// An object identifier.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A universally unique identifier.
    case uuid(UUID)
    /// A dictionary of values by keys.
    case dictionary(Map<String, AnyRealmValue>)
    /// An ordered list of values.
    case list(List<AnyRealmValue>)

    /// Creates the value ``none``.
    public init() { self = .none }
}

/// Accessing the value by its type.
extension AnyRealmValue {
    /// The integer, or `nil` if the value has a different type.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The Boolean value, or `nil` if the value has a different type.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, or `nil` if the value has a different type.
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
    /// The number, or `nil` if the value has a different type.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The string, or `nil` if the value has a different type.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The bytes, or `nil` if the value has a different type.
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
    /// The date, or `nil` if the value has a different type.
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
    /// The object identifier, or `nil` if the value has a different type.
    public var objectIdValue: ObjectId? {
        if case .objectId(let value) = self { value } else { nil }
    }
    /// The number, or `nil` if the value has a different type.
    public var decimal128Value: Decimal128? {
        if case .decimal128(let value) = self { value } else { nil }
    }
    /// The UUID, or `nil` if the value has a different type.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// The dictionary, or `nil` if the value has a different type.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// The list, or `nil` if the value has a different type.
    public var listValue: List<AnyRealmValue>? {
        if case .list(let value) = self { value } else { nil }
    }

    /// Returns the object if it belongs to a class, or `nil` otherwise.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }
}

/// Nested values.
extension AnyRealmValue {
    /// Returns an unmanaged dictionary.
    ///
    ///     setting.value = .fromDictionary(["size": .int(3), "tags": .fromArray([.string("a")])])
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        let map = Map<String, AnyRealmValue>()
        map.merge(dictionary) { _, new in new }
        return .dictionary(map)
    }

    /// Returns an unmanaged list.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
        .list(List(unmanaged: array))
    }
}

extension AnyRealmValue: Hashable {
    /// Returns a Boolean value that indicates whether both have the same type and value.
    ///
    /// Nested lists and dictionaries are equal if they have the same elements.
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

    /// Hashes the components that ``==(_:_:)`` compares.
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
    /// The object with its properties accessible by name.
    ///
    /// The result is `nil` for a value of a different type, or for an unmanaged object. Use this
    /// property to access objects whose class the program does not declare.
    public var dynamicObject: DynamicObject? {
        guard case .object(let object) = self, let access = object.access else { return nil }
        if let object = object as? DynamicObject { return object }
        let dynamic = DynamicObject()
        dynamic.manage(access.instance.dynamicBinding(of: access.binding.schema), access.row)
        return dynamic
    }
}

extension AnyRealmValue: MinMaxType, AddableType, SortableType {}

extension AnyRealmValue {
    /// The value of the case, or `nil` for ``none``.
    var content: Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .objectId(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        }
    }
}
