import FirnEngine
import FirnQuery
import FirnValues
import Foundation

extension ClassLayout {
    /// Creates the layout of dynamic objects of a class: its columns, followed by its inverses.
    convenience init(dynamic schema: ClassSchema) {
        let stored = schema.properties.map { property in
            PropertyLayout(
                property,
                isKey: property.id == schema.key)
        }
        self.init(
            dynamic: schema.name, stored + schema.inverses.map { PropertyLayout(inverse: $0) })
    }
}

extension PropertyLayout {
    convenience init(_ property: PropertySchema, isKey: Bool) {
        let type = property.type
        self.init(
            name: property.name, offset: -1, field: DynamicField.of(type),
            declaration: _PropertyDeclaration(
                type, target: type.base == .link ? DynamicObject.self : nil),
            traits: PersistedTraits(isIndexed: property.isIndexed, isPrimaryKey: isKey))
    }

    fileprivate convenience init(inverse: InverseProperty) {
        let field = Persisted<LinkingObjects<DynamicObject>>.self
        self.init(
            name: inverse.name, offset: -1, field: field, declaration: field.declaration,
            traits: PersistedTraits())
    }
}

/// The fields that a program would declare for the properties of a file.
private enum DynamicField {
    static func of(_ type: FirnValues.PropertyType) -> any PersistedField.Type {
        switch type.base {
        case .bool: field(Bool.self, type)
        case .int:
            switch type.integerWidth {
            case .bits8: field(Int8.self, type)
            case .bits16: field(Int16.self, type)
            case .bits32: field(Int32.self, type)
            case .bits64: field(Int.self, type)
            }
        case .float: field(Float.self, type)
        case .double: field(Double.self, type)
        case .string: field(String.self, type)
        case .data: field(Data.self, type)
        case .date: field(Date.self, type)
        case .decimal128: field(Decimal128.self, type)
        case .objectID: field(ObjectId.self, type)
        case .uuid: field(Foundation.UUID.self, type)
        case .link: link(type.container)
        // No property has any other type.
        case .any, .null, .list, .set, .map: collected(AnyRealmValue.self, type.container)
        }
    }

    private static func field<Element: _SingleValue & _OptionalCapable>(
        _ element: Element.Type, _ type: FirnValues.PropertyType
    ) -> any PersistedField.Type {
        type.isOptional
            ? collected(Element?.self, type.container) : collected(element, type.container)
    }

    private static func collected<Element: _SingleValue>(
        _ element: Element.Type, _ container: FirnValues.PropertyType.Container
    ) -> any PersistedField.Type {
        switch container {
        case .single: Persisted<Element>.self
        case .list: Persisted<List<Element>>.self
        case .set: Persisted<MutableSet<Element>>.self
        case .map: Persisted<Map<String, Element>>.self
        }
    }

    private static func link(
        _ container: FirnValues.PropertyType.Container
    ) -> any PersistedField.Type {
        switch container {
        case .single: Persisted<DynamicObject?>.self
        case .list: Persisted<List<DynamicObject>>.self
        case .set: Persisted<MutableSet<DynamicObject>>.self
        case .map: Persisted<Map<String, DynamicObject?>>.self
        }
    }
}

extension RealmInstance {
    /// Returns the binding of dynamic objects of a class.
    func dynamicBinding(of id: ClassID) -> ClassBinding {
        guard let schema = snapshot.schema[id] else {
            misuse("a link leads to a class that the realm does not have")
        }
        return dynamicBinding(of: schema)
    }

    /// Returns the binding of dynamic objects of a class.
    ///
    /// The program stops if it does not exist.
    func dynamicBinding(named name: String) -> ClassBinding {
        guard let schema = snapshot.schema.classNamed(name) else {
            let names = snapshot.schema.listedClasses.map(\.name).sorted()
            misuse(
                "the realm at \(file.path) has no class \(name): it has "
                    + (names.isEmpty ? "none" : names.joined(separator: ", ")))
        }
        return dynamicBinding(of: schema)
    }

    /// Returns the binding of the same class of another realm of the file.
    func binding(like other: ClassBinding) -> ClassBinding {
        other.layout.isDynamic
            ? dynamicBinding(named: other.schema.name) : binding(of: other.layout.type)
    }
}
