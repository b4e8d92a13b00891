import FirnCodec
import FirnEngine
import FirnValues

/// Groups of rows, ordered by their first rows, with the running values of their aggregates.
///
/// A ``Grouping`` finds the group of a row.
struct GroupStates {
    private(set) var count = 0
    /// The key values of each group, one vector per key.
    var keyValues: [ColumnVector]
    /// The number of each group's first row, if rows have numbers.
    var firstRows = ColumnVector(kind: .int)
    /// One entry per item; `nil` if the item is not an aggregate.
    var accumulators: [Accumulators?]

    /// Creates no groups.
    init(keys: [BoundExpression], items: [BoundGroupItem], _ spill: AggregateSpill) {
        keyValues = keys.map { ColumnVector(kind: $0.kind) }
        accumulators = items.map { item in
            item.aggregate.map { Accumulators($0, count: 0, spill: spill) }
        }
    }

    private init(_ groups: [UInt32], of other: GroupStates, _ accumulators: [Accumulators?]) {
        count = groups.count
        keyValues = other.keyValues.map { $0.picking(groups) }
        if other.firstRows.count > 0 { firstRows = other.firstRows.picking(groups) }
        self.accumulators = accumulators
    }

    /// The memory in bytes.
    var byteCount: Int {
        keyValues.reduce(firstRows.allocatedByteCount) { $0 + $1.allocatedByteCount }
            + accumulators.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    }

    /// Grows to a number of groups; the new ones have no values yet.
    mutating func grow(to count: Int) {
        self.count = count
        for index in accumulators.indices { accumulators[index]?.resize(to: count) }
    }

    /// Returns the items of all groups, ordered by first occurrence.
    ///
    /// - Parameter path: the file that an error names.
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func columns(
        _ items: [BoundGroupItem], path: String, willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [ColumnVector] {
        var columns: [ColumnVector] = []
        for (item, var accumulators) in zip(items, accumulators) {
            switch item {
            case .key(let number, _): columns.append(keyValues[number])
            case .aggregate(let aggregate):
                try accumulators?.finish(willRead: willRead)
                guard let accumulators else { continue }
                guard
                    let column = accumulators.column(kind: aggregate.type.columnKind, count: count)
                else { throw aggregate.overflow(path: path) }
                columns.append(column)
            }
        }
        return columns
    }

    // MARK: Parts

    /// Returns whether ``picking(_:)`` can be called.
    static func canPick(_ items: [BoundGroupItem]) -> Bool {
        items.allSatisfy { item in
            guard case .aggregate(let aggregate) = item else { return true }
            return Accumulators.canPick(aggregate.function)
        }
    }

    /// Returns some of the groups.
    ///
    /// - Parameter groups: their numbers, ascending.
    func picking(_ groups: [UInt32]) -> GroupStates {
        GroupStates(groups, of: self, accumulators.map { $0?.picking(groups) })
    }

    /// Returns the groups divided into parts by their keys, as ``KeyPartitions`` divides rows.
    ///
    /// - Parameters:
    ///   - partCount: the number of parts, a power of two.
    ///   - willRead: called before values are read from disk; an error ends the work.
    func divided(
        among partCount: Int, willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [GroupStates] {
        let parts = KeyPartitions.rows(of: keyValues, count, among: partCount)
        var accumulators = [[Accumulators?]](repeating: [], count: partCount)
        for values in self.accumulators {
            guard let divided = try values?.divided(among: parts, willRead: willRead) else {
                for part in parts.indices { accumulators[part].append(nil) }
                continue
            }
            for (part, values) in divided.enumerated() { accumulators[part].append(values) }
        }
        return parts.indices.map { GroupStates(parts[$0], of: self, accumulators[$0]) }
    }
}
