import FirnEngine
import FirnValues

/// One side of a comparison.
enum BoundOperand {
    case column(BoundColumn)
    case constant(Value)
    /// Each element with its place in the text.
    case list([(value: Value, range: SourceRange)])
}

extension Binder {
    /// A side of a comparison, with constants computed.
    func operand(_ expression: Expression) throws(QueryError) -> BoundOperand {
        switch expression {
        case .path(let path): return .column(try column(path))
        case .list(let elements, let range):
            return .list(try listElements(elements, range))
        case .argument(let name, let range): return try argument(name, range)
        case .quantified(let quantifier, let inner, let range):
            throw quantifierError(quantifier, inner, range)
        case .subquery(let subquery): throw unsupported("SUBQUERY", subquery.range)
        case .literal, .call, .arithmetic, .negation:
            return .constant(try constant(expression))
        }
    }

    /// The value of `$name`.
    private func argument(_ name: String, _ range: SourceRange) throws(QueryError) -> BoundOperand {
        guard let value = context.arguments[name] else {
            throw QueryError(
                .missingParameter, "no value for the argument $\(name.shortened)",
                at: range.bytes, hint: "add -p \(name.shortened)=TEXT")
        }
        guard case .list(let values) = value else { return .constant(value) }
        guard values.count <= QueryLimits.listElementsMax else {
            throw QueryError(
                .limit,
                "the list $\(name) has more than \(QueryLimits.listElementsMax) elements",
                at: range.bytes)
        }
        return .list(values.map { ($0, range) })
    }

    private func listElements(
        _ elements: [Expression], _ range: SourceRange
    ) throws(QueryError) -> [(value: Value, range: SourceRange)] {
        var result: [(value: Value, range: SourceRange)] = []
        result.reserveCapacity(elements.count)
        for element in elements {
            if case .path(let path) = element {
                throw typeError(
                    "a list holds constants only", path.range,
                    hint: "put strings in quotes")
            }
            guard case .constant(let value) = try operand(element) else {
                throw typeError("a list holds constants only", element.range)
            }
            result.append((value, element.range))
        }
        return result
    }

    private func quantifierError(
        _ quantifier: Quantifier, _ inner: Expression, _ range: SourceRange
    ) -> QueryError {
        if case .path(let path) = inner, path.segments.count == 1 {
            do {
                let column = try column(path)
                return typeError(
                    "\(quantifier.rawValue) needs a collection, not \(describe(column))", range)
            } catch { return error }
        }
        return unsupported(quantifier.rawValue, range)
    }
}
