import FirnEngine
import FirnSyntax
import FirnValues

/// The possible next steps of a path, as accepted by the path resolver.
struct PathCandidates {
    private static let aggregates = BoundAggregate.Function.allCases.map(\.rawValue)
    /// The attributes that can be a step; a quantile cannot, because it needs parentheses.
    private static let attributes =
        ["@id"] + aggregates.filter { $0 != BoundAggregate.Function.quantile.rawValue }
        + ["@keys", "@values", "@type", "@links"]

    let scope: CursorScope
    let record: CursorRecord

    private var binder: Binder { scope.binder }

    /// Returns the candidates.
    ///
    /// - Parameter compared: the other side of the comparison, which limits the candidates to those
    ///   that fit.
    func candidates(
        variable: String?, after segments: [Path.Segment],
        compared: (left: Expression, by: Comparison.Operator)? = nil
    ) -> [Candidate] {
        if variable != scope.variable { return [] }
        if variable == nil, segments.isEmpty, let outputs = binder.outputs {
            return outputs.map { named($0.name, $0.value.type) }
                + aliases(after: segments, variable)
                + joins
        }
        var segments = segments
        var aggregates: [Candidate] = []
        if variable == nil {
            if segments.isEmpty, record.beginsItem {
                aggregates = PathCandidates.aggregates.map { name in
                    Candidate(
                        name, note: "over all rows",
                        append: name == "@count" ? " " : name == "@quantile" ? "(" : ".")
                }
                if !record.isGroupItem {
                    aggregates += BoundWindow.Function.named.keys.sorted().map { name in
                        Candidate(
                            name, note: "of other rows", append: name == "@row" ? " " : "(")
                    }
                }
            } else if case .attribute(let name)? = segments.first?.kind,
                PathCandidates.aggregates.contains(name)
            {
                segments.removeFirst()
            }
        }
        var found = aliases(after: segments, variable)
        found += incoming(after: segments, variable)
        for candidate in names(after: segments, variable)
        where fits(candidate, segments, variable, compared) {
            found.append(candidate)
        }
        return found + aggregates + (segments.isEmpty && variable == nil ? joins : [])
    }

    private var joins: [Candidate] {
        binder.joins.values.sorted { $0.name < $1.name }.map {
            Candidate(Canonical.name($0.name), note: $0.target.name, append: ".")
        }
    }

    // MARK: Names

    /// Returns the columns that are named by a projection.
    private func aliases(after segments: [Path.Segment], _ variable: String?) -> [Candidate] {
        guard segments.isEmpty, variable == nil else { return [] }
        return binder.aliases.keys.sorted()
            .filter { binder.classSchema.propertyNamed($0) == nil }
            .map { Candidate(Canonical.name($0), note: "column", append: " ") }
    }

    private func names(after segments: [Path.Segment], _ variable: String?) -> [Candidate] {
        var found: [Candidate] = []
        if let owner = object(after: segments, variable) {
            found += owner.properties.map { property in
                named(property.name, property.type, isKey: property.id == owner.key)
            }
            found += owner.inverses.map { inverse in
                let source = binder.context.schema[inverse.sourceClass]?.name ?? "?"
                return Candidate(Canonical.name(inverse.name), note: "\(source) (inverse)")
            }
            found.sort { $0.text < $1.text }
        }
        guard !record.isAssigned else { return found }
        found += (PathCandidates.attributes + ["length"]).filter { name in
            leads(to: name, after: segments, variable)
        }.map { Candidate($0, append: $0 == "@links" ? nil : " ") }
        return found
    }

    private func named(_ name: String, _ type: PropertyType, isKey: Bool = false) -> Candidate {
        let note = binder.context.schema.typeName(type)
        // Steps after a link or collection are chosen next.
        let isEnd = type.base != .link && type.container == .single
        return Candidate(
            Canonical.name(name), shown: name, note: isKey ? note + " (key)" : note,
            append: isEnd ? " " : nil)
    }

    /// Returns the class whose properties can be named next.
    private func object(after segments: [Path.Segment], _ variable: String?) -> ClassSchema? {
        guard let resolver = resolver(segments, variable) else { return nil }
        switch resolver.endpoint {
        case .object(let owner): return owner
        case .property(let property):
            guard property.type.base == .link, property.type.container != .map else { return nil }
            return property.type.target.flatMap { binder.context.schema[$0] }
        default: return nil
        }
    }

    /// Returns the candidates for `@links.Class.property`.
    private func incoming(after segments: [Path.Segment], _ variable: String?) -> [Candidate] {
        func isLinks(_ segment: Path.Segment?) -> Bool { segment?.kind == .attribute("@links") }
        let links: ArraySlice<Path.Segment>
        if isLinks(segments.last) {
            links = segments.dropLast()
        } else if segments.count >= 2, isLinks(segments.dropLast().last) {
            links = segments.dropLast(2)
        } else {
            return []
        }
        guard let target = object(after: Array(links), variable) else { return [] }
        let sources = binder.context.schema.incoming(to: target.id)
        if isLinks(segments.last) {
            let classes = TextSet(sources.map(\.source.name)).sorted()
            return classes.map { Candidate(Canonical.name($0), note: "class") }
                + [Candidate("@count", append: " ")]
        }
        guard case .name(let className)? = segments.last?.kind else { return [] }
        return sources.filter { $0.source.name == className }
            .map { Candidate(Canonical.name($0.property.name), note: "link") }
    }

    // MARK: Path resolution

    /// Returns the resolver at the end of a path, or `nil` if the path cannot be continued.
    private func resolver(_ segments: [Path.Segment], _ variable: String?) -> PathResolver? {
        let range = SourceRange(0..<0)
        var resolver = PathResolver(
            binder: binder, path: Path(variable: variable, segments: segments, range: range))
        guard variable == nil, case .name(let name)? = segments.first?.kind,
            let alias = binder.aliases[name]
        else { return (try? resolver.follow()) == nil ? nil : resolver }
        guard let target = alias.path else { return nil }
        resolver = PathResolver(
            binder: binder,
            path: Path(
                variable: target.variable, segments: target.segments + segments.dropFirst(),
                range: range))
        return (try? resolver.follow()) == nil ? nil : resolver
    }

    private func leads(
        to name: String, after segments: [Path.Segment], _ variable: String?
    ) -> Bool {
        let kind: Path.Segment.Kind = name.hasPrefix("@") ? .attribute(name) : .name(name)
        // `@links` is incomplete without a following step.
        if name == "@links" { return object(after: segments, variable) != nil }
        let step = Path.Segment(kind, range: SourceRange(0..<0))
        return resolver(segments + [step], variable) != nil
    }

    /// Returns whether a property fits the comparison or leads to further steps.
    private func fits(
        _ candidate: Candidate, _ segments: [Path.Segment], _ variable: String?,
        _ compared: (left: Expression, by: Comparison.Operator)?
    ) -> Bool {
        guard let compared, candidate.append != nil, let shown = candidate.shown else {
            return true
        }
        let range = SourceRange(0..<0)
        let step = Path.Segment(.name(shown), range: range)
        let path = Path(variable: variable, segments: segments + [step], range: range)
        return scope.compares(compared.left, compared.by, [.path(path)])
    }
}

extension PathResolver {
    /// Follows all steps without applying the requirements of a use.
    fileprivate mutating func follow() throws(QueryError) {
        while index < path.segments.count {
            let segment = path.segments[index]
            index += 1
            try step(segment)
        }
    }
}
