import FirnQuery
import FirnSyntax
package import FirnText
package import FirnValues

extension Value {
    /// Parses one JSON value, as an Any property does.
    package init?(json text: String) {
        guard let tree = JSONTree(parsing: Array(text.utf8)),
            let value = try? Value(parameter: tree)
        else { return nil }
        self = value
    }

    /// Parses the value of a parameter; `nil` for a link.
    ///
    /// A number that a Double would round is kept as a Decimal128, because only the query
    /// determines which digits are significant.
    package init?(parameter tree: JSONTree) throws(JSONMistake) {
        switch tree.content {
        case .number(let text):
            guard Int64(text) == nil, let number = NumberLiteral(text),
                case .decimal128(let exact)? = number.value(for: .any)
            else { break }
            self = .decimal128(exact)
            return
        case .array(let elements):
            var values: [Value] = []
            for element in elements {
                guard let value = try Value(parameter: element) else { return nil }
                values.append(value)
            }
            self = .list(values)
            return
        default: break
        }
        guard case .value(let value) = try JSONValueReader.read(tree, as: PropertyType(.any)) else {
            return nil
        }
        self = value
    }
}
