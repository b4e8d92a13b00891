package import FirnEngine
package import FirnValues

/// The result of a query, kept up to date from what commits changed.
///
///     let live = try LiveQuery(query, on: snapshot, observing: .own)
///     ...
///     let changes = try database.changes(from: snapshot, to: next)
///     let step = LiveStep(from: snapshot, to: next, by: changes)
///     if let change = try live.advance(step) { ... }
///
/// It holds row ids, at most two bytes for a member of an unsorted result and about sixteen for one
/// of a sorted result, and no snapshot: the caller keeps the one that it is at until it has advanced.
/// Several commits may be advanced over at once, which gives one change.
///
/// Belongs to one thread at a time. After ``advance(_:)`` has thrown it is to be made anew.
package final class LiveQuery {
    let plan: LivePlan
    let source: LiveSource
    /// What decides who is a member, and where.
    let watched: WatchedGraph
    /// What makes members modified; `nil` if nothing does.
    let observed: WatchedGraph?
    /// Of a result that is kept by members or by order.
    var members = CountedRows()
    /// Of a result that is kept by order.
    var order = OrderedRows()
    /// Of a result that is run again.
    var list: [RowID] = []
    /// Of a result that is kept by order: keys that are compared with again and again.
    let knownKeys = KnownKeys()
    /// How often everything had to be found anew, which only a change of the schema demands.
    private(set) var restartCount = 0
    /// Whether it is bound to a schema that others are not bound to any more: then it reads by itself.
    private var isAlone: Bool

    /// Runs the query.
    ///
    /// - Parameters:
    ///   - query: values that it would deliver (`project`, `count`, `@sum`) are ignored: the result
    ///     is the objects that they are of.
    ///   - snapshot: the version that the result is of.
    ///   - source: what it is asked of; other objects than those of the class of the query do not
    ///     exist for it.
    ///   - observing: what counts as a modification of a member.
    /// - Throws: ``QueryFailure`` if the rows of the query are no objects (`group`), or if the store
    ///   cannot be read.
    /// - Complexity: that of the query
    package init(
        _ query: BoundQuery, on snapshot: DatabaseSnapshot, among source: LiveSource = .objects,
        observing: ObservedPaths
    ) throws(QueryFailure) {
        do throws(QueryError) {
            plan = try LivePlan(query, source)
        } catch {
            throw .query(error)
        }
        self.source = source
        let schema = snapshot.schema
        isAlone = schema[query.classSchema.id] != query.classSchema
        let dependencies = plan.query.stages.reduce(into: StageDependencies()) { $0.add($1) }
        watched = WatchedGraph(
            of: query.classSchema, dependencies.predicates, dependencies.expressions, in: schema)
        observed = WatchedGraph(observing, of: query.classSchema, in: schema)
        try QueryFailure.storing { () throws(StoreError) in try restart(on: snapshot) }
    }

    /// How the result follows changes, for `explain`.
    package var maintenance: LiveMaintenance { plan.maintenance }

    /// The class of the objects.
    package var classSchema: ClassSchema { plan.query.classSchema }

    /// How many objects the result has.
    ///
    /// - Complexity: O(1)
    package var count: Int { window.count }

    /// The objects at some positions of the result.
    ///
    /// - Parameter range: within ``count``.
    /// - Complexity: O(log n + length of the range)
    package func rowIDs(_ range: Range<Int>) -> [RowID] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "positions of no result")
        let start = window.lowerBound
        return rows(start + range.lowerBound..<start + range.upperBound)
    }

    /// Brings the result to another version.
    ///
    /// - Parameter step: from the version that the result is of. If the schema changes in it, the
    ///   query is run again as it is bound; the caller makes a new live query if its text means
    ///   something else now.
    /// - Returns: how the result changed; `nil` if nothing that is observed did.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: as ``maintenance`` says; O(1) if the step touched nothing that it depends on
    package func advance(_ step: LiveStep) throws(QueryFailure) -> LiveChange? {
        try QueryFailure.storing { () throws(StoreError) in
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

    /// What happened to the class of the query.
    func written(_ step: LiveStep) -> ClassChanges? { step.changes.classes[classSchema.id] }

    // MARK: What is kept

    /// Where the result is among the rows that are kept.
    var window: Range<Int> {
        plan.base == .list ? 0..<list.count : plan.window(of: members.count)
    }

    /// Rows among those that are kept.
    func rows(_ range: Range<Int>) -> [RowID] {
        switch plan.base {
        case .members: members.rows(range)
        case .order: order.rows(range)
        case .list: Array(list[range])
        }
    }

    /// Finds everything anew and compares.
    func startAgain(_ step: LiveStep) throws(StoreError) -> LiveChange? {
        let before = rows(window)
        restartCount += 1
        try restart(on: step.new)
        return difference(from: before, to: rows(window), try step.affected(observed), step)
    }

    /// How two results differ.
    func difference(
        from old: [RowID], to new: [RowID], _ modified: [RowID: PropertySet], _ step: LiveStep
    ) -> LiveChange {
        let changes = ChangeSet.difference(from: old, to: new) { modified[$0] != nil }
        return LiveChange(changes, from: old, to: new, modified, written(step))
    }
}

/// What the stages of a query depend on.
private struct StageDependencies {
    var predicates: [BoundPredicate] = []
    var expressions: [BoundExpression] = []

    mutating func add(_ stage: BoundStage) {
        switch stage {
        case .filter(let predicate): predicates.append(predicate)
        case .sort(let keys): expressions += keys.map(\.expression)
        case .distinct(let keys): expressions += keys
        case .limit, .skip, .first, .last, .project, .aggregate, .group, .count, .exists, .chart:
            break
        }
    }
}
