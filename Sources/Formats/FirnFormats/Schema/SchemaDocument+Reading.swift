package import FirnEngine
package import FirnText
import FirnValues

extension SchemaDocument {
    /// Reads a document; unknown members are errors, so that typing errors are found.
    ///
    /// - Parameters:
    ///   - name: the input as the user named it.
    ///   - knownClasses: the names of classes outside the document that links can refer to.
    package static func read(
        _ tree: JSONTree, name: String, knownClasses: [String] = []
    ) throws(InputError) -> [ClassDefinition] {
        do throws(JSONMistake) {
            let document = try JSONMembers(tree, "a schema", ["v", "classes"])
            if let version = document["v"] { try checkVersion(version) }
            guard let classes = document["classes"], case .array(let trees) = classes.content else {
                throw mistake("a schema needs an array \"classes\"", tree)
            }
            var drafts: [ClassDraft] = []
            for tree in trees { drafts.append(try ClassDraft(tree)) }
            let names = drafts.map(\.name) + knownClasses
            let reader = SchemaTypes(classNames: TextSet(names))
            var definitions: [ClassDefinition] = []
            for draft in drafts { definitions.append(try draft.definition(reader)) }
            try SchemaCheck(drafts, definitions, knownClasses: knownClasses).run()
            return definitions
        } catch {
            throw InputError(error, name: name)
        }
    }

    /// Reads the only document of an input.
    package static func read(
        _ source: any ByteSource, knownClasses: [String] = []
    ) throws(InputError) -> [ClassDefinition] {
        var reader = try JSONReader(source)
        guard let record = try reader.next() else {
            throw InputError(.schema, "the schema is empty", name: source.name)
        }
        let tree =
            switch record {
            case .schema(let tree): tree
            case .value(let tree, _): tree
            }
        guard try reader.next() == nil else {
            throw InputError(
                .schema, "more than one schema", name: source.name, offset: reader.bytesRead)
        }
        return try read(tree, name: source.name, knownClasses: knownClasses)
    }

    private static func checkVersion(_ tree: JSONTree) throws(JSONMistake) {
        guard case .number(let text) = tree.content, text == String(version) else {
            throw mistake("an unknown schema version", tree)
        }
    }

    static func mistake(_ message: String, _ tree: JSONTree) -> JSONMistake {
        JSONMistake(.schema, message, tree)
    }
}

/// The members of an object, whose names must be known.
struct JSONMembers {
    let tree: JSONTree
    private let subject: String

    /// - Parameter subject: the name of the object in messages.
    init(_ tree: JSONTree, _ subject: String, _ names: [String]) throws(JSONMistake) {
        self.tree = tree
        self.subject = subject
        guard case .object(let members) = tree.content else {
            throw SchemaDocument.mistake("\(subject) must be an object, not \(tree.kindName)", tree)
        }
        for member in members where !names.contains(member.name) {
            let near = NearestNames.misspelt(member.name, among: names).first
            let shown = SafeText.excerpt(of: member.name.utf8)
            throw JSONMistake(
                .schema, "\(subject) cannot have \"\(shown)\"", member.value,
                remedy: near.map { "did you mean \"\($0)\"?" }
                    ?? "allowed: \(names.joined(separator: ", "))")
        }
    }

    subscript(name: String) -> JSONTree? { tree[name] }

    func text(_ name: String) throws(JSONMistake) -> String? {
        guard let tree = tree[name] else { return nil }
        guard case .string(let text) = tree.content, !text.isEmpty else {
            throw SchemaDocument.mistake("\"\(name)\" of \(subject) must be a string", tree)
        }
        return text
    }

    func flag(_ name: String) throws(JSONMistake) -> Bool? {
        guard let tree = tree[name] else { return nil }
        guard case .bool(let flag) = tree.content else {
            throw SchemaDocument.mistake("\"\(name)\" of \(subject) must be true or false", tree)
        }
        return flag
    }

    func required(_ name: String) throws(JSONMistake) -> String {
        guard let text = try text(name) else {
            throw SchemaDocument.mistake("\(subject) without \"\(name)\"", tree)
        }
        return text
    }
}
