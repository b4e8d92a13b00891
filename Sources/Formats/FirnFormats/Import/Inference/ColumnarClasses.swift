package import FirnColumnar
package import FirnEngine
import FirnText
import FirnValues

/// The classes for the columns of a Parquet or Arrow file: one for its rows, and an embedded one
/// for each structure.
package struct ColumnarClasses {
    /// The classes, each after the classes that it embeds.
    package private(set) var definitions: [ClassDefinition] = []
    private var taken: ClassNames

    /// - Parameters:
    ///   - className: the class of the rows.
    ///   - declared: the types that the user declared.
    ///   - key: returns the primary key among names of properties.
    package init(
        _ reader: any ColumnarReader, className: String, declared: [DeclaredType],
        names: FieldNames, key: (_ names: [String]) -> String?
    ) {
        taken = ClassNames([className])
        if let exported = Self.exported(reader, className: className) {
            definitions = exported
        } else {
            add(reader.fields, className: className, names: names, isEmbedded: false)
        }
        guard let main = definitions.popLast() else { return }
        let keyName = key(main.properties.map(\.name)) ?? main.keyName
        definitions.append(
            ClassDefinition(
                name: main.name,
                properties: main.properties.map { property in
                    let said = declared.last { $0.isMeant(for: property.name, of: className) }
                    if let said {
                        return ClassDefinition.Property(
                            name: property.name, type: said.type, targetName: said.targetName)
                    }
                    guard property.name == keyName, main.keyName != keyName else { return property }
                    // A key cannot be nil: the first object without one is an error.
                    return ClassDefinition.Property(
                        name: property.name,
                        type: PropertyType(
                            property.type.base, integerWidth: property.type.integerWidth),
                        display: property.display)
                }, keyName: keyName))
    }

    /// Returns the classes that an export described, if they still match the columns.
    private static func exported(
        _ reader: any ColumnarReader, className: String
    ) -> [ClassDefinition]? {
        guard let text = reader.metadata[ColumnarMetadata.key],
            var found = try? SchemaDocument.read(
                MemorySource(Array(text.utf8), name: ColumnarMetadata.key)),
            let main = found.popLast(), !main.isEmbedded,
            main.properties.map(\.name) == reader.fields.map(\.name)
        else { return nil }
        return found + [
            ClassDefinition(
                name: className, properties: main.properties, keyName: main.keyName)
        ]
    }

    private mutating func add(
        _ fields: [ColumnarField], className: String, names: FieldNames, isEmbedded: Bool
    ) {
        var properties: [ClassDefinition.Property] = []
        for field in fields {
            let name = names.property(field.name)
            properties.append(property(name, field, in: className))
        }
        definitions.append(
            ClassDefinition(name: className, properties: properties, isEmbedded: isEmbedded))
    }

    private mutating func property(
        _ name: String, _ field: ColumnarField, in className: String
    ) -> ClassDefinition.Property {
        switch field.type {
        case .list(let element):
            if case .structure(let parts) = element.type, !parts.isEmpty {
                let inner = taken.take(className + InferredClass.camel(name))
                add(parts, className: inner, names: FieldNames(), isEmbedded: true)
                return ClassDefinition.Property(
                    name: name, type: PropertyType(.link, container: .list), targetName: inner)
            }
            guard let (base, width) = Self.scalar(element.type) else {
                return ClassDefinition.Property(
                    name: name, type: PropertyType(.any, isOptional: true, container: .list))
            }
            return ClassDefinition.Property(
                name: name,
                type: PropertyType(
                    base, isOptional: element.isOptional, container: .list, integerWidth: width))
        case .map(_, let value):
            guard let (base, width) = Self.scalar(value.type) else {
                return ClassDefinition.Property(
                    name: name, type: PropertyType(.any, isOptional: true, container: .map))
            }
            return ClassDefinition.Property(
                name: name,
                type: PropertyType(
                    base, isOptional: value.isOptional, container: .map, integerWidth: width))
        case .structure(let parts) where !parts.isEmpty:
            let inner = taken.take(className + InferredClass.camel(name))
            add(parts, className: inner, names: FieldNames(), isEmbedded: true)
            return ClassDefinition.Property(
                name: name, type: PropertyType(.link, isOptional: true), targetName: inner)
        default:
            let (base, width) = Self.scalar(field.type) ?? (.any, .bits64)
            return ClassDefinition.Property(
                name: name,
                type: PropertyType(
                    base, isOptional: field.isOptional || base == .any, integerWidth: width),
                display: field.type == .date ? .dateOnly : nil)
        }
    }

    /// Returns the type of the values of a column without parts.
    static func scalar(_ type: ColumnarType) -> (ValueTag, IntegerWidth)? {
        switch type {
        case .bool: (.bool, .bits64)
        case .duration: (.int, .bits64)
        case .int(let bits, let isSigned):
            (.int, IntegerWidth(rawValue: UInt8(isSigned ? bits : min(64, 2 * bits))) ?? .bits64)
        case .float: (.float, .bits64)
        case .double: (.double, .bits64)
        case .string, .time, .null: (.string, .bits64)
        case .json: (.any, .bits64)
        case .binary: (.data, .bits64)
        case .uuid: (.uuid, .bits64)
        case .decimal: (.decimal128, .bits64)
        case .date, .timestamp: (.date, .bits64)
        case .list, .structure, .map: nil
        }
    }
}
