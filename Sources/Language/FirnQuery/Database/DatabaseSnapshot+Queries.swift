import FirnCodec
import FirnEngine
import FirnSyntax
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
    ///   - clock: returns a time in nanoseconds, to measure the operators; `nil` measures nothing.
    ///   - isStopped: returns whether to cancel. It is called before each page is read.
    /// - Throws: ``QueryFailure`` with a position in the text, or if the store cannot be read.
    package func query(
        _ text: String, defaultClass: String? = nil, arguments: QueryArguments = [:],
        positional: [Value] = [], explaining: Bool = false,
        measuringBy clock: (() -> UInt64)? = nil, isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        let bound = try bound(
            text, defaultClass: defaultClass, arguments: arguments, positional: positional)
        return try rows(
            bound, explaining: explaining, measuringBy: clock, isStopped: isStopped)
    }

    /// Parses and binds a query.
    ///
    /// - Parameters: as in
    ///   ``query(_:defaultClass:arguments:positional:explaining:measuringBy:isStopped:)``.
    /// - Throws: ``QueryFailure`` with a position in the text.
    package func bound(
        _ text: String, defaultClass: String? = nil, arguments: QueryArguments = [:],
        positional: [Value] = []
    ) throws(QueryFailure) -> BoundQuery {
        let context = BindingContext(
            schema: schema, defaultClass: defaultClass, arguments: arguments,
            positional: positional, now: now)
        return try QueryFailure.binding(BoundQuery(text, entry: .pipeline, in: context))
    }

    /// Plans a bound query.
    ///
    /// Rows are computed on demand.
    ///
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func rows(
        _ query: BoundQuery, explaining: Bool = false,
        measuringBy clock: (() -> UInt64)? = nil, isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        let explains = explaining || query.explain
        if !explains, clock == nil, let few = try QueryFailure.converting(pointRows(query)) {
            return few
        }
        let execution = try QueryFailure.converting(
            Execution(
                query, on: snapshot, meters: clock.map(OperatorMeters.init),
                isStopped: isStopped))
        if explains { return try QueryFailure.converting(ExplanationRows(execution)) }
        return try execution.rows()
    }

    /// Returns the rows of a query that an equality decides; `nil` for any other query.
    private func pointRows(_ query: BoundQuery) throws(StoreError) -> PointQueryRows? {
        guard let lookup = PointLookup(query),
            PointQueryRows.delivers(lookup.rest, of: query.classSchema),
            let rows = try lookup.rows(in: snapshot)
        else { return nil }
        return try PointQueryRows(lookup.rest, of: query.classSchema, rows, in: snapshot)
    }
}

/// Queries whose results are objects rather than values.
extension DatabaseSnapshot {
    /// Returns the values of the given objects, column by column.
    ///
    /// - Parameters:
    ///   - query: a query without a group.
    ///   - candidates: the objects of its class to process, as in ``rowIDs(_:among:)``.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func rows(
        _ query: BoundQuery, among candidates: [RowID]
    ) throws(QueryFailure) -> any ResultRows {
        let few = try QueryFailure.converting(
            PointQueryRows(query.stages[...], of: query.classSchema, candidates, in: snapshot))
        if let few { return few }
        let execution = try QueryFailure.converting(
            Execution(query, on: snapshot, among: candidates))
        return try execution.rows()
    }

    /// Returns the position of an object in a query's result, if it can be found without computing
    /// the result, because the query sorts all objects of the class in the order of an index.
    ///
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: O(log objects)
    package func position(of row: RowID, in query: BoundQuery) throws(QueryFailure) -> Int? {
        guard query.stages.count == 1, case .sort(let keys)? = query.stages.first,
            let table = snapshot.table(query.classSchema.id)
        else { return nil }
        return try QueryFailure.converting(
            OrderedAccess.position(of: row, sortedBy: keys, in: table))
    }

    /// Returns the row ids of the objects in a query's result, in its order.
    ///
    /// - Parameters:
    ///   - query: a query without a stage that yields values (`select`, `group`, `count`).
    ///   - candidates: the objects of its class to process, in their initial order. An object may
    ///     occur several times; objects that do not exist are ignored. `nil` means all objects.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: O(objects that the query reads)
    package func rowIDs(
        _ query: BoundQuery, among candidates: [RowID]? = nil
    ) throws(QueryFailure) -> [RowID] {
        try QueryFailure.converting { () throws(StoreError) in
            if candidates == nil, let lookup = PointLookup(query), lookup.rest.isEmpty,
                let rows = try lookup.rows(in: snapshot)
            {
                return rows
            }
            let execution = try Execution(query, on: snapshot, among: candidates)
            if let rows = execution.foundRows { return rows }
            let (stream, evaluator) = execution.stream()
            var rows: [RowID] = []
            while let batch = try stream.next() {
                let source = evaluator.source
                let ids =
                    switch batch {
                    case .run(let run): try source.rowIDs(of: .group(run.group, run.rows))
                    case .scattered(let references):
                        try source.rowIDs(of: BatchRows(references))
                    }
                rows.reserveCapacity(rows.count + ids.count)
                for row in 0..<ids.count { rows.append(RowID(UInt64(bitPattern: ids.ints[row]))) }
            }
            return rows
        }
    }
}
