import FirnValues
import HashTreeCollections

/// New values of properties that affect nothing else, gathered so that all of them are applied to
/// the row groups at once.
///
/// The former values are not compared: the original transaction did so, and storing an equal value
/// again does no harm.
struct ReplayBatch {
    struct Change {
        let row: RowID
        let value: Value
        let origin: Replay.Origin
    }

    /// The changes to one property.
    struct Column {
        let plan: ClassWriteCache
        /// The index of the property in the schema of the class.
        let index: Int
        fileprivate(set) var changes: [Change] = []
        fileprivate var isAscending = true
        fileprivate var lastRow = RowID(0)

        var property: PropertySchema { plan.schema.properties[index] }

        fileprivate mutating func append(_ change: Change) {
            if change.row < lastRow { isAscending = false }
            lastRow = change.row
            changes.append(change)
        }

        /// The indices of the changes sorted by row; changes to the same row keep their order.
        fileprivate var order: [UInt32] {
            isAscending
                ? Array(0..<UInt32(changes.count)) : RowOrder.ascending(changes.map(\.row.rawValue))
        }
    }

    private var columns: [Column] = []
    /// The column that was changed last, and the rule for values that it accepts directly.
    private var recent = 0
    private(set) var recentIDs: (classID: ClassID, property: PropertyID)?
    private var recentRule: ClassWriteCache.Rule?

    var isEmpty: Bool { columns.isEmpty }

    /// Whether another value of the property that was changed last can be appended unchanged.
    func takes(_ value: Value) -> Bool { recentRule?.admits(value) == true }

    /// Selects the property to which changes are appended.
    mutating func select(_ index: Int, _ plan: ClassWriteCache) {
        if let known = columns.firstIndex(where: { $0.plan === plan && $0.index == index }) {
            recent = known
        } else {
            recent = columns.count
            columns.append(Column(plan: plan, index: index))
        }
        recentIDs = (plan.schema.id, plan.schema.properties[index].id)
        recentRule = plan.rules[index]
    }

    mutating func append(_ change: Change) { columns[recent].append(change) }

    /// Removes and returns all changes, by property.
    mutating func removeAll() -> [Column] {
        defer { self = ReplayBatch() }
        return columns
    }
}

/// A search for row groups of the root whose rows all exist and are at the indices that their
/// identities imply, for ascending rows.
private struct WholeGroups {
    private let table: Table
    /// The groups of the leaf that was read last.
    private var ranges: [RowRange] = []
    /// The first row that is not in the root.
    private let end: RowID

    init(_ table: Table) {
        self.table = table
        end = table.overlay?.appended.first?.firstRowID ?? RowID(.max)
    }

    /// - Returns: `nil` if there is no such group; the objects are then located one by one.
    mutating func range(of row: RowID) throws(StoreError) -> RowRange? {
        guard row < end else { return nil }
        if let range = knownRange(of: row) { return whole(range) }
        ranges = try table.directory.ranges(near: row)
        return knownRange(of: row).flatMap { whole($0) }
    }

    private func knownRange(of row: RowID) -> RowRange? {
        guard let index = Bisection.lastIndex(in: ranges, { $0.firstRowID <= row }),
            ranges[index].contains(row)
        else { return nil }
        return ranges[index]
    }

    private func whole(_ range: RowRange) -> RowRange? {
        let deleted = table.overlay?.patches[range.firstRowID]?.deleted
        return range.isWhole && deleted?.isEmpty ?? true ? range : nil
    }
}

/// The new values of a property by row group: one run of entries, divided into a slice for each
/// group.
private struct ValueRuns {
    private(set) var entries: [RowMap<Value>.Entry] = []
    private(set) var groups: [(first: RowID, entries: Range<Int>)] = []

    /// - Parameter count: The maximum number of entries.
    init(reserving count: Int) { entries.reserveCapacity(count) }

    mutating func begin(_ group: RowID) { groups.append((group, entries.count..<entries.count)) }

    /// Appends a value; of several consecutive values of one row, the last one is kept.
    mutating func append(_ value: Value, at row: Int) {
        let entry = RowMap.Entry(row: UInt32(row), element: value)
        let last = groups.count - 1
        if let end = groups[last].entries.last, entries[end].row == entry.row {
            entries[end] = entry
        } else {
            entries.append(entry)
            groups[last].entries = groups[last].entries.lowerBound..<entries.count
        }
    }
}

extension WriteTransaction {
    /// Applies the changes to a property to the row groups.
    ///
    /// - Parameter blamed: The index of the rejected change, if one was rejected.
    /// - Complexity: O(changes + row groups that they reach)
    func apply(_ column: ReplayBatch.Column, blamed: inout Int) throws(StoreError) {
        // The views have been released here, so no patch is copied because it is shared.
        let runs = try runs(of: column, &blamed)
        let property = column.property.id
        overlay.change(column.plan.schema.id) { changes in
            for (first, entries) in runs.groups {
                changes.patches[first, default: GroupPatch()].merge(
                    runs.entries[entries], of: property)
            }
        }
    }

    private func runs(
        of column: ReplayBatch.Column, _ blamed: inout Int
    ) throws(StoreError) -> ValueRuns {
        let table = sealedTable(column.plan)
        var groups = WholeGroups(table)
        let order = column.order
        var runs = ValueRuns(reserving: order.count)
        var index = 0
        while index < order.count {
            blamed = Int(order[index])
            let row = column.changes[blamed].row
            if let range = try groups.range(of: row) {
                runs.begin(range.firstRowID)
                let (start, count) = (range.firstRowID.rawValue, UInt64(range.rowCount))
                while index < order.count {
                    let change = Int(order[index])
                    let offset = column.changes[change].row.rawValue &- start
                    guard offset < count else { break }
                    runs.append(column.changes[change].value, at: Int(offset))
                    index += 1
                }
                continue
            }
            guard let (group, rowIndex) = try table.locate(row) else {
                throw unknownObject(row, column.plan.schema)
            }
            runs.begin(group.firstRowID)
            runs.append(column.changes[blamed].value, at: rowIndex)
            index += 1
            try appendRun(column, order, &index, &blamed, in: group, to: &runs)
        }
        return runs
    }

    /// Appends the changes to a row group in which some rows are missing, up to the first change to
    /// another group.
    private func appendRun(
        _ column: ReplayBatch.Column, _ order: [UInt32], _ index: inout Int,
        _ blamed: inout Int, in group: RowGroupView, to runs: inout ValueRuns
    ) throws(StoreError) {
        while index < order.count {
            blamed = Int(order[index])
            let row = column.changes[blamed].row
            guard let rowIndex = try group.index(of: row) else { return }
            guard try group.isLive(rowIndex) else { throw unknownObject(row, column.plan.schema) }
            runs.append(column.changes[blamed].value, at: rowIndex)
            index += 1
        }
    }
}
