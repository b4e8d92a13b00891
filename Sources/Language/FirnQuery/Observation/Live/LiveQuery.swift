package import FirnEngine
package import FirnValues

/// The result of a query, maintained from the changes of commits.
///
///     let live = try LiveQuery(query, on: snapshot, observing: .own)
///     ...
///     let changes = try database.changes(from: snapshot, to: next)
///     let step = LiveStep(from: snapshot, to: next, by: changes)
///     if let change = try live.advance(step) { ... }
///
/// It holds row ids: at most two bytes for a member of an unsorted result, and about sixteen for a
/// member of a sorted one. It holds no snapshot, so the caller retains the current one until the
/// query has advanced. One step may span several commits, which gives one change.
///
/// It must be used by one thread at a time. If ``advance(_:)`` throws, the caller must create
/// another live query.
package final class LiveQuery {
    let plan: LivePlan
    let source: LiveSource
    /// The properties that determine the members and their order.
    let watched: WatchedGraph
    /// The properties that make members modified; `nil` if there are none.
    let observed: WatchedGraph?
    /// The members, if the result is maintained by members or by order.
    var members = CountedRows()
    /// The sorted rows, if the result is maintained by order.
    var order = OrderedRows()
    /// The rows, if the query is run again.
    var list: [RowID] = []
    /// The sort keys that are compared repeatedly, if the result is maintained by order.
    let knownKeys = KnownKeys()
    /// The number of times the query was run again, which normally only a schema change requires.
    private(set) var restartCount = 0
    /// Whether the query is bound to an outdated schema, so that it cannot share reads.
    private var isAlone: Bool

    /// Runs the query.
    ///
    /// - Parameters:
    ///   - query: the query. Stages that deliver values (`project`, `count`, `@sum`) are ignored:
    ///     the result consists of the objects that the values belong to.
    ///   - snapshot: the version of the result.
    ///   - source: the objects to query. Other objects of the class are ignored.
    ///   - observing: the changes that count as a modification of a member.
    /// - Throws: ``QueryFailure`` if the rows of the query are not objects (`group`), or if the
    ///   store cannot be read.
    /// - Complexity: that of the query
    package init(
        _ query: BoundQuery, on snapshot: DatabaseSnapshot, among source: LiveSource = .objects,
        observing: ObservedPaths
    ) throws(QueryFailure) {
        plan = try QueryFailure.binding(LivePlan(query, source))
        self.source = source
        let schema = snapshot.schema
        isAlone = schema[query.classSchema.id] != query.classSchema
        let dependencies = plan.query.stages.reduce(into: StageDependencies()) { $0.add($1) }
        watched = WatchedGraph(
            of: query.classSchema, dependencies.predicates, dependencies.expressions, in: schema)
        observed = WatchedGraph(observing, of: query.classSchema, in: schema)
        try QueryFailure.converting(restart(on: snapshot))
    }

    /// The method by which the result is maintained, for `explain`.
    package var maintenance: LiveMaintenance { plan.maintenance }

    /// The class of the objects.
    package var classSchema: ClassSchema { plan.query.classSchema }

    /// The number of objects in the result.
    ///
    /// - Complexity: O(1)
    package var count: Int { window.count }

    /// Returns the objects at a range of positions of the result.
    ///
    /// - Parameter range: a range within ``count``.
    /// - Complexity: O(log n + length of the range)
    package func rowIDs(_ range: Range<Int>) -> [RowID] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "positions of no result")
        let start = window.lowerBound
        return rows(start + range.lowerBound..<start + range.upperBound)
    }

    /// Advances the result to another version.
    ///
    /// - Parameter step: a step from the version of the result. If the schema changes in the step,
    ///   the query is run again as it is bound. If its text has another meaning in the new schema,
    ///   the caller creates another live query.
    /// - Returns: the change of the result; `nil` if no observed change occurred.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: as ``maintenance`` describes; O(1) if the step touched nothing that the query
    ///   depends on
    package func advance(_ step: LiveStep) throws(QueryFailure) -> LiveChange? {
        try QueryFailure.converting { () throws(StoreError) in
            if step.changes.schemaChanged { isAlone = true }
            let step = isAlone ? step.alone : step
            let change =
                if step.changes.schemaChanged {
                    try startAgain(step)
                } else {
                    switch plan.base {
                    case .members: try advanceMembers(step)
                    case .order: try advanceOrder(step)
                    case .list: try advanceList(step)
                    }
                }
            return change.flatMap { $0.changes.isEmpty ? nil : $0 }
        }
    }

    /// Returns the changes to the class of the query.
    func written(_ step: LiveStep) -> ClassChanges? { step.changes.classes[classSchema.id] }

    // MARK: Stored rows

    /// The range of the result among the stored rows.
    var window: Range<Int> {
        plan.base == .list ? 0..<list.count : plan.window(of: members.count)
    }

    /// Returns a range of the stored rows.
    func rows(_ range: Range<Int>) -> [RowID] {
        switch plan.base {
        case .members: members.rows(range)
        case .order: order.rows(range)
        case .list: Array(list[range])
        }
    }

    /// Runs the query again and compares the results.
    func startAgain(_ step: LiveStep) throws(StoreError) -> LiveChange? {
        let before = rows(window)
        restartCount += 1
        try restart(on: step.new)
        return difference(from: before, to: rows(window), try step.affected(observed), step)
    }

    /// Returns the difference between two results.
    func difference(
        from old: [RowID], to new: [RowID], _ modified: [RowID: PropertySet], _ step: LiveStep
    ) -> LiveChange {
        let changes = ChangeSet.difference(from: old, to: new) { modified[$0] != nil }
        return LiveChange(changes, from: old, to: new, modified, written(step))
    }
}

/// The conditions and values that the stages of a query depend on.
private struct StageDependencies {
    var predicates: [BoundPredicate] = []
    var expressions: [BoundExpression] = []

    mutating func add(_ stage: BoundStage) {
        switch stage {
        case .filter(let predicate): predicates.append(predicate)
        case .sort(let keys): expressions += keys.map(\.expression)
        case .distinct(let keys), .limitEach(_, let keys): expressions += keys
        case .join, .window, .unnest, .filterAmong, .limit, .skip, .first, .last, .project,
            .aggregate,
            .group, .count, .exists, .pivot, .chart:
            break
        }
    }
}
