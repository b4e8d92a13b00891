/// Something for some of the rows of a row group, by their places.
///
/// A copy shares everything, and a change of a shared map copies one path: a leaf for 64 rows, the
/// leaves of its branch and the list of branches.
///
///     branches   one per 2,048 rows, as far as there are any
///     leaves     32 of each branch
///     elements   of the rows whose bits are set, ascending
struct RowMap<Element: Sendable>: Sendable {
    private struct Leaf: Sendable {
        var bits: UInt64 = 0
        var elements: [Element] = []

        /// The place of a row among the elements.
        func index(of bit: UInt64) -> Int { (bits & (bit &- 1)).nonzeroBitCount }
    }

    private static var leavesPerBranch: Int { 32 }
    private static var rowsPerBranch: Int { 64 * leavesPerBranch }

    private var branches: [[Leaf]] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(row: UInt32) -> Element? {
        get {
            let (branch, leaf, bit) = RowMap.place(of: row)
            guard branch < branches.count, leaf < branches[branch].count,
                branches[branch][leaf].bits & bit != 0
            else { return nil }
            return branches[branch][leaf].elements[branches[branch][leaf].index(of: bit)]
        }
        set {
            guard let newValue else { return remove(row) }
            let (branch, leaf, bit) = RowMap.place(of: row)
            makeLeaf(branch)
            let index = branches[branch][leaf].index(of: bit)
            if branches[branch][leaf].bits & bit != 0 {
                branches[branch][leaf].elements[index] = newValue
            } else {
                branches[branch][leaf].elements.insert(newValue, at: index)
                branches[branch][leaf].bits |= bit
                count += 1
            }
        }
    }

    /// Changes what a row has, in its place.
    ///
    /// - Returns: whether it has anything.
    mutating func update<Failure: Error>(
        _ row: UInt32, _ change: (inout Element) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard self[row] != nil else { return false }
        let (branch, leaf, bit) = RowMap.place(of: row)
        let index = branches[branch][leaf].index(of: bit)
        try change(&branches[branch][leaf].elements[index])
        return true
    }

    /// Hands out everything in the order of the rows.
    func visit<Failure: Error>(
        _ body: (UInt32, Element) throws(Failure) -> Void
    ) throws(Failure) {
        for branch in branches.indices {
            for leaf in branches[branch].indices {
                var rest = branches[branch][leaf].bits
                let first = branch * RowMap.rowsPerBranch + leaf * 64
                for element in branches[branch][leaf].elements {
                    try body(UInt32(first + rest.trailingZeroBitCount), element)
                    rest &= rest &- 1
                }
            }
        }
    }

    private mutating func remove(_ row: UInt32) {
        let (branch, leaf, bit) = RowMap.place(of: row)
        guard branch < branches.count, leaf < branches[branch].count,
            branches[branch][leaf].bits & bit != 0
        else { return }
        let index = branches[branch][leaf].index(of: bit)
        branches[branch][leaf].elements.remove(at: index)
        branches[branch][leaf].bits &= ~bit
        count -= 1
    }

    private mutating func makeLeaf(_ branch: Int) {
        while branches.count <= branch { branches.append([]) }
        guard branches[branch].isEmpty else { return }
        branches[branch] = Array(repeating: Leaf(), count: RowMap.leavesPerBranch)
    }

    private static func place(of row: UInt32) -> (branch: Int, leaf: Int, bit: UInt64) {
        let row = Int(row)
        return (row / rowsPerBranch, row / 64 % leavesPerBranch, 1 << UInt64(row % 64))
    }
}
