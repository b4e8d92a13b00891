import FirnValues

/// The internal requirements of an enumeration that is stored as its raw values.
public protocol RealmEnum: _CustomPersistable, RealmOptionalType, RawRepresentable
where RawValue: _SingleValue & _OptionalCapable, PersistedType == RawValue {}

/// An enumeration that is stored as its raw values, of type Int, Float, Double or String.
///
///     enum Kind: String, PersistableEnum {
///         case cat, dog
///     }
///
///     class Pet: Object {
///         @Persisted var kind: Kind
///         @Persisted var formerKinds: List<Kind>
///     }
///
/// The initial value of a property is the first case unless another one is declared. Cases can be
/// added at any time. If a stored raw value has no case, an optional property or element reads as
/// nil. Reading a property or element that is not optional stops the program.
public protocol PersistableEnum: RealmEnum, CaseIterable, Comparable
where RawValue: Comparable {}

extension RealmEnum {
    /// Returns the case with a raw value, or `nil` if there is none.
    public static func _make(_ persisted: RawValue) -> Self? { Self(rawValue: persisted) }

    /// The raw value.
    public var _persisted: RawValue { rawValue }
}

extension PersistableEnum {
    /// Returns the first case, the value of a property without an initial value.
    public static func _initial() -> Self {
        guard let first = allCases.first else {
            misuse(
                "\(Self.self) has no cases in allCases: add one, give the property an initial value, "
                    + "or make it optional")
        }
        return first
    }

    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Self? {
        let cases = Array(allCases)
        guard let first = cases.first, let last = cases.last else { return nil }
        return trace.sample(first, last)
    }

    /// Returns a Boolean value that indicates whether the left raw value is less.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
