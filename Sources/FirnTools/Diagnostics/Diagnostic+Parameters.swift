import FirnQuery
import FirnValues

extension Diagnostic {
    /// Adds the correct form of a query parameter if it is a string that looks like another value.
    ///
    /// - Parameters:
    ///   - arguments: the values of `$name`.
    ///   - text: the query.
    func explainingTexts(_ arguments: [String: Value], in text: String) -> Diagnostic {
        guard slug == .queryType, remedy == nil else { return self }
        for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
            guard case .string(let typed) = value, text.contains("$\(name)"),
                let meant = Value(json: typed)
            else { continue }
            let kind: String
            switch meant {
            case .int, .double: kind = "number"
            case .bool: kind = "Bool"
            case .null: kind = "null"
            default: continue
            }
            var diagnostic = self
            // The value has no quotes on the command line.
            diagnostic.details = details.map {
                $0.replacing(" write \(typed) without quotes", with: "")
            }
            diagnostic.remedy =
                "-p \(name)=\(typed) is a string; the \(kind) is -p \(name):=\(typed)"
            return diagnostic
        }
        return self
    }
}
