package import FirnEngine
import FirnSyntax
package import FirnValues

/// An object that is identified by its key or by the value of a unique property.
///
///     obj("Plane", "N1")                      the plane with this key
///     obj("Person", "email", "a@b.example")   the person with this email
package struct BoundObject: Hashable, Sendable {
    package let target: ClassSchema
    /// The key of the class, or a unique property.
    package let property: PropertySchema
    /// The value, which is not null and can be compared with the property.
    package let value: Value

    package init(target: ClassSchema, property: PropertySchema, value: Value) {
        self.target = target
        self.property = property
        self.value = value
    }
}

extension BoundObject: CustomStringConvertible {
    /// The object in canonical form.
    package var description: String {
        BoundObject.text(target, property, Canonical.literal(value))
    }

    /// Returns the object with a value in canonical form.
    static func text(_ target: ClassSchema, _ property: PropertySchema, _ value: String) -> String {
        let names = property.id == target.key ? [target.name] : [target.name, property.name]
        let arguments = names.map { Canonical.literal(.string($0)) } + [value]
        return "obj(\(arguments.joined(separator: ", ")))"
    }
}
