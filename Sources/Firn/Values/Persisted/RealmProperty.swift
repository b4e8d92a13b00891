/// A type whose optional can be the value of a ``RealmOptional`` and of a ``RealmProperty``: Bool,
/// Int and its widths, Float, Double and enumerations.
public protocol RealmOptionalType: _SingleValue, _OptionalCapable {}

/// A type that can be the value of a ``RealmProperty``.
public protocol RealmPropertyType: _SingleValue {}

extension Bool: RealmOptionalType {}
extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}

/// A persisted property in the style of models without ``Persisted``.
///
///     class Person: Object {
///         let age = RealmProperty<Int?>()
///     }
///     person.age.value = 7
///
/// New models say `@Persisted var age: Int?`.
public final class RealmProperty<Value: RealmPropertyType> {
    private let box = PropertyBox<Value>(Value._initial())

    /// Makes a property that begins with nil.
    public init() {}

    /// The value; setting it in a managed object needs a write transaction.
    public var value: Value {
        get { box.value }
        set { box.value = newValue }
    }
}

/// An optional persisted property in the style of models without ``Persisted``.
///
///     class Person: Object {
///         let age = RealmOptional<Int>()
///     }
///     person.age.value = 7
///
/// New models say `@Persisted var age: Int?`.
public final class RealmOptional<Value: RealmOptionalType> {
    private let box: PropertyBox<Value?>

    /// Makes a property with a value to begin with.
    public init(_ value: Value? = nil) { box = PropertyBox(value) }

    /// The value; setting it in a managed object needs a write transaction.
    public var value: Value? {
        get { box.value }
        set { box.value = newValue }
    }
}

extension RealmProperty: PropertyBoxing {
    static func box(in field: UnsafeRawPointer) -> PropertyBox<Value> {
        field.assumingMemoryBound(to: RealmProperty<Value>.self).pointee.box
    }
}

extension RealmOptional: PropertyBoxing {
    static func box(in field: UnsafeRawPointer) -> PropertyBox<Value?> {
        field.assumingMemoryBound(to: RealmOptional<Value>.self).pointee.box
    }
}

extension RealmProperty: Equatable, CustomStringConvertible {
    /// Whether both have the same value.
    public static func == (left: RealmProperty, right: RealmProperty) -> Bool {
        left.value == right.value
    }

    /// The text of the value.
    public var description: String { String(describing: value) }
}

extension RealmOptional: Equatable, CustomStringConvertible {
    /// Whether both have the same value.
    public static func == (left: RealmOptional, right: RealmOptional) -> Bool {
        left.value == right.value
    }

    /// The text of the value.
    public var description: String { String(describing: value) }
}

extension RealmProperty: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension RealmProperty: Decodable where Value: Decodable {
    /// Makes an unmanaged property with the value that was written.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension RealmOptional: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension RealmOptional: Decodable where Value: Decodable {
    /// Makes an unmanaged property with the value that was written.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }
}
