import FirnEngine
import FirnQuery
import FirnValues

/// A class of a ``Schema``: its name and its properties.
public struct ObjectSchema: Sendable {
    /// The stored properties, in the order in which the program declares them, and behind them those
    /// that only the file has.
    ///
    /// An inverse is no stored property: ``subscript(_:)`` finds it.
    public let properties: [Property]
    /// The inverses.
    let computedProperties: [Property]
    /// The name of the class in the database.
    public let className: String
    /// The class of the program; ``DynamicObject`` if it declares none of that name.
    public let objectClass: AnyClass
    /// Whether its objects live inside of others.
    public let isEmbedded: Bool

    /// Whether objects can only be written; always `false`.
    public var isAsymmetric: Bool { false }

    /// The property whose value no other object of the class has; `nil` if there is none.
    public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

    /// The property or inverse of a name; `nil` if there is none.
    public subscript(propertyName: String) -> Property? {
        (properties + computedProperties).first { $0.name == propertyName }
    }

    /// A class as the program declares it.
    init(_ layout: ClassLayout) {
        let mapping = layout.type.propertiesMapping()
        let all = layout.properties.map { Property($0, mapping[$0.name]) }
        properties = all.filter { $0.type != .linkingObjects }
        computedProperties = all.filter { $0.type == .linkingObjects }
        className = layout.className
        objectClass = layout.type
        isEmbedded = layout.type.isEmbeddedClass
    }

    /// A class of the file.
    ///
    /// - Parameter layout: of the class of the program, if there is one.
    init(_ known: ClassSchema, in schema: FirnEngine.Schema, _ layout: ClassLayout?) {
        let stored = known.properties.map {
            Property($0, isKey: $0.id == known.key, in: schema)
        }
        let all = stored + known.inverses.map { Property($0, in: schema) }
        let declared = (layout?.properties ?? []).compactMap { property in
            all.first { $0.name == property.name }
        }
        let ordered = declared + all.filter { layout?.place(of: $0.name) == nil }
        properties = ordered.filter { $0.type != .linkingObjects }
        computedProperties = ordered.filter { $0.type == .linkingObjects }
        className = known.name
        objectClass = layout?.type ?? DynamicObject.self
        isEmbedded = known.isEmbedded
    }
}

extension ObjectSchema: Equatable, CustomStringConvertible {
    /// Whether both have the same name and the same properties in the same order.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.className == right.className && left.properties == right.properties
            && left.computedProperties == right.computedProperties
            && left.isEmbedded == right.isEmbedded && left.objectClass == right.objectClass
    }

    /// The name, and in braces the properties.
    public var description: String {
        let lines = (properties + computedProperties).map { $0.description.indented + "\n" }
            .joined()
        return "\(className)\(isEmbedded ? " (embedded)" : "") {\n\(lines)}"
    }
}

extension ObjectBase {
    /// The class of the object and its properties.
    ///
    /// Of a ``DynamicObject`` the properties are those of the file, of any other object those that its class
    /// declares.
    public final var objectSchema: ObjectSchema {
        guard let access, access.binding.layout.isDynamic else { return ObjectSchema(layout) }
        return access.instance.objectSchema(access.binding.schema)
    }
}

extension RealmInstance {
    /// A class of the file.
    func objectSchema(_ schema: ClassSchema) -> ObjectSchema {
        ObjectSchema(
            schema, in: snapshot.schema, file.layouts.first { $0.className == schema.name })
    }
}
