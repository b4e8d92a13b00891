import FirnText
import FirnValues

/// Resolves the names of types.
struct SchemaTypes {
    /// The classes that links can refer to.
    let classNames: TextSet

    /// The scalar types, as written in documents.
    private static let scalars: TextMap<PropertyType> = {
        var types: TextMap<PropertyType> = ["Int64": PropertyType(.int)]
        for width in IntegerWidth.allCases {
            types[width.typeName] = PropertyType(.int, integerWidth: width)
        }
        for tag in ValueTag.allCases {
            switch tag {
            case .null, .int, .link, .list, .set, .map: continue
            case .any: types[tag.name] = PropertyType(.any, isOptional: true)
            default: types[tag.name] = PropertyType(tag)
            }
        }
        return types
    }()

    /// Returns the class of `LinkingObjects<CLASS>`; `nil` for every other type.
    func inverseSource(_ name: String, _ tree: JSONTree) throws(JSONMistake) -> String? {
        guard let source = SchemaTypes.inner(name, of: SchemaDocument.inverseName) else {
            return nil
        }
        guard classNames.contains(source) else { throw unknown(source, tree) }
        return source
    }

    /// Returns the type of that name, and the class that it links to.
    ///
    /// - Parameters:
    ///   - isOptional: the value of `optional`, if any.
    ///   - tree: the property.
    func type(
        _ name: String, isOptional: Bool?, _ tree: JSONTree
    ) throws(JSONMistake) -> (PropertyType, target: String?) {
        let source = tree["type"] ?? tree
        let containers: [(String, PropertyType.Container)] = [
            ("List", .list), ("Set", .set), ("Map", .map),
        ]
        for (word, container) in containers {
            guard let inner = SchemaTypes.inner(name, of: word) else { continue }
            guard isOptional != true else {
                throw SchemaDocument.mistake(
                    "a collection cannot be null; for null elements, write \(word)<\(inner)?>",
                    tree["optional"] ?? tree)
            }
            return try collection(inner, container, source)
        }
        let (plain, hasMark, isClass) = SchemaTypes.withoutMark(name)
        let isNullable = hasMark || isOptional == true
        if !isClass, let scalar = SchemaTypes.scalars[plain] {
            let type = PropertyType(
                scalar.base, isOptional: scalar.isOptional || isNullable,
                integerWidth: scalar.integerWidth)
            return (type, nil)
        }
        guard classNames.contains(plain) else { throw unknown(plain, source) }
        guard isOptional != false else {
            throw SchemaDocument.mistake("a link is always optional", tree["optional"] ?? tree)
        }
        return (PropertyType(.link, isOptional: true), plain)
    }

    private func collection(
        _ name: String, _ container: PropertyType.Container, _ source: JSONTree
    ) throws(JSONMistake) -> (PropertyType, target: String?) {
        let (plain, hasMark, isClass) = SchemaTypes.withoutMark(name)
        if !isClass, let scalar = SchemaTypes.scalars[plain] {
            let type = PropertyType(
                scalar.base, isOptional: scalar.isOptional || hasMark, container: container,
                integerWidth: scalar.integerWidth)
            return (type, nil)
        }
        guard classNames.contains(plain) else { throw unknown(plain, source) }
        guard !hasMark || container == .map else {
            throw SchemaDocument.mistake(
                "the links of a list or set cannot be null: remove the ?", source)
        }
        return (PropertyType(.link, isOptional: hasMark, container: container), plain)
    }

    private func unknown(_ name: String, _ tree: JSONTree) -> JSONMistake {
        let names = Array(classNames) + SchemaTypes.scalars.keys
        let near = NearestNames.misspelt(name, among: names.sorted()).first
        return JSONMistake(
            .schema, "there is no type or class \"\(SafeText.excerpt(of: name.utf8))\"", tree,
            remedy: near.map { "did you mean \"\($0)\"?" })
    }

    /// Returns the text between the brackets of `word<...>`.
    private static func inner(_ name: String, of word: String) -> String? {
        guard name.hasPrefix(word + "<"), name.hasSuffix(">"), name.utf8.count > word.utf8.count + 2
        else {
            return nil
        }
        return name.trimmingBytes(first: word.utf8.count + 1, last: 1)
    }

    /// Returns the name without `?` and without the backquotes of a class with the name of a type.
    private static func withoutMark(
        _ name: String
    ) -> (plain: String, hasMark: Bool, isClass: Bool) {
        let hasMark = name.hasSuffix("?")
        let plain = hasMark ? name.trimmingBytes(last: 1) : name
        guard plain.utf8.count > 2, plain.hasPrefix("`"), plain.hasSuffix("`") else {
            return (plain, hasMark, false)
        }
        return (plain.trimmingBytes(first: 1, last: 1), hasMark, true)
    }
}
