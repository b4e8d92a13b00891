import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds `SUBQUERY(path, $variable, predicate).@count`.
    func subquery(_ subquery: Subquery) throws(QueryError) -> Computed {
        guard !variables.contains(subquery.variable) else {
            throw QueryError(
                .type,
                "a subquery around this one has the variable $\(subquery.variable.shortened)",
                at: subquery.variableRange.bytes, hint: "give this one another name")
        }
        guard variables.count < QueryLimits.subqueryNestingMax else {
            throw limitError(
                "more than \(QueryLimits.subqueryNestingMax) subqueries inside of each other",
                subquery.range)
        }
        let operand = try operand(subquery.path)
        let elements: BoundPath
        switch operand {
        case .many(let path), .collection(let path, _): elements = path
        default:
            throw typeError(
                "SUBQUERY needs a collection of objects, not \(describe(operand))",
                subquery.path.range)
        }
        guard let objects = ObjectPath(elements, in: context.schema) else {
            throw typeError(
                "SUBQUERY needs a collection of objects, not \(describe(operand))",
                subquery.path.range, hint: "compare the elements with ANY")
        }
        let binder = inside(subquery.variable, of: objects.target)
        let predicate = try binder.predicate(subquery.predicate)
        return Computed(
            .subqueryCount(objects, outer: binder.outer?.values ?? [], predicate))
    }
}
