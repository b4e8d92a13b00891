import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds a path.
    func operand(_ path: Path) throws(QueryError) -> Operand {
        let path = try expanded(path)
        guard path.segments.count <= QueryLimits.pathSegmentsMax else {
            throw limitError(
                "a path has more than \(QueryLimits.pathSegmentsMax) steps", path.range)
        }
        if path.variable != variable { return try outerOperand(path) }
        if path.variable == nil {
            if let alias = try aliased(path) { return alias }
            if case .name(let name)? = path.segments.first?.kind, let join = joins[name] {
                var resolver = PathResolver(binder: self, path: path, following: join)
                return try resolver.resolve()
            }
            if let outputs { return .single(try output(path, outputs)) }
        }
        var resolver = PathResolver(binder: self, path: path)
        return try resolver.resolve()
    }

    /// Binds a path that does not start from the object of the innermost condition.
    private func outerOperand(_ path: Path) throws(QueryError) -> Operand {
        if let name = path.variable, !outerVariables.contains(name) {
            throw QueryError(
                .unknownProperty, "no subquery declares $\(name.shortened)", at: path.range.bytes)
        }
        if let outer { return try outer.operand(path) }
        throw unsupported(
            "a path of the outer object inside of an aggregate", path.range,
            hint: "compare with it in a SUBQUERY")
    }

    /// Returns the error for a variable of an enclosing subquery, or `nil` if the name is not one.
    func outerVariable(_ name: String, _ range: SourceRange) -> QueryError? {
        guard outerVariables.contains(name) else { return nil }
        return unsupported(
            "$\(name.shortened) inside of the SUBQUERY of $\((variable ?? "").shortened)", range)
    }

    // MARK: Aliases and group columns

    /// Binds a path whose first step is a name defined by a projection.
    private func aliased(_ path: Path) throws(QueryError) -> Operand? {
        guard case .name(let name)? = path.segments.first?.kind, let alias = aliases[name] else {
            return nil
        }
        let rest = path.segments.dropFirst()
        guard let next = rest.first else { return alias.operand }
        guard let target = alias.path else {
            throw typeError(
                "\"\(name.shortened)\" is computed: nothing can follow it", next.range)
        }
        var unaliased = self
        unaliased.aliases = [:]
        return try unaliased.operand(
            Path(
                variable: target.variable, segments: target.segments + rest, range: path.range))
    }

    /// Returns the path with its aliases replaced, so that it can become an alias itself.
    func unaliased(_ path: Path) throws(QueryError) -> Path? {
        let path = try expanded(path)
        guard path.variable == nil, case .name(let name)? = path.segments.first?.kind,
            let alias = aliases[name]
        else { return path }
        guard let target = alias.path else { return nil }
        return Path(
            segments: target.segments + path.segments.dropFirst(), range: path.range)
    }

    /// Returns the group column that a path names.
    private func output(
        _ path: Path, _ outputs: [Output]
    ) throws(QueryError) -> Computed {
        let name = path.outputText
        if let output = outputs.first(where: { $0.name == name }) {
            mentioned?.mention(output.value.expression)
            return output.value
        }
        if path.segments.count > 1, case .name(let first) = path.segments[0].kind,
            outputs.contains(where: {
                $0.name == first && $0.value.isOperation
            })
        {
            throw typeError(
                "\"\(first.shortened)\" is computed: nothing can follow it",
                path.segments[1].range)
        }
        let names = outputs.map(\.name) + aliases.keys.sorted()
        let nearest = NearestNames.find(name, among: names)
        throw QueryError(
            .unknownProperty,
            "no column \"\(name.shortened)\" in the "
                + (mentioned == nil ? "result of the group" : "rows of each"),
            at: path.range.bytes, hint: nearest.first.map { "did you mean \"\($0)\"?" },
            suggestions: nearest,
            notes: ["columns: " + names.map { Canonical.name($0) }.joined(separator: " · ")])
    }

    // MARK: Errors

    /// Returns the error for an unknown property, with the properties that exist.
    func unknownProperty(
        _ name: String, in owner: ClassSchema, _ range: SourceRange, isFirst: Bool, isWhole: Bool
    ) -> QueryError {
        let names = owner.properties.map(\.name) + owner.inverses.map(\.name)
        var nearest = NearestNames.find(name, among: names)
        var hint = nearest.first.map { "did you mean \"\($0)\"?" }
        if nearest.isEmpty, isFirst {
            if name == owner.name, !isWhole { hint = "leave out the name of the class" }
            if isWhole {
                nearest = Parser.bareStages(near: name)
                hint = nearest.first.map { "did you mean \"| \($0)\"?" }
            }
            if Keywords.bareStages.contains(name.uppercased()), isWhole {
                hint = "did you mean \"| \(name)\"?"
            }
            if hint == nil, context.schema.classNamed(name) != nil {
                hint = "a class; link to it with: firn write FILE --link NAME=FIELD:\(name).KEY"
            }
        }
        return QueryError(
            .unknownProperty,
            "no property \"\(name.shortened)\" in class \(owner.name)", at: range.bytes,
            hint: hint, suggestions: nearest, notes: [propertiesNote(owner)])
    }

    /// Lists all properties by name with their types, and the inverses.
    private func propertiesNote(_ owner: ClassSchema) -> String {
        var shown: [(name: String, text: String)] = owner.properties.map { property in
            let isKey = property.id == owner.key
            let type = context.schema.typeName(property.type)
            return (property.name, "\(property.name) \(type)\(isKey ? " (key)" : "")")
        }
        shown += owner.inverses.map { inverse in
            let source = context.schema[inverse.sourceClass]?.name ?? "?"
            return (inverse.name, "\(inverse.name) \(source) (inverse)")
        }
        return "properties: "
            + shown.sorted { $0.name < $1.name }.map(\.text).joined(separator: " · ")
    }

    /// Returns a type without its optionality: `Int`, `Plane`, `List<Dog>`.
    func typeName(_ type: PropertyType) -> String {
        let name = context.schema.typeName(type)
        return name.hasSuffix("?") ? String(name.dropLast()) : name
    }

    /// Describes a value for error messages: `Int property "age"`.
    func describe(_ operand: Operand) -> String {
        switch operand {
        case .constant(let value):
            return "\(value.tag.name) \(Canonical.literal(value, scalarsMax: 40))"
        case .number(let number):
            return describe(.constant(number.value(for: .any) ?? .double(number.double)))
        case .duration: return "a duration"
        case .list: return "a list"
        case .object(let object): return "a \(object.target.name)"
        case .single(let computed): return describe(computed)
        case .many(let path): return "the values of \"\(path.name.shortened)\""
        case .elements(let computed):
            return "the values of \"\(computed.expression.description.shortened)\""
        case .collection(_, let whole):
            return "\(typeName(whole.type)) property \"\(whole.name.shortened)\""
        }
    }

    func describe(_ computed: Computed) -> String {
        switch computed.expression {
        case .constant(let value): return describe(.constant(value))
        case .column(.rowID): return "@id, an Int,"
        case .column(.property(let property)):
            let type = property.type.base == .int ? "Int" : typeName(property.type)
            return "\(type) property \"\(property.name)\""
        case .column(.output(_, let name, let type, _)):
            return "\(typeName(type)) column \"\(name.shortened)\""
        case .path(let path):
            return "\(typeName(path.type)) property \"\(path.name.shortened)\""
        default:
            if let output = outputs?.first(where: { $0.value.expression == computed.expression }) {
                return "\(typeName(computed.type)) column \"\(output.name.shortened)\""
            }
            return "\(typeName(computed.type)) \"\(computed.expression.description.shortened)\""
        }
    }
}

extension Path {
    /// The path in the form of a column name.
    var outputText: String { segments.map(\.outputText).joined(separator: ".") }
}

extension Path.Segment {
    /// The segment in the form of a column name.
    var outputText: String {
        switch kind {
        case .name(let name), .attribute(let name): name
        case .index, .placeholder: "[]"
        }
    }

    /// Whether ``outputText`` is unique to this step.
    var isName: Bool {
        switch kind {
        case .name, .attribute: true
        case .index, .placeholder: false
        }
    }
}
