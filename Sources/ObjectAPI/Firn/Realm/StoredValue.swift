import FirnValues

/// A value in its stored form, from which property values are created.
///
/// The type is opaque to users of the API. Conformances receive and return it.
public struct _StoredValue: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The declaration of a property in the database.
public struct _PropertyDeclaration: Sendable {
    /// The type, without the class that a link leads to.
    let type: FirnValues.PropertyType
    /// The class that a link leads to.
    let target: ObjectBase.Type?
    /// Whether the property is an inverse, which has no column of its own.
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

    /// The same declaration, made optional.
    var optional: _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(
                type.base, isOptional: true, container: type.container,
                integerWidth: type.integerWidth),
            target: target)
    }

    /// Returns the declaration of collections of this type.
    func collected(in container: FirnValues.PropertyType.Container) -> _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(
                type.base, isOptional: type.isOptional, container: container,
                integerWidth: type.integerWidth),
            target: target)
    }
}
