import FirnValues

/// A value as the database stores it: what the types of properties are made from and turned into.
///
/// Opaque for users of the API: conformances get and give it.
public struct _StoredValue: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// What a property of some type is declared as in the database.
public struct _PropertyDeclaration: Sendable {
    /// Without the class that a link leads to.
    let type: FirnValues.PropertyType
    /// The class that a link leads to.
    let target: ObjectBase.Type?
    /// The property that this one is the inverse of, if it has no column of its own.
    let isInverse: Bool

    init(
        _ type: FirnValues.PropertyType, target: ObjectBase.Type? = nil, isInverse: Bool = false
    ) {
        self.type = type
        self.target = target
        self.isInverse = isInverse
    }

    init(_ base: ValueTag, integerWidth: IntegerWidth = .bits64) {
        self.init(FirnValues.PropertyType(base, integerWidth: integerWidth))
    }

    /// The same, but it may be nil.
    var optional: _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(
                type.base, isOptional: true, container: type.container,
                integerWidth: type.integerWidth),
            target: target)
    }

    /// Collections of it.
    func collected(in container: FirnValues.PropertyType.Container) -> _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(
                type.base, isOptional: type.isOptional, container: container,
                integerWidth: type.integerWidth),
            target: target)
    }
}
