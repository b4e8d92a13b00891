import FirnValues
import HashTreeCollections

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
        fileprivate var lastRow = RowID(0)

        var property: PropertySchema { plan.schema.properties[place] }

        fileprivate mutating func append(_ change: Change) {
            if change.row < lastRow { isAscending = false }
            lastRow = change.row
            changes.append(change)
        }

        /// The places of the changes by row, those of one row in their order.
        fileprivate var order: [UInt32] {
            isAscending
                ? Array(0..<UInt32(changes.count)) : RowOrder.ascending(changes.map(\.row.rawValue))
        }
    }

    private var columns: [Column] = []
    /// The column that was changed last, and what it takes without a look.
    private var recent = 0
    private(set) var recentIDs: (classID: ClassID, property: PropertyID)?
    private var recentRule: ClassPlan.Rule?

    var isEmpty: Bool { columns.isEmpty }

    /// Whether another value of the property that was changed last can be appended as it is.
    func takes(_ value: Value) -> Bool { recentRule?.admits(value) == true }

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

    mutating func append(_ change: Change) { columns[recent].append(change) }

    /// Takes all of them, by property.
    mutating func removeAll() -> [Column] {
        defer { self = GatheredChanges() }
        return columns
    }
}

extension WriteTransaction {
    /// The values that the rows of one group get, as a part of all that are laid over.
    private typealias Run = (group: RowID, entries: Range<Int>)

    /// Lays the changes of a property over the row groups.
    ///
    /// - Parameter blamed: the change that was refused, if one was.
    /// - Complexity: O(changes + row groups that they reach)
    func layOver(_ column: GatheredChanges.Column, blamed: inout Int) throws(StoreError) {
        let order = column.order
        var entries: [RowMap<Value>.Entry] = []
        entries.reserveCapacity(order.count)
        var runs: [Run] = []
        var index = 0
        while index < order.count {
            blamed = Int(order[index])
            let start = entries.count
            let group = try appendRun(column, order, &index, &blamed, to: &entries)
            runs.append((group, start..<entries.count))
        }
        let property = column.property.id
        overlay.change(column.plan.schema.id) { changes in
            for run in runs {
                changes.patches[run.group, default: GroupPatch()].merge(
                    entries[run.entries], of: property)
            }
        }
    }

    /// Appends the changes of the row group of one of them, up to the first of another group.
    ///
    /// No view of the group is kept: it would hold the patch that is about to change.
    private func appendRun(
        _ column: GatheredChanges.Column, _ order: [UInt32], _ index: inout Int,
        _ blamed: inout Int, to entries: inout [RowMap<Value>.Entry]
    ) throws(StoreError) -> RowID {
        let table = sealedTable(column.plan)
        let firstChange = column.changes[Int(order[index])]
        guard let (group, firstPlace) = try table.locate(firstChange.row) else {
            throw unknownObject(firstChange.row, column.plan.schema)
        }
        entries.append(RowMap.Entry(row: UInt32(firstPlace), element: firstChange.value))
        index += 1
        let isWhole = group.isWhole
        let (start, count) = (group.firstRowID.rawValue, UInt64(group.rowCount))
        while index < order.count {
            let change = column.changes[Int(order[index])]
            let place: Int
            if isWhole {
                let offset = change.row.rawValue &- start
                guard offset < count else { break }
                place = Int(offset)
            } else {
                blamed = Int(order[index])
                guard let found = try group.index(of: change.row) else { break }
                guard try group.isLive(found) else {
                    throw unknownObject(change.row, column.plan.schema)
                }
                place = found
            }
            let entry = RowMap.Entry(row: UInt32(place), element: change.value)
            // Of several values of one object the last one stays.
            if entries[entries.count - 1].row == entry.row {
                entries[entries.count - 1] = entry
            } else {
                entries.append(entry)
            }
            index += 1
        }
        return group.firstRowID
    }
}
