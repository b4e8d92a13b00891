import FirnEngine
import FirnQuery
import FirnValues

/// A class of a ``Schema``, with its name and properties.
public struct ObjectSchema: Sendable {
    /// The stored properties in the order of declaration, then those that only the file has.
    ///
    /// Inverses are not stored properties. Use ``subscript(_:)`` to find them.
    public let properties: [Property]
    /// The inverses.
    let computedProperties: [Property]
    /// The name of the class in the database.
    public let className: String
    /// The class of the program, or ``DynamicObject`` if the program does not declare it.
    public let objectClass: AnyClass
    /// A Boolean value that indicates whether objects of the class are embedded in other objects.
    public let isEmbedded: Bool

    /// A Boolean value that indicates whether objects can only be written, which is always `false`.
    public var isAsymmetric: Bool { false }

    /// The primary key, or `nil` if the class has none.
    public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

    /// Accesses the property or inverse with a name, or `nil` if there is none.
    public subscript(propertyName: String) -> Property? {
        (properties + computedProperties).first { $0.name == propertyName }
    }

    /// Creates the schema of a class of the program.
    init(_ layout: ClassLayout) {
        let mapping = layout.type.propertiesMapping()
        let all = layout.properties.map { Property($0, mapping[$0.name]) }
        properties = all.filter { $0.type != .linkingObjects }
        computedProperties = all.filter { $0.type == .linkingObjects }
        className = layout.className
        objectClass = layout.type
        isEmbedded = layout.type.isEmbeddedClass
    }

    /// Creates the schema of a class of the file.
    ///
    /// - Parameter layout: The layout of the class of the program, if there is one.
    init(_ known: ClassSchema, in schema: FirnEngine.Schema, _ layout: ClassLayout?) {
        let stored = known.properties.map {
            Property($0, isKey: $0.id == known.key, in: schema)
        }
        let all = stored + known.inverses.map { Property($0, in: schema) }
        let declared = (layout?.properties ?? []).compactMap { property in
            all.first { $0.name == property.name }
        }
        let ordered = declared + all.filter { layout?.index(of: $0.name) == nil }
        properties = ordered.filter { $0.type != .linkingObjects }
        computedProperties = ordered.filter { $0.type == .linkingObjects }
        className = known.name
        objectClass = layout?.type ?? DynamicObject.self
        isEmbedded = known.isEmbedded
    }
}

extension ObjectSchema: Equatable, CustomStringConvertible {
    /// Returns a Boolean value that indicates whether both have the same name and properties.
    ///
    /// The order of the properties is significant.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.className == right.className && left.properties == right.properties
            && left.computedProperties == right.computedProperties
            && left.isEmbedded == right.isEmbedded && left.objectClass == right.objectClass
    }

    /// A textual representation of the name, followed by the properties in braces.
    public var description: String {
        let lines = (properties + computedProperties).map { $0.description.indented + "\n" }
            .joined()
        return "\(className)\(isEmbedded ? " (embedded)" : "") {\n\(lines)}"
    }
}

extension ObjectBase {
    /// The class of the object and its properties.
    ///
    /// For a ``DynamicObject`` these are the properties of the file. For any other object they are
    /// the declared properties of its class.
    public final var objectSchema: ObjectSchema {
        guard let access, access.binding.layout.isDynamic else { return ObjectSchema(layout) }
        return access.instance.objectSchema(access.binding.schema)
    }
}

extension ObjectBase {
    /// Returns the declared properties of the class, or `nil` for classes without properties.
    public class func sharedSchema() -> ObjectSchema? {
        let layout = ClassLayout.of(self)
        return layout.properties.isEmpty ? nil : ObjectSchema(layout)
    }
}

extension RealmInstance {
    /// Returns the schema of a class of the file.
    func objectSchema(_ schema: ClassSchema) -> ObjectSchema {
        ObjectSchema(
            schema, in: snapshot.schema, file.layouts.first { $0.className == schema.name })
    }
}
