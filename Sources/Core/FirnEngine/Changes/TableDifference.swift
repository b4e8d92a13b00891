import FirnCodec
import FirnValues

/// A comparison of the objects of a class in two versions between which no operations are known.
///
/// Row groups that both versions share are not read.
///
/// - Complexity: O(row groups) and O(objects of the row groups that differ)
struct TableDifference {
    private let old: [RowGroupView]
    private let new: [RowGroupView]
    private let properties: [(old: PropertySchema, new: PropertySchema)]
    /// The columns of the row groups that are compared.
    private var pair: Pair?

    /// Two row groups, one of each version, that have objects in common.
    private struct Pair {
        let groups: (old: Int, new: Int)
        let old: CursorGroup
        let new: CursorGroup
        /// The properties with the same page in both groups.
        let isShared: [Bool]
    }

    /// Returns the changes of all classes between two versions.
    static func changes(
        from old: Snapshot, to new: Snapshot
    ) throws(StoreError) -> [ClassID: ClassChanges] {
        var classes: [ClassID: ClassChanges] = [:]
        for classID in Set(old.schema.classes.map(\.id)).union(new.schema.classes.map(\.id)) {
            var difference = try TableDifference(from: old.table(classID), to: new.table(classID))
            let changes = try difference.changes()
            if !changes.isEmpty { classes[classID] = changes }
        }
        return classes
    }

    private init(from old: Table?, to new: Table?) throws(StoreError) {
        let olds = try old?.rowGroups() ?? []
        let news = try new?.rowGroups() ?? []
        var unpatched: [RowID: RowGroup] = [:]
        for view in olds {
            if let group = view.unpatchedGroup { unpatched[view.firstRowID] = group }
        }
        var shared: Set<RowID> = []
        for view in news {
            if let group = view.unpatchedGroup, unpatched[view.firstRowID] == group {
                shared.insert(view.firstRowID)
            }
        }
        self.old = olds.filter { !shared.contains($0.firstRowID) }
        self.new = news.filter { !shared.contains($0.firstRowID) }
        properties = (new?.schema.properties ?? []).compactMap { property in
            old?.schema[property.id].map { ($0, property) }
        }
    }

    private mutating func changes() throws(StoreError) -> ClassChanges {
        var changes = ClassChanges()
        var olds = LiveRows(old)
        var news = LiveRows(new)
        var left = try olds.next()
        var right = try news.next()
        while left != nil || right != nil {
            if let old = left, let new = right, old.id == new.id {
                let written = try written(old, new)
                if !written.isEmpty {
                    changes.modified.append(ModifiedObject(row: old.id, properties: written))
                }
                left = try olds.next()
                right = try news.next()
            } else if let old = left, right.map({ old.id < $0.id }) ?? true {
                changes.deleted.append(old.id)
                left = try olds.next()
            } else if let new = right {
                changes.created.append(new.id)
                right = try news.next()
            }
        }
        return changes
    }

    /// Returns the properties whose values differ.
    private mutating func written(
        _ left: LiveRows.Row, _ right: LiveRows.Row
    ) throws(StoreError) -> PropertySet {
        var written = PropertySet()
        let pair = try pair(left.group, right.group)
        for slot in properties.indices where left.index != right.index || !pair.isShared[slot] {
            let before = try pair.old.value(slot, left.index)
            let after = try pair.new.value(slot, right.index)
            if before != after { written.insert(properties[slot].new.id) }
        }
        return written
    }

    private mutating func pair(_ oldIndex: Int, _ newIndex: Int) throws(StoreError) -> Pair {
        if let pair, pair.groups == (oldIndex, newIndex) { return pair }
        let made = Pair(
            groups: (oldIndex, newIndex),
            old: try CursorGroup(old[oldIndex], properties.map(\.old)),
            new: try CursorGroup(new[newIndex], properties.map(\.new)),
            isShared: properties.map { old[oldIndex].sharesColumn(of: $0.new, with: new[newIndex]) }
        )
        pair = made
        return made
    }
}

extension RowGroupView {
    /// The row group on disk, if the overlay does not change it.
    fileprivate var unpatchedGroup: RowGroup? {
        guard patch == nil, case .stored(let group) = source else { return nil }
        return group
    }

    /// Returns whether two groups have the same page of single values of a property.
    fileprivate func sharesColumn(of property: PropertySchema, with other: RowGroupView) -> Bool {
        guard property.type.container == .single, patch?.changes(property.id) != true,
            other.patch?.changes(property.id) != true, case .stored(let mine) = source,
            case .stored(let others) = other.source
        else { return false }
        let reference = mine.reference(property.id)
        return reference != nil && reference == others.reference(property.id)
    }
}

/// The objects of some row groups, ascending.
private struct LiveRows {
    struct Row {
        let id: RowID
        let group: Int
        let index: Int
    }

    private let groups: [RowGroupView]
    private var group = 0
    private var ids: ArraySlice<(id: RowID, index: Int)> = []

    init(_ groups: [RowGroupView]) { self.groups = groups }

    mutating func next() throws(StoreError) -> Row? {
        while true {
            if let (id, index) = ids.popFirst() {
                return Row(id: id, group: group - 1, index: index)
            }
            guard groups.indices.contains(group) else { return nil }
            let view = groups[group]
            let live = try view.liveRows()
            var rows: [(id: RowID, index: Int)] = []
            for index in 0..<view.rowCount where live?[index] ?? true {
                rows.append((try view.rowID(at: index), index))
            }
            ids = rows[...]
            group += 1
        }
    }
}
