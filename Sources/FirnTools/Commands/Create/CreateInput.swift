import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnValues

/// `--from INPUT` or `--from CLASS=INPUT`.
struct FromInput: ExpressibleByArgument {
    let className: String?
    let path: String

    init?(argument: String) {
        if let equals = argument.firstIndex(of: "="),
            let first = argument.first, first.isLetter,
            argument[..<equals].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        {
            className = String(argument[..<equals])
            path = String(argument[argument.index(after: equals)...])
        } else {
            className = nil
            path = argument
        }
        if path.isEmpty { return nil }
    }
}

/// `--key PROP` or `--key CLASS.PROP`.
struct KeyOption: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        if argument.isEmpty { return nil }
        text = argument
    }

    /// The property, if this is said of a class that has it.
    func property(of className: String, among names: [String]) -> String? {
        if names.contains(text) { return text }
        let prefix = className + "."
        guard text.hasPrefix(prefix) else { return nil }
        let name = String(text.dropFirst(prefix.count))
        return names.contains(name) ? name : nil
    }
}

/// One input of `create`, read once: what it is and what it becomes.
struct CreateInput {
    let input: ImportInput
    /// The class of records that name none.
    let className: String?
    /// The columns of a table that is loaded in bulk; `nil` if its rows go the way of records.
    let columns: [ColumnDecision]?
    /// The classes that the input makes, embedded ones first; empty if a schema has them already.
    let classes: [InferredClass]
    /// The classes of a schema document that the input begins with.
    let definitions: [ClassDefinition]
    /// What the fields are called in the input; only known where --map needs them.
    let fieldNames: [String]
}
