import FirnEngine
package import FirnValues

extension DatabaseSnapshot {
    /// Parses, binds and plans a query.
    ///
    /// Rows are computed on demand.
    ///
    /// - Parameters:
    ///   - text: a pipeline, such as `Flight dep_delay > 60 SORT(dep_delay DESC) LIMIT(10)`.
    ///   - defaultClass: the class for a text that does not name one.
    ///   - arguments: the values of `$name`.
    ///   - positional: the values of `%@` and `%K` in their order, which `$0`, `$1` also refer to.
    ///   - explaining: whether to return the plan instead of the rows, like `| explain`.
    ///   - isStopped: returns whether to cancel. It is called before each page is read.
    /// - Throws: ``QueryFailure`` with a position in the text, or if the store cannot be read.
    package func query(
        _ text: String, defaultClass: String? = nil, arguments: [String: Value] = [:],
        positional: [Value] = [], explaining: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        let context = BindingContext(
            schema: schema, defaultClass: defaultClass, arguments: arguments,
            positional: positional, now: now)
        let bound: BoundQuery
        do throws(QueryError) {
            bound = try BoundQuery(text, entry: .pipeline, in: context)
        } catch {
            throw .query(error)
        }
        return try rows(bound, explaining: explaining, isStopped: isStopped)
    }

    /// Plans a bound query.
    ///
    /// Rows are computed on demand.
    ///
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func rows(
        _ query: BoundQuery, explaining: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        try QueryFailure.storing { () throws(StoreError) in
            let execution = try Execution(query, on: snapshot, isStopped: isStopped)
            return explaining || query.explain ? try ExplanationRows(execution) : execution.rows()
        }
    }
}
