import FirnCodec
import FirnEngine
import FirnValues

extension Binder {
    func comparison(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        switch comparison.operator {
        case .equal: try order(comparison, .equal)
        case .notEqual: try order(comparison, .notEqual)
        case .less: try order(comparison, .less)
        case .lessOrEqual: try order(comparison, .lessOrEqual)
        case .greater: try order(comparison, .greater)
        case .greaterOrEqual: try order(comparison, .greaterOrEqual)
        case .beginsWith: try textComparison(comparison, .beginsWith)
        case .endsWith: try textComparison(comparison, .endsWith)
        case .contains: try textComparison(comparison, .contains)
        case .like: try textComparison(comparison, .like)
        case .oneOf: try membership(comparison)
        case .between: try interval(comparison)
        case .matches, .text, .geoWithin:
            throw unsupported(comparison.operator.rawValue, comparison.operatorRange)
        }
    }

    /// `==`, `!=`, `<`, `<=`, `>` and `>=` in both orders of the operands.
    private func order(
        _ comparison: Comparison, _ operation: ComparisonOperator
    ) throws(QueryError) -> BoundPredicate {
        let left = try operand(comparison.left)
        let right = try operand(comparison.right)
        switch (left, right) {
        case (.column(let left), .column(let right)):
            return try columns(left, operation, right, comparison)
        case (.column(let column), .constant(let value)):
            return try test(column, operation, value, comparison, comparison.right.range)
        case (.constant(let value), .column(let column)):
            return try test(column, operation.mirrored, value, comparison, comparison.left.range)
        case (.constant, .constant): throw constantsError(comparison)
        case (.list, _): throw listError(comparison.left.range)
        case (_, .list): throw listError(comparison.right.range)
        }
    }

    private func listError(_ range: SourceRange) -> QueryError {
        typeError("a list can only stand behind IN or BETWEEN", range)
    }

    /// The error for a comparison that says the same of every object.
    func constantsError(_ comparison: Comparison) -> QueryError {
        var hint: String?
        for side in [comparison.left, comparison.right] {
            guard case .literal(.value(.string(let string)), _) = side,
                classSchema.propertyNamed(string) != nil
            else { continue }
            hint = "write \(Canonical.name(string)) without quotes for the property"
        }
        return typeError("this compares two constants", comparison.range, hint: hint)
    }

    private func columns(
        _ left: BoundColumn, _ operation: ComparisonOperator, _ right: BoundColumn,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard comparison.options.isEmpty else {
            throw unsupported("[c] and [d] between two properties", comparison.operatorRange)
        }
        guard left.type.base == right.type.base || (left.isNumeric && right.isNumeric) else {
            throw typeError(
                "cannot compare \(describe(left)) with \(describe(right))", comparison.range)
        }
        return .compareColumns(left, operation, right)
    }

    private func test(
        _ column: BoundColumn, _ operation: ComparisonOperator, _ value: Value,
        _ comparison: Comparison, _ range: SourceRange
    ) throws(QueryError) -> BoundPredicate {
        let options = try textOptions(comparison, of: column)
        guard value != .null else {
            switch operation {
            case .notEqual: return .test(column, .isNotNull)
            // Null equals null, but does not come before or after anything.
            case .equal, .lessOrEqual, .greaterOrEqual: return .test(column, .isNull)
            case .less, .greater: return .always(false)
            }
        }
        let constant = try converted(value, for: column, range)
        if !options.isEmpty, case .string(let string) = constant {
            let kind: TextPattern.Kind = operation == .equal ? .equal : .notEqual
            return .test(column, .text(TextPattern(kind, string, options)))
        }
        return .test(column, .compare(operation, constant))
    }

    /// The options of an operator; only strings have any, and `<` and BETWEEN have none.
    func textOptions(
        _ comparison: Comparison, of column: BoundColumn
    ) throws(QueryError) -> TextPattern.Options {
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        if options.isEmpty { return options }
        guard column.type.base == .string else {
            throw typeError(
                "[c] and [d] are for strings, not for \(describe(column))",
                comparison.operatorRange)
        }
        switch comparison.operator {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            throw typeError(
                "\(comparison.operator.rawValue) has no [c] or [d]", comparison.operatorRange)
        default: return options
        }
    }

    // MARK: Constants of columns

    /// A constant that fits a column: numbers of any kind for numbers, a text for a Date if it
    /// is one.
    func converted(
        _ value: Value, for column: BoundColumn, _ range: SourceRange
    ) throws(QueryError) -> Value {
        switch (column.type.base, value) {
        case (.int, .int), (.int, .double), (.int, .float), (.int, .decimal128),
            (.double, .int), (.double, .double), (.double, .float), (.double, .decimal128),
            (.bool, .bool), (.string, .string), (.date, .date):
            return value
        case (.date, .string(let text)):
            if let date = Timestamp(text) { return .date(date) }
            throw typeError(
                "\(Canonical.literal(value, scalarsMax: 40)) is not a date, and "
                    + "\"\(column.name)\" is a Date property", range,
                hint: "such as 2013-01-31 or 2013-01-31T10:00:00Z")
        default: throw mismatch(column, value, range)
        }
    }

    private func mismatch(
        _ column: BoundColumn, _ value: Value, _ range: SourceRange
    ) -> QueryError {
        var hint: String?
        switch (column.type.base, value) {
        case (.string, .int), (.string, .double), (.string, .bool):
            hint = "write \"\(value)\" for a String"
        case (.int, .string(let text)), (.double, .string(let text)):
            if let number = Double(text), number.isFinite { hint = "write \(text) without quotes" }
        case (.bool, _): hint = "write true or false"
        default: break
        }
        let shown = Canonical.literal(value, scalarsMax: 40)
        return typeError(
            "cannot compare \(describe(column)) with \(value.tag.name) \(shown)", range,
            hint: hint)
    }
}

extension BoundColumn {
    var isNumeric: Bool { type.base == .int || type.base == .double }
}
