import FirnEngine
import FirnText
import FirnValues

/// Checks the relations between the classes of a document, each of which is valid on its own.
struct SchemaCheck {
    private let drafts: [ClassDraft]
    private let definitions: [ClassDefinition]
    private let knownClasses: [String]

    /// - Parameter definitions: the definitions of the drafts, in the same order.
    init(
        _ drafts: [ClassDraft], _ definitions: [ClassDefinition], knownClasses: [String]
    ) {
        self.drafts = drafts
        self.definitions = definitions
        self.knownClasses = knownClasses
    }

    func run() throws(JSONMistake) {
        try checkNames()
        for (draft, definition) in zip(drafts, definitions) {
            do {
                try checkKey(draft, definition)
                try checkProperties(draft, definition)
                try checkInverses(draft, definition)
            } catch { throw error.inside(property: draft.name) }
        }
        try checkEmbedding()
    }

    private func checkNames() throws(JSONMistake) {
        var names = TextSet(knownClasses)
        for draft in drafts where !names.insert(draft.name).inserted {
            throw mistake("a class \"\(shown(draft.name))\" already exists", draft.tree["name"])
        }
    }

    private func checkProperties(
        _ draft: ClassDraft, _ definition: ClassDefinition
    ) throws(JSONMistake) {
        var names: TextSet = []
        for property in draft.properties
        where !names.insert(property.name).inserted {
            throw mistake("a second property \"\(shown(property.name))\"", property.tree["name"])
        }
        var columns: TextSet = []
        for property in definition.properties {
            let column = property.columnName ?? property.name
            guard columns.insert(column).inserted else {
                throw mistake("a second column \"\(shown(column))\"", draft.tree["properties"])
            }
        }
    }

    private func checkKey(
        _ draft: ClassDraft, _ definition: ClassDefinition
    ) throws(JSONMistake) {
        guard let key = definition.keyName else { return }
        let source = draft.tree["key"]
        guard !definition.isEmbedded else {
            throw mistake("an embedded class cannot have a key", source)
        }
        guard
            let property = definition.properties.first(where: {
                $0.name == key
            })
        else {
            throw mistake("the key \"\(shown(key))\" is not a property of the class", source)
        }
        let kinds: [ValueTag] = [.int, .string, .uuid, .objectID]
        guard kinds.contains(property.type.base), property.type.container == .single else {
            throw mistake(
                "a key must be an Int, String, UUID or ObjectId, not \(property.typeName)", source)
        }
    }

    private func checkInverses(
        _ draft: ClassDraft, _ definition: ClassDefinition
    ) throws(JSONMistake) {
        for inverse in definition.inverses {
            // The caller checks a class outside the document.
            guard let source = definitions.first(where: { $0.name == inverse.sourceClassName })
            else { continue }
            let property = source.properties.first { $0.name == inverse.sourcePropertyName }
            guard property?.targetName == definition.name else {
                throw mistake(
                    "\(shown(source.name)) has no property \"\(shown(inverse.sourcePropertyName))\""
                        + " that links to \(shown(definition.name))",
                    draft.properties.first { $0.name == inverse.name }?.tree["origin"])
            }
        }
    }

    /// Rejects an embedded class that contains itself, directly or indirectly.
    private func checkEmbedding() throws(JSONMistake) {
        let embedded = definitions.filter(\.isEmbedded)
        var left = embedded
        // Removes classes that contain no remaining class, until none can be removed.
        while true {
            let names = TextSet(left.map(\.name))
            let rest = left.filter { definition in
                definition.properties.contains { $0.targetName.map(names.contains) ?? false }
            }
            if rest.isEmpty { return }
            if rest.count == left.count {
                let source = drafts.first { $0.name == rest[0].name }?.tree
                throw mistake(
                    "embedded classes that contain each other endlessly: "
                        + rest.map { shown($0.name) }.joined(separator: ", "), source)
            }
            left = rest
        }
    }

    private func shown(_ name: String) -> String { SafeText.excerpt(of: name.utf8) }

    private func mistake(_ message: String, _ tree: JSONTree?) -> JSONMistake {
        // The position of the whole document, if no closer position is known.
        SchemaDocument.mistake(
            message,
            tree ?? drafts.first?.tree ?? JSONTree(.null, at: TextPosition(offset: 0, line: 1)))
    }
}
