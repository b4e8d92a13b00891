import FirnEngine
import FirnValues

/// A link property to fill from a column, with the resolved names of its request.
struct LinkPlan {
    let request: LinkRequest
    let source: ClassSchema
    let sourceProperty: PropertySchema
    let target: ClassSchema
    let targetProperty: PropertySchema

    /// - Parameter preferred: the classes being written; if the request names no class, the
    ///   property is added to the one that has the field.
    init(
        _ request: LinkRequest, in schema: Schema, preferred: [String]
    ) throws(CommandFailure) {
        self.request = request
        target = try LinkPlan.class(request.targetClassName, in: schema, request)
        targetProperty = try LinkPlan.property(request.targetProperty, of: target, request)
        source = try LinkPlan.source(request, in: schema, preferred: preferred)
        sourceProperty = try LinkPlan.property(request.source, of: source, request)
        let (left, right) = (sourceProperty.type, targetProperty.type)
        guard left.container == .single, right.container == .single, left.base == right.base,
            ![.link, .any].contains(left.base)
        else {
            throw .diagnostic(
                Diagnostic(
                    .writeType,
                    "--link \(SafeText.escaping(request.text)): \(source.name).\(request.source) is "
                        + "\(schema.typeName(left)) and \(target.name).\(request.targetProperty) is "
                        + schema.typeName(right)))
        }
    }

    private static func source(
        _ request: LinkRequest, in schema: Schema, preferred: [String]
    ) throws(CommandFailure) -> ClassSchema {
        if let name = request.className { return try `class`(name, in: schema, request) }
        func candidates(_ names: [String]?) -> [ClassSchema] {
            schema.classes.filter { candidate in
                // The target class of the link is not a candidate.
                candidate.propertyNamed(request.source) != nil
                    && (names?.contains(candidate.name) ?? true)
                    && (candidate.name, request.source)
                        != (request.targetClassName, request.targetProperty)
            }
        }
        let found = candidates(preferred)
        guard found.count == 1, let only = found.first else {
            let names = found.isEmpty ? preferred : found.map(\.name)
            let example = (names.first ?? "CLASS") + "." + request.text
            throw .diagnostic(
                found.isEmpty
                    ? {
                        var diagnostic = Diagnostic(
                            .writeUnknownProperty,
                            "--link \(SafeText.escaping(request.text)): "
                                + "none of the written classes has the property "
                                + "\"\(SafeText.escaping(request.source))\"")
                        let known = schema.classes.filter { names.contains($0.name) }
                            .flatMap { $0.properties.map(\.name) }
                        diagnostic.suggestions = NearestNames.misspelt(
                            request.source, among: known)
                        if let first = diagnostic.suggestions.first {
                            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
                        }
                        return diagnostic
                    }()
                    : .usage(
                        "--link \(request.text): \(names.joined(separator: " and ")) have the "
                            + "property \(request.source)",
                        remedy: "name the class: --link \(example)"))
        }
        return only
    }

    private static func `class`(
        _ name: String, in schema: Schema, _ request: LinkRequest
    ) throws(CommandFailure) -> ClassSchema {
        if let found = schema.classNamed(name) { return found }
        throw unknown(
            .writeUnknownClass, "there is no class \"\(SafeText.escaping(name))\"", name,
            among: schema.classes.map(\.name), request)
    }

    private static func property(
        _ name: String, of schema: ClassSchema, _ request: LinkRequest
    ) throws(CommandFailure) -> PropertySchema {
        if let found = schema.propertyNamed(name) { return found }
        throw unknown(
            .writeUnknownProperty,
            "\(schema.name) has no property \"\(SafeText.escaping(name))\"", name,
            among: schema.properties.map(\.name), request)
    }

    /// Returns the error for an unknown name, with similar names.
    private static func unknown(
        _ slug: Slug, _ what: String, _ name: String, among names: [String], _ request: LinkRequest
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            slug, "--link \(SafeText.escaping(request.text)): \(what)")
        diagnostic.suggestions = NearestNames.misspelt(name, among: names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        return .diagnostic(diagnostic)
    }
}

/// The result for a link property.
struct LinkOutcome {
    let className: String
    let property: String
    /// The property whose values are looked up.
    let source: String
    let targetName: String
    var linked: UInt64 = 0
    /// The number of values without a matching object.
    var unmatched: UInt64 = 0

    /// `plane: 284,170 linked, 50,094 with a tailnum that no Plane has`.
    var text: String {
        "\(SafeText.escaping(property)): \(Formatting.count(linked)) linked, "
            + "\(Formatting.count(unmatched)) with a \(SafeText.escaping(source)) that no "
            + "\(SafeText.escaping(targetName)) has"
    }
}
