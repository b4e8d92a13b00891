import FirnEngine
import FirnQuery
import FirnValues

extension Session {
    /// What there is to say about a word of a line: a dot command, a class, a property of any class;
    /// `nil` for nothing.
    func help(on word: String) -> String? {
        if word.hasPrefix(".") {
            return DotCommandName(rawValue: String(word.dropFirst())).map(\.help)
        }
        // Whatever is wrong with the database is told by the next statement.
        guard let schema = (try? snapshot())?.schema else { return nil }
        if let named = schema.classNamed(word) {
            let properties = named.properties.map { "\($0.name) \(schema.typeName($0.type))" }
            return SafeText.escaping("\(named.name): " + properties.joined(separator: ", ")) + "\n"
        }
        let last = word.split(separator: ".").last.map(String.init) ?? word
        let lines = schema.classes.compactMap { owner in
            owner.propertyNamed(last).map { property in
                "\(owner.name).\(property.name): \(schema.typeName(property.type))"
            }
        }
        return lines.isEmpty ? nil : lines.map { SafeText.escaping($0) + "\n" }.joined()
    }
}
