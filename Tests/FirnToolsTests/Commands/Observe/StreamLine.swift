import FirnText
import FirnTools
import Testing

/// One line of a stream, parsed like a reader does.
struct StreamLine: CustomStringConvertible {
    let text: String
    private let tree: JSONTree

    init(_ text: String) throws {
        self.text = text
        var reader = try JSONReader(MemorySource(Array(text.utf8)))
        guard case .value(let tree, _)? = try reader.next(), case .object = tree.content else {
            throw StreamLineError.notAnObject(text)
        }
        let end = try reader.next()
        guard end == nil else { throw StreamLineError.notAnObject(text) }
        self.tree = tree
    }

    /// All lines of an output; each must be one JSON object.
    static func all(_ output: String) throws -> [StreamLine] {
        try output.split(separator: "\n").map { try StreamLine(String($0)) }
    }

    /// A member as JSON; `nil` if it is missing.
    subscript(_ name: String) -> String? {
        guard let member = tree[name] else { return nil }
        var buffer = TextBuffer(capacity: 64)
        buffer.append(json: member)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// `initial`, `update`, or the operation of a row.
    var type: String? {
        (self["type"] ?? self["op"]).map { String($0.dropFirst().dropLast()) }
    }

    var version: UInt64? { self["version"].flatMap { UInt64($0) } }

    /// A member of text type.
    func text(_ name: String) -> String? { self[name].map { String($0.dropFirst().dropLast()) } }

    var description: String { text }
}

enum StreamLineError: Error {
    case notAnObject(String)
}
