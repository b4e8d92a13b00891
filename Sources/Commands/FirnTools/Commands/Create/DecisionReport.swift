import FirnEngine
import FirnFormats
import FirnValues

/// Describes the types of the fields of an input, the reasons, and what an export will change.
struct DecisionReport {
    /// The part of the decisions that is reported.
    enum Extent {
        /// The type of each property.
        case all
        /// The properties that an export prints with bytes that differ from the input.
        case changes
        case none
    }

    private let inferred: InferredClass
    private let key: String?
    private let inputs: [String]

    /// The width beyond which a name extends into the next column instead of widening its own.
    private static let nameWidthMax = 32
    /// The number of inputs that are named.
    private static let inputsMax = 3
    /// The number of columns that the short report names.
    private static let changesMax = 3

    /// - Parameter inputs: the inputs as the user named them.
    init(_ inferred: InferredClass, key: String?, inputs: [String]) {
        self.inferred = inferred
        self.key = key
        self.inputs = inputs
    }

    /// Returns the report; `nil` if there is nothing to report.
    func text(_ extent: Extent) -> String? {
        switch extent {
        case .all: heading + fields + changes
        case .changes: reading
        case .none: nil
        }
    }

    private var heading: String {
        var names = inputs.prefix(DecisionReport.inputsMax).map { SafeText.escaping($0) }
        if inputs.count > names.count { names.append("\(inputs.count - names.count) more") }
        let isEmbedded = inferred.isEmbedded
        return names.joined(separator: ", ") + ": class \(SafeText.escaping(inferred.name))"
            + (isEmbedded ? " (embedded)" : "")
            + ", \(Formatting.count(inferred.rowCount, isEmbedded ? "object" : "row"))\n"
    }

    private var fields: String {
        let names = inferred.fields.map { SafeText.escaping($0.property.name) }
        let widths = names.map { DisplayWidth.columns(of: $0) }
        let nameWidth = min(DecisionReport.nameWidthMax, widths.max() ?? 0)
        let types = inferred.fields.map { typeName(of: $0) }
        let typeWidth = types.map(\.count).max() ?? 0
        var text = ""
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

    /// Returns the name of a type; a key is required, regardless of the type of its values.
    private func typeName(of field: InferredClass.Field) -> String {
        let name = SafeText.escaping(field.property.typeName)
        return field.property.name == key && name.hasSuffix("?") ? String(name.dropLast()) : name
    }

    /// The values that were read by their meaning, in one line; `nil` if there are none.
    private var reading: String? {
        var examples = self.examples(ofNull: "null")
        guard !examples.isEmpty else { return nil }
        let more = examples.count - DecisionReport.changesMax
        if more > 0 { examples = examples.prefix(DecisionReport.changesMax) + ["\(more) more"] }
        return "read by meaning: \(examples.joined(separator: ", ")); -v shows all types\n"
    }

    /// Returns the columns that an export prints with bytes that differ from the input, each with
    /// an example.
    ///
    /// - Parameter nullText: the description of null.
    private func examples(ofNull nullText: String) -> [String] {
        inferred.fields.compactMap { field in
            guard let respelling = field.respelling else { return nil }
            let text = SafeText.excerpt(of: respelling.text.utf8, characters: 24)
            let printed = respelling.printed.isEmpty ? nullText : respelling.printed
            return "\(SafeText.escaping(field.property.name)) "
                + "(\(text.isEmpty ? "\"\"" : text) becomes \(printed))"
        }
    }

    /// The columns that an export prints with bytes that differ from the input.
    private var changes: String {
        let examples = self.examples(ofNull: "an empty field")
        guard !examples.isEmpty else { return "" }
        return "  an export prints some values differently: \(examples.joined(separator: ", ")); "
            + "--exact keeps such columns text\n"
    }
}
