import FirnValues

/// New values of properties that nothing else depends on, in the order in which they were given,
/// until all of them are laid over the row groups at once.
///
/// Nobody looks at what an object had before: whoever made the commit did, and a value that is there
/// already can be put in its place again.
struct GatheredChanges {
    struct Change {
        let row: RowID
        let value: Value
        let origin: Replay.Origin
    }

    /// The changes of one property.
    struct Column {
        let plan: ClassPlan
        /// Of the property in the schema of the class.
        let place: Int
        fileprivate(set) var changes: [Change] = []
        fileprivate var isAscending = true

        var property: PropertySchema { plan.schema.properties[place] }

        /// The changes by row; those of one row in their order.
        fileprivate mutating func sort() {
            guard !isAscending else { return }
            changes = RowOrder.ascending(changes.map(\.row.rawValue)).map { changes[Int($0)] }
            isAscending = true
        }
    }

    private var columns: [Column] = []
    /// The column that was changed last, and what it takes without a look.
    private var recent = 0
    private var recentIDs: (ClassID, PropertyID)?
    private var recentRule: ClassPlan.Rule?

    var isEmpty: Bool { columns.isEmpty }

    /// Whether the next change can be appended as it is: it is of the property of the one before, and
    /// of a form that needs no look.
    func takes(_ property: PropertyID, of classID: ClassID, _ value: Value) -> Bool {
        guard let recentIDs, let recentRule else { return false }
        return recentIDs == (classID, property) && recentRule.admits(value)
    }

    /// Chooses the property that changes are appended to.
    mutating func select(_ place: Int, _ plan: ClassPlan) {
        if let known = columns.firstIndex(where: { $0.plan === plan && $0.place == place }) {
            recent = known
        } else {
            recent = columns.count
            columns.append(Column(plan: plan, place: place))
        }
        recentIDs = (plan.schema.id, plan.schema.properties[place].id)
        recentRule = plan.rules[place]
    }

    mutating func append(_ change: Change) {
        if let last = columns[recent].changes.last, last.row > change.row {
            columns[recent].isAscending = false
        }
        columns[recent].changes.append(change)
    }

    /// Takes all of them, by property and row.
    mutating func removeAll() -> [Column] {
        var taken = columns
        self = GatheredChanges()
        for index in taken.indices { taken[index].sort() }
        return taken
    }
}

extension WriteTransaction {
    /// Lays the changes of the next row group over it.
    ///
    /// - Parameter index: the first change; then the one behind the last that was laid over, or that
    ///   was refused.
    func layOver(
        _ column: GatheredChanges.Column, _ index: inout Int
    ) throws(StoreError) {
        let (group, run) = try nextRun(column, &index)
        let property = column.property.id
        overlay.patch(column.plan.schema.id, group) { patch in
            if !patch.edited.isEmpty {
                for (row, _) in run { patch.edited[property]?[row] = nil }
            }
            patch.values[property, default: RowMap()].merge(run)
        }
    }

    /// The changes of the row group of one of them.
    ///
    /// No view of the group is kept: it would hold the patch that is about to change.
    private func nextRun(
        _ column: GatheredChanges.Column, _ index: inout Int
    ) throws(StoreError) -> (group: RowID, run: [(row: UInt32, element: Value)]) {
        let table = sealedTable(column.plan)
        let changes = column.changes
        guard let (group, first) = try table.locate(changes[index].row) else {
            throw unknownObject(changes[index].row, column.plan.schema)
        }
        var run = [(row: UInt32(first), element: changes[index].value)]
        index += 1
        let isWhole = group.isWhole
        let (start, count) = (group.firstRowID.rawValue, UInt64(group.rowCount))
        while index < changes.count {
            let place: Int
            if isWhole {
                let offset = changes[index].row.rawValue &- start
                guard offset < count else { break }
                place = Int(offset)
            } else {
                guard let found = try group.index(of: changes[index].row) else { break }
                guard try group.isLive(found) else {
                    throw unknownObject(changes[index].row, column.plan.schema)
                }
                place = found
            }
            let row = UInt32(place)
            // Of several values of one object the last one stays.
            if run[run.count - 1].row == row { run.removeLast() }
            run.append((row, changes[index].value))
            index += 1
        }
        return (group.firstRowID, run)
    }
}
