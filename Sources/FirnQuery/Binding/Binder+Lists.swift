import FirnCodec
import FirnValues

extension Binder {
    /// Binds `IN {...}`.
    func membership(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        let right = try operand(comparison.right)
        guard case .list(let elements) = right else {
            throw typeError(
                "IN needs a list on its right", comparison.right.range,
                hint: "such as {1, 2}")
        }
        let column = try listedColumn(comparison)
        let options = try textOptions(comparison, of: column)
        var seen: Set<Value> = []
        var values: [Value] = []
        for element in elements {
            let value =
                element.value == .null
                ? .null : try converted(element.value, for: column, element.range)
            if seen.insert(value).inserted { values.append(value) }
        }
        if values.isEmpty { return .always(false) }
        if options.isEmpty { return .test(column, .oneOf(values)) }
        let tests = values.map { value -> BoundPredicate in
            guard case .string(let string) = value else { return .test(column, .isNull) }
            return .test(column, .text(TextPattern(.equal, string, options)))
        }
        return BoundPredicate.joined(tests, isAnd: false)
    }

    /// `BETWEEN {a, b}`, both ends included.
    func interval(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        let right = try operand(comparison.right)
        guard case .list(let elements) = right, elements.count == 2 else {
            var found = ""
            if case .list(let elements) = right { found = ", not \(elements.count)" }
            throw typeError(
                "BETWEEN needs a list of two values\(found)", comparison.right.range,
                hint: "such as {1, 10}")
        }
        let column = try listedColumn(comparison)
        _ = try textOptions(comparison, of: column)
        for element in elements where element.value == .null {
            throw typeError("null has no place in an order", element.range)
        }
        return .test(
            column,
            .between(
                try converted(elements[0].value, for: column, elements[0].range),
                try converted(elements[1].value, for: column, elements[1].range)))
    }

    /// The property on the left of a list.
    private func listedColumn(_ comparison: Comparison) throws(QueryError) -> BoundColumn {
        switch try operand(comparison.left) {
        case .column(let column): return column
        case .constant: throw constantsError(comparison)
        case .list:
            throw typeError(
                "\(comparison.operator.rawValue) needs a property on its left",
                comparison.left.range)
        }
    }
}
