import FirnValues

/// A sparse map from the rows of a row group to elements.
///
/// A copy shares all storage, and a change of a shared map copies one path: a branch with few rows,
/// or a leaf for 64 rows and the leaves of its branch; and the list of branches.
///
///     run        all rows, ascending, while they are only those that an empty map received in
///                one call: a slice that many maps share, and that none of them copies
///     branches   one per 2,048 rows, as far as there are any
///     few        the rows of a branch that has few, ascending
///     leaves     32 of a branch that has more
///     elements   of the rows whose bits are set, ascending
struct RowMap<Element: Sendable>: Sendable {
    /// A row and its element.
    struct Entry: Sendable {
        let row: UInt32
        fileprivate(set) var element: Element
    }

    private struct Leaf: Sendable {
        var bits: UInt64 = 0
        var elements: [Element] = []

        /// Returns the index of a row among the elements.
        func index(of bit: UInt64) -> Int { (bits & (bit &- 1)).nonzeroBitCount }
    }

    /// A branch, in which either `few` or `leaves` is empty.
    private struct Branch: Sendable {
        var few: [Entry] = []
        var leaves: [Leaf] = []

        /// Returns the index of a row in `few`, or the index at which it would be inserted.
        func index(of row: UInt32) -> Int { RowMap.index(of: row, in: few[...]) }

        subscript(row: UInt32) -> Element? {
            guard !leaves.isEmpty else {
                let index = index(of: row)
                return index < few.count && few[index].row == row ? few[index].element : nil
            }
            let (leaf, bit) = RowMap.slot(of: row)
            guard leaves[leaf].bits & bit != 0 else { return nil }
            return leaves[leaf].elements[leaves[leaf].index(of: bit)]
        }

        /// - Returns: Whether the row is new.
        mutating func insert(_ element: Element, at row: UInt32) -> Bool {
            if leaves.isEmpty {
                let index = index(of: row)
                if index < few.count, few[index].row == row {
                    few[index].element = element
                    return false
                }
                if few.count < RowMap.fewMaximum {
                    few.insert(Entry(row: row, element: element), at: index)
                    return true
                }
                makeLeaves()
            }
            let (leaf, bit) = RowMap.slot(of: row)
            let index = leaves[leaf].index(of: bit)
            guard leaves[leaf].bits & bit == 0 else {
                leaves[leaf].elements[index] = element
                return false
            }
            leaves[leaf].elements.insert(element, at: index)
            leaves[leaf].bits |= bit
            return true
        }

        /// - Returns: Whether the row was present.
        mutating func remove(_ row: UInt32) -> Bool {
            guard !leaves.isEmpty else {
                let index = index(of: row)
                guard index < few.count, few[index].row == row else { return false }
                few.remove(at: index)
                return true
            }
            let (leaf, bit) = RowMap.slot(of: row)
            guard leaves[leaf].bits & bit != 0 else { return false }
            leaves[leaf].elements.remove(at: leaves[leaf].index(of: bit))
            leaves[leaf].bits &= ~bit
            return true
        }

        private mutating func makeLeaves() {
            leaves = Array(repeating: Leaf(), count: RowMap.leavesPerBranch)
            for entry in few {
                let (leaf, bit) = RowMap.slot(of: entry.row)
                leaves[leaf].bits |= bit
                leaves[leaf].elements.append(entry.element)
            }
            few = []
        }
    }

    private static var leavesPerBranch: Int { 32 }
    private static var rowsPerBranch: UInt32 { 64 * 32 }
    /// The maximum number of rows of a branch without leaves.
    private static var fewMaximum: Int { 64 }

    /// Empty if there are branches.
    private var run: ArraySlice<Entry> = []
    private var branches: [Branch] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(row: UInt32) -> Element? {
        get {
            guard run.isEmpty else {
                let index = RowMap.index(of: row, in: run)
                return index < run.endIndex && run[index].row == row ? run[index].element : nil
            }
            let branch = Int(row / RowMap.rowsPerBranch)
            return branch < branches.count ? branches[branch][row] : nil
        }
        set {
            divideRun()
            let branch = Int(row / RowMap.rowsPerBranch)
            guard let newValue else {
                if branch < branches.count, branches[branch].remove(row) { count -= 1 }
                return
            }
            makeBranch(branch)
            if branches[branch].insert(newValue, at: row) { count += 1 }
        }
    }

    /// Sets the elements of some rows.
    ///
    /// - Parameter newer: The new elements, ascending by row, each row once.
    /// - Complexity: O(1) for a map that was always empty
    mutating func merge(_ newer: ArraySlice<Entry>) {
        guard !run.isEmpty || !branches.isEmpty else {
            run = newer
            count = newer.count
            return
        }
        divideRun()
        insert(newer)
    }

    private mutating func insert(_ entries: ArraySlice<Entry>) {
        var start = entries.startIndex
        while start < entries.endIndex {
            let branch = Int(entries[start].row / RowMap.rowsPerBranch)
            let end =
                entries[start...].firstIndex { Int($0.row / RowMap.rowsPerBranch) != branch }
                ?? entries.endIndex
            makeBranch(branch)
            if branches[branch].few.isEmpty, branches[branch].leaves.isEmpty,
                end - start <= RowMap.fewMaximum
            {
                branches[branch].few = Array(entries[start..<end])
                count += end - start
            } else {
                for entry in entries[start..<end]
                where branches[branch].insert(entry.element, at: entry.row) { count += 1 }
            }
            start = end
        }
    }

    /// Converts the run to branches, before any of it changes.
    private mutating func divideRun() {
        guard !run.isEmpty else { return }
        let entries = run
        run = []
        count = 0
        insert(entries)
    }

    /// Changes the element of a row in place.
    ///
    /// - Returns: Whether the row has an element.
    mutating func update<Failure: Error>(
        _ row: UInt32, _ change: (inout Element) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard self[row] != nil else { return false }
        divideRun()
        let branch = Int(row / RowMap.rowsPerBranch)
        if branches[branch].leaves.isEmpty {
            let index = branches[branch].index(of: row)
            try change(&branches[branch].few[index].element)
        } else {
            let (leaf, bit) = RowMap.slot(of: row)
            let index = branches[branch].leaves[leaf].index(of: bit)
            try change(&branches[branch].leaves[leaf].elements[index])
        }
        return true
    }

    /// Passes all entries to a closure, in the order of the rows.
    func visit<Failure: Error>(
        _ body: (UInt32, Element) throws(Failure) -> Void
    ) throws(Failure) {
        for entry in run { try body(entry.row, entry.element) }
        for branch in branches.indices {
            for entry in branches[branch].few { try body(entry.row, entry.element) }
            for leaf in branches[branch].leaves.indices {
                var rest = branches[branch].leaves[leaf].bits
                let first = branch * Int(RowMap.rowsPerBranch) + leaf * 64
                for element in branches[branch].leaves[leaf].elements {
                    try body(UInt32(first + rest.trailingZeroBitCount), element)
                    rest &= rest &- 1
                }
            }
        }
    }

    private mutating func makeBranch(_ branch: Int) {
        guard branches.count <= branch else { return }
        let missing = branch + 1 - branches.count
        branches.append(contentsOf: repeatElement(Branch(), count: missing))
    }

    /// Returns the index of a row in ascending entries, or the index at which it would be inserted.
    private static func index(of row: UInt32, in entries: ArraySlice<Entry>) -> Int {
        var low = entries.startIndex
        var high = entries.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the position of a row within its branch.
    private static func slot(of row: UInt32) -> (leaf: Int, bit: UInt64) {
        let row = Int(row % rowsPerBranch)
        return (row / 64, 1 << UInt64(row % 64))
    }
}
