import FirnEngine
import FirnFormats
import FirnValues

/// The indexes that the command line names.
extension CreatePlan {
    /// Adds an index to its class.
    mutating func add(_ request: IndexRequest, isUnique: Bool) throws(CommandFailure) {
        let names = definitions.map(\.name)
        guard let position = names.firstIndex(of: request.className) else {
            throw CreatePlan.unknown("class", request.className, request, among: names)
        }
        let definition = definitions[position]
        let properties = definition.properties.map(\.name)
        for name in request.propertyNames where !properties.contains(name) {
            throw CreatePlan.unknown("property", name, request, among: properties)
        }
        for property in definition.properties
        where request.propertyNames.contains(property.name) && !property.type.canBeIndexed {
            throw .diagnostic(
                Diagnostic(
                    .writeSchema,
                    "index \(SafeText.escaping(request.text)): \(SafeText.escaping(property.name)) is "
                        + "\(property.typeName), which has no order for an index"))
        }
        let index = request.definition(isUnique: isUnique)
        // An index of the input, or one that was named twice, is there already.
        guard !definition.indexes.contains(index) else { return }
        guard index.options.isEmpty, let name = index.propertyNames.first,
            index.propertyNames.count == 1
        else {
            definitions[position] = definition.with(indexes: definition.indexes + [index])
            return
        }
        definitions[position] = definition.with(
            properties: definition.properties.map { $0.name == name ? $0.indexed : $0 },
            indexes: definition.indexes)
    }

    private static func unknown(
        _ what: String, _ name: String, _ request: IndexRequest, among names: [String]
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            what == "class" ? .writeUnknownClass : .writeUnknownProperty,
            "index \(SafeText.escaping(request.text)): there is no \(what) "
                + "\"\(SafeText.escaping(name))\"")
        diagnostic.suggestions = NearestNames.misspelt(name, among: names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        return .diagnostic(diagnostic)
    }
}

extension ClassDefinition.Property {
    /// The property with an index of its own.
    var indexed: ClassDefinition.Property {
        ClassDefinition.Property(
            name: name, type: type, display: display, targetName: targetName, isIndexed: true,
            columnName: columnName)
    }
}
