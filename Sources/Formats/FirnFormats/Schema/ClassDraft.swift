import FirnEngine
import FirnText
import FirnValues

/// A class of a document before its type names are resolved.
struct ClassDraft {
    let tree: JSONTree
    let name: String
    let keyName: String?
    let isEmbedded: Bool
    private(set) var properties: [PropertyDraft] = []
    private let indexes: [ClassDefinition.Index]

    init(_ tree: JSONTree) throws(JSONMistake) {
        self.tree = tree
        let members = try JSONMembers(
            tree, "a class", ["name", "key", "embedded", "properties", "indexes"])
        name = try members.required("name")
        keyName = try members.text("key")
        isEmbedded = try members.flag("embedded") ?? false
        guard let list = members["properties"], case .array(let trees) = list.content else {
            throw SchemaDocument.mistake("a class needs an array \"properties\"", tree)
        }
        for tree in trees {
            do { properties.append(try PropertyDraft(tree)) } catch {
                throw error.inside(property: name)
            }
        }
        indexes = try ClassDraft.indexes(members["indexes"])
    }

    /// Reads the indexes other than indexes of single properties.
    private static func indexes(
        _ tree: JSONTree?
    ) throws(JSONMistake) -> [ClassDefinition.Index] {
        guard let tree else { return [] }
        guard case .array(let trees) = tree.content else {
            throw SchemaDocument.mistake("\"indexes\" is an array of objects", tree)
        }
        var indexes: [ClassDefinition.Index] = []
        for tree in trees {
            let members = try JSONMembers(tree, "an index", ["properties", "unique", "ignoreCase"])
            guard let list = members["properties"], case .array(let names) = list.content else {
                throw SchemaDocument.mistake("an index needs an array \"properties\"", tree)
            }
            var properties: [String] = []
            for name in names {
                guard case .string(let text) = name.content else {
                    throw SchemaDocument.mistake("the properties of an index are names", name)
                }
                properties.append(text)
            }
            var options: IndexSchema.Options = []
            if try members.flag("unique") ?? false { options.insert(.unique) }
            if try members.flag("ignoreCase") ?? false { options.insert(.caseInsensitive) }
            indexes.append(ClassDefinition.Index(properties, options: options))
        }
        return indexes
    }

    func definition(_ types: SchemaTypes) throws(JSONMistake) -> ClassDefinition {
        var stored: [ClassDefinition.Property] = []
        var inverses: [ClassDefinition.Inverse] = []
        var indexes = self.indexes
        for property in properties {
            do {
                if let inverse = try property.inverse(types) {
                    inverses.append(inverse)
                } else {
                    stored.append(try property.definition(types))
                    if try property.isUnique {
                        indexes.append(ClassDefinition.Index([property.name], options: .unique))
                    }
                }
            } catch { throw error.inside(property: property.name).inside(property: name) }
        }
        return ClassDefinition(
            name: name, properties: stored, keyName: keyName, isEmbedded: isEmbedded,
            inverses: inverses, indexes: indexes)
    }
}

/// A property of a document before its type name is resolved.
struct PropertyDraft {
    let tree: JSONTree
    let name: String
    private let typeName: String
    private let members: JSONMembers

    init(_ tree: JSONTree) throws(JSONMistake) {
        self.tree = tree
        members = try JSONMembers(
            tree, "a property",
            [
                "name", "type", "optional", "indexed", "unique", "column", "dateOnly",
                "decimalPlaces", "origin",
            ])
        name = try members.required("name")
        typeName = try members.required("type")
    }

    /// Whether no two objects have the same value.
    var isUnique: Bool {
        get throws(JSONMistake) { try members.flag("unique") ?? false }
    }

    /// Returns the inverse, if the property is one.
    func inverse(_ types: SchemaTypes) throws(JSONMistake) -> ClassDefinition.Inverse? {
        guard let source = try types.inverseSource(typeName, tree["type"] ?? tree) else {
            guard let origin = tree["origin"] else { return nil }
            throw SchemaDocument.mistake(
                "only an inverse, LinkingObjects<CLASS>, has an \"origin\"", origin)
        }
        for name in ["optional", "indexed", "unique", "column", "dateOnly", "decimalPlaces"] {
            guard let tree = tree[name] else { continue }
            throw SchemaDocument.mistake("an inverse cannot have \"\(name)\"", tree)
        }
        return ClassDefinition.Inverse(
            name: name, sourceClassName: source,
            sourcePropertyName: try members.required("origin"))
    }

    func definition(_ types: SchemaTypes) throws(JSONMistake) -> ClassDefinition.Property {
        let (type, target) = try types.type(
            typeName, isOptional: try members.flag("optional"), tree)
        return ClassDefinition.Property(
            name: name, type: type, display: try display(type), targetName: target,
            isIndexed: try members.flag("indexed") ?? false,
            columnName: try members.text("column").flatMap { $0 == name ? nil : $0 })
    }

    private func display(_ type: PropertyType) throws(JSONMistake) -> DisplayForm? {
        if let tree = tree["dateOnly"], try members.flag("dateOnly") == true {
            guard type.base == .date, self.tree["decimalPlaces"] == nil else {
                throw SchemaDocument.mistake("only a Date can be date-only", tree)
            }
            return .dateOnly
        }
        guard let tree = tree["decimalPlaces"] else { return nil }
        guard type.base == .double else {
            throw SchemaDocument.mistake("only a Double can have decimal places", tree)
        }
        guard case .number(let text) = tree.content, let places = Int(text),
            (1...15).contains(places)
        else { throw SchemaDocument.mistake("decimal places are a number from 1 to 15", tree) }
        return .decimalPlaces(places)
    }
}
