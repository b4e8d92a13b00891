import FirnCodec
import FirnEngine
import FirnValues

/// The rows of a batch, in any order.
///
/// Computed values are in the order of these rows.
enum BatchRows {
    /// Rows of one group.
    case group(Int, [UInt32])
    case scattered([RowReference])

    /// Creates a batch, as rows of one group if all rows are in the same group.
    init(_ references: some Collection<RowReference>) {
        if let first = references.first, references.allSatisfy({ $0.group == first.group }) {
            self = .group(Int(first.group), references.map(\.row))
        } else {
            self = .scattered(Array(references))
        }
    }

    var count: Int {
        switch self {
        case .group(_, let rows): rows.count
        case .scattered(let references): references.count
        }
    }

    var references: [RowReference] {
        switch self {
        case .group(let group, let rows):
            let group = UInt32(truncatingIfNeeded: group)
            return rows.map { RowReference(group: group, row: $0) }
        case .scattered(let references): return references
        }
    }

    /// Returns the rows at some positions.
    func picking(_ positions: [UInt32]) -> BatchRows {
        switch self {
        case .group(let group, let rows): .group(group, positions.map { rows[Int($0)] })
        case .scattered(let references): .scattered(positions.map { references[Int($0)] })
        }
    }

    /// The numbers of the rows, which ascend in the order of the table.
    var numbers: ColumnVector {
        var numbers = ColumnVector(kind: .int)
        switch self {
        case .group(let group, let rows):
            let group = UInt32(truncatingIfNeeded: group)
            numbers.ints = rows.map { RowReference(group: group, row: $0).number }
        case .scattered(let references): numbers.ints = references.map(\.number)
        }
        numbers.count = numbers.ints.count
        return numbers
    }

    func part(_ range: Range<Int>) -> BatchRows {
        if range == 0..<count { return self }
        switch self {
        case .group(let group, let rows): return .group(group, Array(rows[range]))
        case .scattered(let references): return BatchRows(references[range])
        }
    }

    /// Calls `body` once per group with its rows and their positions in this batch.
    ///
    /// If the positions are `nil`, the rows are all rows of the batch in their order.
    func visitGroups(
        _ body: (
            _ group: Int, _ rows: [UInt32], _ positions: [UInt32]?
        ) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch self {
        case .group(let group, let rows): try body(group, rows, nil)
        case .scattered(let references):
            for (group, positions) in Self.positionsByGroup(references) {
                try body(group, positions.map { references[Int($0)].row }, positions)
            }
        }
    }

    /// Returns the positions of the rows of each group, in the order of the groups.
    private static func positionsByGroup(
        _ references: [RowReference]
    ) -> [(group: Int, positions: [UInt32])] {
        // Group and position in one integer, so that sorting brings the rows of a group together.
        var keys = references.enumerated().map { position, reference in
            UInt64(reference.group) << 32 | UInt64(UInt32(truncatingIfNeeded: position))
        }
        sortByUpperHalf(&keys)
        var groups: [(group: Int, positions: [UInt32])] = []
        var start = 0
        while start < keys.count {
            let group = keys[start] >> 32
            var end = start
            while end < keys.count, keys[end] >> 32 == group { end += 1 }
            groups.append((Int(group), keys[start..<end].map { UInt32(truncatingIfNeeded: $0) }))
            start = end
        }
        return groups
    }

    /// Sorts integers whose lower halves ascend.
    ///
    /// If there are more of them than different upper halves, it is a counting sort.
    private static func sortByUpperHalf(_ keys: inout [UInt64]) {
        let least = (keys.min() ?? 0) >> 32
        let distance = Int(truncatingIfNeeded: (keys.max() ?? 0) >> 32 - least)
        guard distance < keys.count else { return keys.sort() }
        var starts = [Int](repeating: 0, count: distance + 2)
        for key in keys { starts[Int(key >> 32 - least) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        let sorted = [UInt64](unsafeUninitializedCapacity: keys.count) { sorted, count in
            count = keys.count
            for key in keys {
                let index = Int(key >> 32 - least)
                sorted[starts[index]] = key
                starts[index] += 1
            }
        }
        keys = sorted
    }
}

extension RowReference {
    /// Creates the reference with a number.
    init(number: Int64) { self.init(packed: UInt64(bitPattern: number)) }

    fileprivate var number: Int64 { Int64(bitPattern: packed) }
}

extension RowSource {
    /// Returns the values of one column.
    func values(_ column: BoundColumn, of rows: BatchRows) throws(StoreError) -> ColumnVector {
        try gathered(ColumnVector(kind: column.type.columnKind), of: rows) {
            group, rows, vector throws(StoreError) in
            try gather(column, of: group, rows: rows, into: &vector)
        }
    }

    /// Returns the row ids.
    func rowIDs(of rows: BatchRows) throws(StoreError) -> ColumnVector {
        try values(.rowID, of: rows)
    }

    /// Gathers values group by group, and returns them in the order of the rows.
    func gathered(
        _ empty: ColumnVector, of rows: BatchRows,
        _ gather: (
            _ group: Int, _ rows: [UInt32], _ vector: inout ColumnVector
        ) throws(StoreError) -> Void
    ) throws(StoreError) -> ColumnVector {
        var vector = empty
        var indices = [UInt32](repeating: 0, count: rows.count)
        var isOrdered = true
        try rows.visitGroups { group, rows, positions throws(StoreError) in
            if let positions {
                isOrdered = false
                for (index, position) in positions.enumerated() {
                    indices[Int(position)] = UInt32(truncatingIfNeeded: vector.count + index)
                }
            }
            try gather(group, rows, &vector)
        }
        if isOrdered { return vector }
        var ordered = empty
        ordered.append(vector, rows: indices[...])
        return ordered
    }
}
