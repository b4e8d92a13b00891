import FirnEngine
import FirnSyntax
import FirnValues

/// The meaning of an index once its argument is known.
enum IndexStep {
    case all
    case size
    /// `["@keys"]` or `["@values"]`, which are equivalent to the forms without brackets.
    case attribute(String)
    case inner(BoundPath.Inner)
}

extension Binder {
    /// Returns the value of `$name`.
    func argument(_ name: String, _ range: SourceRange) throws(QueryError) -> Value {
        if let value = context.arguments[name] { return value }
        if let number = Int(name), context.positional.indices.contains(number) {
            return context.positional[number]
        }
        throw missingArgument("$\(name.shortened)", flag: name, range)
    }

    /// Returns the value of `%@` or `%K`.
    func placeholder(_ number: Int, _ range: SourceRange) throws(QueryError) -> Value {
        if context.positional.indices.contains(number) { return context.positional[number] }
        if let value = context.arguments[String(number)] { return value }
        throw missingArgument("\(typed(range)) number \(number)", flag: String(number), range)
    }

    private func missingArgument(
        _ what: String, flag: String, _ range: SourceRange
    ) -> QueryError {
        QueryError(
            .missingParameter, "no value for the argument \(what)", at: range.bytes,
            hint: "add -p \(flag.shortened)=TEXT")
    }

    /// Converts an argument to an operand: a value, or a list of values.
    ///
    /// - Parameter isTyped: whether the argument has the type that a program gave it. Numbers that
    ///   a person entered are literals.
    func operand(
        ofArgument value: Value, _ range: SourceRange, isTyped: Bool = true
    ) throws(QueryError) -> Operand {
        let values: [Value]
        switch value {
        case .list(let elements), .set(let elements): values = elements
        case .map: throw typeError("a map cannot be an argument", range)
        // A float is compared by its exact value.
        case .float(let number): return .constant(.double(Double(number)))
        case .double(let number) where !isTyped && number.isFinite:
            return .number(
                NumberLiteral(double: number, decimal: Decimal128(shortest: number)))
        case .decimal128(let number) where !isTyped && number.isFinite:
            return .number(NumberLiteral(double: number.nearestDouble, decimal: number))
        default: return .constant(value)
        }
        guard values.count <= QueryLimits.listElementsMax else {
            throw limitError(
                "the list \(typed(range).shortened) has more than "
                    + "\(QueryLimits.listElementsMax) elements", range)
        }
        var elements: [ListElement] = []
        elements.reserveCapacity(values.count)
        for value in values {
            let operand = try operand(ofArgument: value, range, isTyped: isTyped)
            if case .list = operand {
                throw typeError("a list of lists is not a constant", range)
            }
            elements.append(ListElement(operand: operand, range: range))
        }
        return .list(elements)
    }

    // MARK: Arguments inside paths

    /// Returns the path with each `%K` replaced by the path in its argument.
    func expanded(_ path: Path) throws(QueryError) -> Path {
        let hasPlaceholder = path.segments.contains { segment in
            if case .placeholder = segment.kind { true } else { false }
        }
        guard hasPlaceholder else { return path }
        var segments: [Path.Segment] = []
        for segment in path.segments {
            guard case .placeholder(let number) = segment.kind else {
                segments.append(segment)
                continue
            }
            guard case .string(let text) = try placeholder(number, segment.range) else {
                throw typeError("%K needs a path as a string", segment.range)
            }
            segments += try keyPath(text, segment.range)
        }
        return Path(variable: path.variable, segments: segments, range: path.range)
    }

    /// Parses the segments of a path in an argument.
    ///
    /// All of them get the range of the argument.
    private func keyPath(
        _ text: String, _ range: SourceRange
    ) throws(QueryError) -> [Path.Segment] {
        do {
            var parser = try Parser(text, entry: .predicate)
            let path = try parser.parsePath("a property")
            if parser.peek().kind == .end, path.variable == nil {
                let isNested = path.segments.contains { segment in
                    switch segment.kind {
                    case .placeholder, .index(.placeholder): true
                    default: false
                    }
                }
                if !isNested { return path.segments.map { Path.Segment($0.kind, range: range) } }
            }
        } catch { _ = error }
        throw typeError(
            "\(Canonical.literal(.string(text), scalarsMax: 40)) is not a path", range)
    }

    /// Resolves the index in brackets, including its argument.
    func step(_ index: Path.Index, _ range: SourceRange) throws(QueryError) -> IndexStep {
        let value: Value
        switch index {
        case .all: return .all
        case .size: return .size
        case .first: return .inner(.first)
        case .last: return .inner(.last)
        case .position(let position): value = .int(position)
        case .key(let key): value = .string(key)
        case .argument(let name): value = try argument(name, range)
        case .placeholder(let number): value = try placeholder(number, range)
        }
        switch value {
        case .string(let key) where key == "@keys" || key == "@values": return .attribute(key)
        case .string(let key): return .inner(.key(key))
        case .int(let number):
            guard let position = Int(exactly: number), position >= 0 else {
                throw typeError("a position is at least 0", range)
            }
            return .inner(.index(position))
        default:
            throw typeError(
                "an index is a whole number or a string, not \(value.tag.name)", range)
        }
    }
}
