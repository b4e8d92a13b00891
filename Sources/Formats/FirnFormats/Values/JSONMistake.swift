package import FirnText
import FirnValues

/// A JSON value that a property cannot accept, and the reason.
///
/// It is thrown without a path; each level that it passes prepends its own step, so that reading a
/// valid value has no cost for it.
package struct JSONMistake: Error, Hashable, Sendable {
    package let code: InputError.Code
    /// A description of the error, in one sentence without a final period.
    package let message: String
    let position: TextPosition
    /// The start of the value, safe to show.
    let excerpt: String
    let remedy: String?
    /// The path of the property, element or entry, such as `dogs[3].name`; empty for the value
    /// itself.
    package private(set) var path = ""

    package init(
        _ code: InputError.Code, _ message: String, _ tree: JSONTree, remedy: String? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        position = tree.position
        excerpt = tree.excerpt
    }

    /// Returns the same error relative to the object that has the property.
    package func inside(property name: String) -> JSONMistake { inside(name) }

    /// Returns the same error relative to the list or set.
    func inside(element index: Int) -> JSONMistake { inside("[\(index)]") }

    /// Returns the same error relative to the map.
    func inside(entry key: String) -> JSONMistake {
        inside("[" + Value.string(key).quoted + "]")
    }

    private func inside(_ step: String) -> JSONMistake {
        var outer = self
        let isMember = !path.isEmpty && !path.hasPrefix("[")
        outer.path = step + (isMember ? "." : "") + path
        return outer
    }
}

extension InputError {
    /// Reports a value of a record that its property cannot accept.
    ///
    /// - Parameter name: the input as the user named it.
    package init(_ mistake: JSONMistake, name: String) {
        self.init(
            mistake.code, mistake.message, name: name, line: mistake.position.line,
            column: mistake.path.isEmpty ? nil : SafeText.excerpt(of: mistake.path.utf8),
            offset: mistake.position.offset, excerpt: mistake.excerpt, remedy: mistake.remedy)
    }
}

extension JSONTree {
    /// The start of the value, safe to show.
    var excerpt: String {
        switch content {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): SafeText.excerpt(of: text.utf8)
        case .string(let text): "\"" + SafeText.excerpt(of: text.utf8) + "\""
        case .array(let elements): "an array of \(elements.count)"
        case .object(let members):
            "an object of \(members.count) member\(members.count == 1 ? "" : "s")"
        }
    }
}
