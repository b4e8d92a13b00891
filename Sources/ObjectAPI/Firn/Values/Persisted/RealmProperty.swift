import FirnValues

/// A type whose optional can be the value of a ``RealmOptional`` or ``RealmProperty``.
///
/// The conforming types are Bool, Int and its widths, Float, Double and enumerations.
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

/// A persisted property for models that do not use ``Persisted``.
///
///     class Person: Object {
///         let age = RealmProperty<Int?>()
///     }
///     person.age.value = 7
///
/// New models should declare `@Persisted var age: Int?` instead.
public final class RealmProperty<Value: RealmPropertyType> {
    private let box = PropertyBox<Value>(Value._initial())

    /// Creates a property with the initial value of its type, such as nil.
    public init() {}

    /// The value.
    ///
    /// Setting it in a managed object requires a write transaction.
    public var value: Value {
        get { box.value }
        set { box.value = newValue }
    }
}

/// An optional persisted property for models that do not use ``Persisted``.
///
///     class Person: Object {
///         let age = RealmOptional<Int>()
///     }
///     person.age.value = 7
///
/// New models should declare `@Persisted var age: Int?` instead.
@available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
public final class RealmOptional<Value: RealmOptionalType> {
    private let box: PropertyBox<Value?>

    /// Creates a property with an initial value.
    public init(_ value: Value? = nil) { box = PropertyBox(value) }

    /// The value.
    ///
    /// Setting it in a managed object requires a write transaction.
    public var value: Value? {
        get { box.value }
        set { box.value = newValue }
    }
}

extension RealmProperty: PropertyBoxing {
    static func box(in field: UnsafeRawPointer) -> PropertyBox<Value> {
        field.assumingMemoryBound(to: RealmProperty<Value>.self).pointee.box
    }

    var boxedValue: Any { value }
}

@available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
extension RealmOptional: PropertyBoxing {
    static func box(in field: UnsafeRawPointer) -> PropertyBox<Value?> {
        field.assumingMemoryBound(to: RealmOptional<Value>.self).pointee.box
    }

    var boxedValue: Any { value as Any }
}

extension RealmProperty: Equatable, CustomStringConvertible {
    /// Returns a Boolean value that indicates whether both have the same value.
    public static func == (left: RealmProperty, right: RealmProperty) -> Bool {
        left.value == right.value
    }

    /// A textual representation of the value.
    public var description: String { String(describing: value) }
}

@available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
extension RealmOptional: Equatable, CustomStringConvertible {
    /// Returns a Boolean value that indicates whether both have the same value.
    public static func == (left: RealmOptional, right: RealmOptional) -> Bool {
        left.value == right.value
    }

    /// A textual representation of the value.
    public var description: String { String(describing: value) }
}

extension RealmProperty: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension RealmProperty: Decodable where Value: Decodable {
    /// Creates an unmanaged property by decoding its value.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

@available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
extension RealmOptional: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

@available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
extension RealmOptional: Decodable where Value: Decodable {
    /// Creates an unmanaged property by decoding its value.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }
}
