import FirnTools
import FirnValues
import NIOHTTP1

/// A parameter in the query part of a URL.
struct Parameter: Sendable {
    /// The values that are accepted.
    enum Form: Sendable {
        case text
        /// A whole number.
        case count(ClosedRange<Int>)
        /// One of the given words.
        case choice([String])
        /// `true` or `false`; the bare name means true.
        case flag
    }

    let name: String
    let meaning: String
    var form = Form.text
    var isRequired = false
    var isRepeatable = false

    /// Checks a value.
    func check(_ value: String) throws(Problem) {
        let wanted: String
        switch form {
        case .text:
            guard value.utf8.contains(0) else { return }
            wanted = "text without NUL"
        case .count(let range):
            if let number = Int(value), range.contains(number) { return }
            wanted = "a number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let words):
            if words.contains(where: { $0.hasSameBytes(as: value) }) { return }
            wanted = words.joined(separator: ", ")
        case .flag:
            if ["", "true", "false"].contains(where: { $0.hasSameBytes(as: value) }) { return }
            wanted = "true or false"
        }
        throw .parameter("\(name) is \"\(SafeText.excerpt(of: value.utf8))\"; expected \(wanted)")
    }
}

/// The checked parameters of a request.
struct Arguments: Sendable {
    private let items: QueryItems

    /// - Throws: ``Problem`` for a parameter that is unknown, missing, repeated or invalid.
    init(_ items: QueryItems, of parameters: [Parameter]) throws(Problem) {
        for name in items.names
        where !parameters.contains(where: { $0.name.hasSameBytes(as: name) }) {
            let names = parameters.map(\.name)
            let near = NearestNames.misspelt(name, among: names).first
            throw .parameter(
                "unknown parameter \"\(SafeText.excerpt(of: name.utf8))\"",
                remedy: near.map { "did you mean \($0)?" }
                    ?? "the parameters are \(names.joined(separator: ", "))")
        }
        for parameter in parameters {
            let values = items.values(parameter.name)
            if values.isEmpty, parameter.isRequired {
                throw .parameter("the parameter \(parameter.name) is missing")
            }
            if values.count > 1, !parameter.isRepeatable {
                throw .parameter("the parameter \(parameter.name) is given twice")
            }
            for value in values { try parameter.check(value) }
        }
        self.items = items
    }

    subscript(name: String) -> String? { items.values(name).first }

    func all(_ name: String) -> [String] { items.values(name) }

    func isSet(_ name: String) -> Bool { self[name].map { !$0.hasSameBytes(as: "false") } ?? false }

    /// Returns options of a command for the given parameters with the same names.
    func options(_ names: String...) -> [String] {
        names.flatMap { name in all(name).map { "--\(name)=\($0)" } }
    }
}
