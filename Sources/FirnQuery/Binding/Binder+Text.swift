import FirnCodec
import FirnValues

extension Binder {
    /// BEGINSWITH, ENDSWITH, CONTAINS and LIKE.
    func textComparison(
        _ comparison: Comparison, _ kind: TextPattern.Kind
    ) throws(QueryError) -> BoundPredicate {
        let column = try stringColumn(comparison, kind)
        let options = try textOptions(comparison, of: column)
        switch try operand(comparison.right) {
        case .column:
            throw unsupported("\(kind.rawValue) between two properties", comparison.range)
        case .list:
            throw typeError("a list can only stand behind IN or BETWEEN", comparison.right.range)
        case .constant(.null): return kind == .like ? .test(column, .isNull) : .always(false)
        case .constant(.string(let pattern)):
            // As in NSPredicate, nothing begins with, ends with or contains an empty string.
            if pattern.isEmpty, kind != .like { return .always(false) }
            try checkLength(pattern, kind, comparison.right.range)
            return .test(column, .text(TextPattern(kind, pattern, options)))
        case .constant(let value):
            throw typeError(
                "\(kind.rawValue) needs a string, not "
                    + "\(value.tag.name) \(Canonical.literal(value, scalarsMax: 40))",
                comparison.right.range)
        }
    }

    private func stringColumn(
        _ comparison: Comparison, _ kind: TextPattern.Kind
    ) throws(QueryError) -> BoundColumn {
        guard case .column(let column) = try operand(comparison.left) else {
            if case .constant = try operand(comparison.right) { throw constantsError(comparison) }
            throw typeError(
                "\(kind.rawValue) needs a property on its left", comparison.left.range)
        }
        guard column.type.base == .string else {
            throw typeError(
                "\(kind.rawValue) is for strings, not for \(describe(column))",
                comparison.operatorRange)
        }
        return column
    }

    private func checkLength(
        _ pattern: String, _ kind: TextPattern.Kind, _ range: SourceRange
    ) throws(QueryError) {
        guard kind == .like, pattern.utf8.count > QueryLimits.patternScalarsMax,
            pattern.unicodeScalars.count > QueryLimits.patternScalarsMax
        else { return }
        throw QueryError(
            .limit, "the pattern has more than \(QueryLimits.patternScalarsMax) characters",
            at: range.bytes)
    }
}
