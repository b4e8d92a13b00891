/// An enumeration that is stored as its raw values.
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
/// A property without an initial value begins with the first case. Cases can be added at any time;
/// a raw value that is no case reads as nil where the property or element is optional, and stops the
/// program where it is not.
public protocol PersistableEnum: RealmEnum, CaseIterable, Comparable
where RawValue: Comparable {}

extension RealmEnum {
    /// The case with a raw value; `nil` if there is none.
    public static func _make(_ persisted: RawValue) -> Self? { Self(rawValue: persisted) }

    /// The raw value.
    public var _persisted: RawValue { rawValue }
}

extension PersistableEnum {
    /// The value of a property without an initial value: the first case.
    public static func _initial() -> Self {
        guard let first = allCases.first else {
            misuse(
                "\(Self.self) has no cases in allCases: add one, give the property an initial value, "
                    + "or make it optional")
        }
        return first
    }

    /// What a property of a recording object gives.
    public static func _sample(_ trace: _Trace) -> Self? {
        let cases = Array(allCases)
        guard let first = cases.first, let last = cases.last else { return nil }
        return trace.sample(first, last)
    }

    /// Whether the raw value of one is less than that of the other.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
