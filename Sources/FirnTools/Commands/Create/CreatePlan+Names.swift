import FirnEngine
import FirnValues

extension CreatePlan {
    /// Every name in an option must mean something.
    func checkNames() throws(CommandFailure) {
        let names = definitions.flatMap { definition in definition.properties.map(\.name) }
        let qualified = definitions.flatMap { definition in
            definition.properties.map { "\(definition.name).\($0.name)" }
        }
        let wanted = command.records.types.map(\.property) + command.keys.map(\.text)
        for name in wanted where !names.contains(name) && !qualified.contains(name) {
            throw FieldMapping.unknown(
                name, "column", among: names, orQualified: name.contains(".") ? qualified : nil)
        }
        let fields = inputs.flatMap(\.fieldNames)
        for map in command.records.maps where !fields.contains(map.field) {
            throw FieldMapping.unknown(map.field, "field", among: fields)
        }
        for type in command.records.types { try type.checkTarget(among: definitions.map(\.name)) }
    }
}

extension FieldMapping {
    /// The error for a name in an option that no input has.
    ///
    /// - Parameter qualified: the names to suggest instead of those that are listed.
    static func unknown(
        _ name: String, _ what: String, among names: [String],
        orQualified qualified: [String]? = nil
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            .writeUnknownProperty, "no \(what) is called \"\(SafeText.escaping(name))\"")
        diagnostic.suggestions = EditDistance.nearest(to: name, among: qualified ?? names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        let shown = names.prefix(60).map { SafeText.escaping($0) }
        diagnostic.details.append("\(what)s: \(shown.joined(separator: ", "))")
        return .diagnostic(diagnostic)
    }
}
