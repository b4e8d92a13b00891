import FirnText
import FirnValues

/// A JSON value, as columns of the type jsonb have it.
///
/// Numbers keep their digits: 64-bit integers do not fit into a Double.
indirect enum JSONNode: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object(TextMap<JSONNode>)

    /// The depth beyond which a text is refused.
    static let depthMaximum = 128

    /// Parses the text of a jsonb value.
    ///
    /// - Returns: `nil` if the text is not JSON, or nests deeper than ``depthMaximum``.
    init?(parsing text: String) {
        var limits = JSONLimits()
        limits.depthMax = JSONNode.depthMaximum + 1
        // The server has limits of its own, and the text is in memory already.
        limits.recordBytesMax = .max
        limits.recordValuesMax = .max
        limits.numberBytesMax = .max
        guard let tree = JSONTree(parsing: Array(text.utf8), limits: limits) else { return nil }
        self.init(tree)
    }

    private init(_ tree: JSONTree) {
        switch tree.content {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let digits): self = .number(digits)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSONNode.init))
        case .object(let members):
            self = .object(
                TextMap(members.map { ($0.name, JSONNode($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }

    /// The text, with the members of objects in the order of their names.
    var text: String {
        var buffer = TextBuffer(capacity: 256)
        buffer.append(json: tree)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private var tree: JSONTree {
        let content: JSONTree.Content =
            switch self {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let digits): .number(digits)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(\.tree))
            case .object(let members):
                .object(
                    members.sorted { $0.key < $1.key }.map { name, value in
                        JSONTree.Member(name: name, value: value.tree)
                    })
            }
        return JSONTree(content, at: .start)
    }
}

/// Texts are the same if their bytes are; String considers composed and decomposed letters equal.
extension JSONNode: Hashable {
    static func == (left: JSONNode, right: JSONNode) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let text), .string(let text): hasher.combine(TextKey(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}
