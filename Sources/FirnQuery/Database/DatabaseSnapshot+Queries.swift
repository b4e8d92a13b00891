import FirnEngine
package import FirnValues

extension DatabaseSnapshot {
    /// Reads, binds and plans a query; rows are computed as they are asked for.
    ///
    /// - Parameters:
    ///   - text: a pipeline, such as `Flight dep_delay > 60 SORT(dep_delay DESC) LIMIT(10)`.
    ///   - defaultClass: the class of a text that names none.
    ///   - arguments: the values of `$name`.
    ///   - positional: the values of `%@` and `%K` in their order, which `$0`, `$1` name, too.
    ///   - explaining: whether the plan is wanted instead of the rows, as `| explain` asks.
    ///   - isStopped: asked before each page that is read, whether to give up.
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

    /// Plans a bound query; rows are computed as they are asked for.
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
