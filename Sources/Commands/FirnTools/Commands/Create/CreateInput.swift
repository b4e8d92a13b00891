import ArgumentParser
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// `--from INPUT` or `--from CLASS=INPUT`.
struct FromInput: ExpressibleByArgument {
    let className: String?
    let path: String

    init(className: String?, path: String) {
        self.className = className
        self.path = path
    }

    init?(argument: String) {
        if let (name, rest) = argument.cut(at: "="),
            let first = argument.first, first.isLetter,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        {
            className = String(name)
            path = String(rest)
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

    /// Returns the property, if the option applies to this class.
    func property(of className: String, among names: [String]) -> String? {
        if names.contains(text) { return text }
        let prefix = className + "."
        guard text.hasPrefix(prefix) else { return nil }
        let name = String(text.dropFirst(prefix.count))
        return names.contains(name) ? name : nil
    }
}

/// One input of `create`, read once.
struct CreateInput {
    let input: ImportInput
    /// The class of records that do not name one.
    let className: String?
}

/// The way in which the objects of one class are loaded.
struct ClassLoad {
    let className: String
    /// The inputs of the class, all of them tables.
    let inputs: [ImportInput]
    let columns: [ColumnDecision]
}
