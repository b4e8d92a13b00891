import FirnEngine
import FirnValues

/// Prints the types of the fields of an input, and the reasons, on standard error.
enum DecisionReport {
    /// Longer names extend into the next column instead of widening it.
    private static let nameWidthMax = 32

    /// - Parameter input: the input as the user named it.
    static func text(_ inferred: InferredClass, key: String?, input: String) -> String {
        let names = inferred.fields.map { SafeText.escaping($0.property.name) }
        let widths = names.map { DisplayWidth.columns(of: $0) }
        let nameWidth = min(nameWidthMax, widths.max() ?? 0)
        let types = inferred.fields.map { SafeText.escaping($0.property.typeName) }
        let typeWidth = types.map(\.count).max() ?? 0
        var text = "\(SafeText.escaping(input)): class \(SafeText.escaping(inferred.name))"
        if inferred.isEmbedded { text += " (embedded)" }
        text += ", \(Formatting.count(inferred.rowCount, inferred.isEmbedded ? "object" : "row"))\n"
        for (index, field) in inferred.fields.enumerated() {
            text += "  " + names[index]
            text += String(repeating: " ", count: max(0, nameWidth - widths[index]) + 2)
            text += types[index]
            text += String(repeating: " ", count: typeWidth - types[index].count + 2)
            text += field.reason
            if field.property.name == key { text += ", key" }
            if field.nulls > 0 { text += ", \(Formatting.count(field.nulls, "null"))" }
            text += "\n"
        }
        return text
    }
}
