package import FirnEngine
import FirnValues

/// A link property to fill from columns, with the resolved names of its request.
package struct LinkPlan {
    package let request: LinkRequest
    package let source: ClassSchema
    package let sourceProperties: [PropertySchema]
    package let target: ClassSchema
    /// The properties that must equal the properties of the source, in the same order.
    package let targetProperties: [PropertySchema]

    /// - Parameter preferred: the classes being written; if the request names no class, the
    ///   property is added to the one that has the field.
    package init(
        _ request: LinkRequest, in schema: Schema, preferred: [String]
    ) throws(CommandFailure) {
        self.request = request
        guard request.sources.count == request.targetProperties.count else {
            throw .diagnostic(
                .usage(
                    "\(request.label): "
                        + Formatting.count(UInt64(request.sources.count), "property")
                        + " cannot equal \(request.targetProperties.count)"))
        }
        target = try LinkPlan.class(request.targetClassName, in: schema, request)
        var targets: [PropertySchema] = []
        for name in request.targetProperties {
            targets.append(try LinkPlan.property(name, of: target, request))
        }
        source = try LinkPlan.source(request, in: schema, preferred: preferred)
        var sources: [PropertySchema] = []
        for name in request.sources {
            sources.append(try LinkPlan.property(name, of: source, request))
        }
        (sourceProperties, targetProperties) = (sources, targets)
        for (left, right) in zip(sources, targets) where !left.type.canIdentify(right.type) {
            throw .diagnostic(
                Diagnostic(
                    .writeType,
                    "\(request.label): \(SafeText.escaping(source.name))."
                        + "\(SafeText.escaping(left.name)) is "
                        + "\(schema.typeName(left.type)) and \(SafeText.escaping(target.name))."
                        + "\(SafeText.escaping(right.name)) is \(schema.typeName(right.type))"))
        }
    }

    private static func source(
        _ request: LinkRequest, in schema: Schema, preferred: [String]
    ) throws(CommandFailure) -> ClassSchema {
        if let name = request.className { return try `class`(name, in: schema, request) }
        func candidates(_ names: [String]?) -> [ClassSchema] {
            schema.classes.filter { candidate in
                // The target class of the link is not a candidate.
                request.sources.allSatisfy { candidate.propertyNamed($0) != nil }
                    && (names?.contains(candidate.name) ?? true)
                    && (candidate.name != request.targetClassName
                        || request.sources != request.targetProperties)
            }
        }
        let found = candidates(preferred)
        if found.count == 1, let only = found.first { return only }
        guard !found.isEmpty else { throw noSource(request, in: schema, preferred: preferred) }
        let names = found.map(\.name)
        throw .diagnostic(
            .usage(
                "\(request.label): \(names.map { SafeText.escaping($0) }.joined(separator: " and "))"
                    + " have the \(request.sources.count == 1 ? "property" : "properties") "
                    + SafeText.escaping(request.sourceText),
                remedy: "name the class: --link "
                    + SafeText.escaping((names.first ?? "CLASS") + "." + request.text)))
    }

    /// Returns the error for source properties that no written class has.
    private static func noSource(
        _ request: LinkRequest, in schema: Schema, preferred: [String]
    ) -> CommandFailure {
        let known = schema.classes.filter { preferred.contains($0.name) }
            .flatMap { $0.properties.map(\.name) }
        let missing = request.sources.first { !known.contains($0) } ?? request.sourceText
        return unknown(
            .writeUnknownProperty,
            "none of the written classes has the property \"\(SafeText.escaping(missing))\"",
            missing, among: known, request)
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
            slug, "\(request.label): \(what)")
        diagnostic.suggestions = NearestNames.misspelt(name, among: names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        return .diagnostic(diagnostic)
    }
}

extension PropertyType {
    /// Returns whether values of this type can identify objects by a property of the other type.
    fileprivate func canIdentify(_ other: PropertyType) -> Bool {
        container == .single && other.container == .single && base == other.base
            && ![.link, .any].contains(base)
    }
}

extension LinkRequest {
    /// The names of the properties whose values are looked up.
    package var sourceText: String {
        guard sources.count > 1 else { return sources.joined() }
        return "(" + sources.joined(separator: ", ") + ")"
    }
}

/// The result for a link property.
package struct LinkOutcome {
    package let className: String
    package let property: String
    /// The properties whose values are looked up.
    let source: String
    let targetName: String
    package var linked: UInt64 = 0
    /// The number of values without a matching object.
    package var unmatched: UInt64 = 0

    package init(className: String, property: String, source: String, targetName: String) {
        self.className = className
        self.property = property
        self.source = source
        self.targetName = targetName
    }

    /// `plane: 284,170 linked, 50,094 with a tailnum that no Plane has`.
    package var text: String {
        let article = source.hasPrefix("(") ? "" : "a "
        return "\(SafeText.escaping(property)): \(Formatting.count(linked)) linked, "
            + "\(Formatting.count(unmatched)) with \(article)\(SafeText.escaping(source)) that no "
            + "\(SafeText.escaping(targetName)) has"
    }
}
