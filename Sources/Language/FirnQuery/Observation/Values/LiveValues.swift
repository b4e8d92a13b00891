import FirnCodec
import FirnEngine
package import FirnSyntax
import FirnValues

/// The values of a query such as `Order | group(state; @count AS n)`, maintained from the changes of
/// commits.
///
/// It is used like ``LiveQuery``. Running values are kept for each group, and changed by the values
/// that the changed objects had before and have after a commit; the stages after the group are
/// applied to its rows again. Queries for which this is not possible are run again; see
/// ``maintenance``.
package final class LiveValues {
    private let plan: LiveValuesPlan
    /// The objects that the values are computed from; `nil` if the query is run again.
    private let live: LiveQuery?
    private var groups: LiveGroups?
    /// The properties that the result depends on, if the query is run again.
    private let watched: WatchedGraph
    private let isAlone: Bool
    /// The current rows.
    package private(set) var table: ValueTable
    /// The number of times the query was run again.
    package private(set) var runCount = 0

    /// The number of times a group was recomputed from its objects.
    var recomputedCount: Int { groups?.recomputedCount ?? 0 }

    /// Returns whether a query delivers values that are computed from several objects.
    package static func applies(to query: BoundQuery) -> Bool {
        LiveValuesPlan.applies(to: query)
    }

    /// Runs the query.
    ///
    /// - Throws: ``QueryFailure`` if the query delivers objects or a chart, if the result has more
    ///   than ``ValueTable/rowCountMax`` groups, if a sum of integers leaves the 64-bit range, or if
    ///   the store cannot be read.
    /// - Complexity: that of the query
    package init(_ query: BoundQuery, on snapshot: DatabaseSnapshot) throws(QueryFailure) {
        let plan = try QueryFailure.binding(LiveValuesPlan(query))
        self.plan = plan
        let schema = snapshot.schema
        isAlone = schema[query.classSchema.id] != query.classSchema
        watched = plan.watched(in: schema)
        switch plan.base {
        case .count:
            let live = try LiveQuery(plan.objects, on: snapshot, observing: .membership)
            self.live = live
            table = LiveValues.table(ofCount: live.count, plan)
        case .groups(let keys, let items):
            var groups = LiveGroups(query.classSchema, keys: keys, items: items)
            let live = try LiveQuery(
                plan.objects, on: snapshot, observing: .values(groups.expressions))
            self.live = live
            table = try QueryFailure.converting { () throws(StoreError) in
                try groups.add(plan.objects, in: snapshot)
                return try LiveValues.table(of: groups, plan, snapshot)
            }
            self.groups = groups
        case .result:
            live = nil
            table = try QueryFailure.converting(LiveValues.run(plan, on: snapshot))
        }
    }

    /// The reason why the query is run again after a commit; `nil` if it is not.
    package var reasonToRunAgain: String? {
        if case .again(let reason) = plan.maintenance { reason } else { nil }
    }

    /// The class of the objects.
    private var classSchema: ClassSchema { plan.query.classSchema }

    /// Moves to another version.
    ///
    /// - Parameter step: a step from the version of the result, in which the schema does not change.
    /// - Returns: the change of the rows; `nil` if there is none.
    /// - Throws: ``QueryFailure`` as the initializer does. The caller must then create other live
    ///   values.
    /// - Complexity: O(objects that the step touched), plus that of the stages after the group, and
    ///   plus that of the groups whose extreme value or a decimal was removed
    package func advance(_ step: LiveStep) throws(QueryFailure) -> ValueChange? {
        precondition(!step.changes.schemaChanged, "live values of another schema")
        let step = isAlone ? step.alone : step
        guard let next = try nextTable(step) else { return nil }
        let change = ValueChange(from: table, to: next)
        table = next
        return change.changes.isEmpty ? nil : change
    }

    /// Returns the rows after a step; `nil` if nothing on which they depend was touched.
    private func nextTable(_ step: LiveStep) throws(QueryFailure) -> ValueTable? {
        guard let live else {
            guard step.concerns(watched) || existenceChanges(step) else { return nil }
            runCount += 1
            return try QueryFailure.converting(LiveValues.run(plan, on: step.new))
        }
        guard let change = try live.advance(step) else { return nil }
        guard groups != nil else { return LiveValues.table(ofCount: live.count, plan) }
        let order = groups?.orderChangeCount
        return try QueryFailure.converting { () throws(StoreError) in
            try groups?.advance(change, step)
            let known = groups?.orderChangeCount == order ? table.identities : nil
            return try groups.map { groups throws(StoreError) in
                try LiveValues.table(of: groups, plan, step.new, identities: known)
            }
        }
    }

    private func existenceChanges(_ step: LiveStep) -> Bool {
        guard let changed = step.changes.classes[classSchema.id] else { return false }
        return !changed.created.isEmpty || !changed.deleted.isEmpty
    }

    // MARK: Rows

    private static func table(ofCount count: Int, _ plan: LiveValuesPlan) -> ValueTable {
        if case .exists = plan.output { return ValueTable(exists: count > 0) }
        return ValueTable(count: count)
    }

    /// Applies the stages after a group to its rows.
    ///
    /// - Parameter identities: those of the current table, if the order of the groups is the same.
    private static func table(
        of groups: LiveGroups, _ plan: LiveValuesPlan, _ snapshot: DatabaseSnapshot,
        identities: [[UInt8]]? = nil
    ) throws(StoreError) -> ValueTable {
        let path = snapshot.snapshot.path
        let columns = try groups.columns(path: path)
        let direct = ValueTable(columns, plan, snapshot.schema, identities: identities)
        if let direct { return direct }
        let reader = SnapshotReader(snapshot.snapshot)
        let source = GroupedRows(path: path, items: { () throws(StoreError) in columns })
        var evaluator = ExpressionEvaluator(source: source, reader: reader)
        var stream: any RowStream = ScanStream(PredicateEvaluator(.always(true), source, reader))
        for step in plan.steps { stream = stream.followed(by: step, &evaluator) }
        return try ValueTable(plan, stream, evaluator, snapshot.schema)
    }

    private static func run(
        _ plan: LiveValuesPlan, on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> ValueTable {
        let (stream, evaluator) = try Execution(plan.query, on: snapshot.snapshot).stream()
        return try ValueTable(plan, stream, evaluator, snapshot.schema)
    }
}

extension LiveMaintenance {
    /// Determines how the result of any query would be observed, without running it.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be observed.
    package init(ofResultOf query: BoundQuery) throws(QueryError) {
        if LiveValuesPlan.applies(to: query) {
            self = try LiveValuesPlan(query).maintenance
        } else {
            self = try LiveMaintenance(of: query)
        }
    }
}
