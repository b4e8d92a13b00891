import FirnCodec
import FirnEngine
import FirnValues

/// The objects of a class by the values of a join, in a hash table that is built once.
///
/// The table refers to neither the classes nor their reader, which own it.
final class HashJoin: JoinLookup {
    private static let none: UInt32 = .max
    /// The number of objects up to which their values are always kept.
    private static let keptCountMin = 65_536

    private let join: BoundJoin
    private let numbers: [ValueNumbers]
    private let combinations: CombinationNumbers
    /// The numbers of the values of rows.
    private let rowKeys: KeyReaders
    /// The first object of each combination of values, as an index of `ids`.
    private var heads: [UInt32] = []
    private var tails: [UInt32] = []
    /// The next object with the same values.
    private var nexts: [UInt32] = []
    /// The number of objects of each combination.
    private var counts: [UInt32] = []
    private var ids = ColumnVector(kind: .int)
    /// The values of all objects in `ids`, by column.
    private var kept: [BoundColumn: ColumnVector] = [:]
    /// The number of rows whose objects were looked up.
    private var soughtCount = 0

    init(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) {
        self.join = join
        numbers = join.kinds.map { ValueNumbers(kind: $0, ignoresNull: true) }
        combinations = CombinationNumbers(numbers.count)
        rowKeys = KeyReaders(join.rowKeys, numbers, combinations, adding: false)
        let scanner = try classes.scanner(of: join.target)
        let evaluator = ExpressionEvaluator(source: scanner, reader: SnapshotReader(classes))
        let targetKeys = KeyReaders(join.targetKeys, numbers, combinations, adding: true)
        for group in scanner.groups.indices {
            var rows: [UInt32] = []
            let count = scanner.rowCount(of: group)
            (try scanner.liveRows(of: group) ?? Bitmap(count: count, isSet: true))
                .appendRows(to: &rows)
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                let part = BatchRows.group(group, Array(rows[start..<end]))
                add(
                    try targetKeys.numbers(of: part, evaluator),
                    try scanner.rowIDs(of: part))
                start = end
            }
        }
    }

    private func add(_ numbers: [UInt32], _ found: ColumnVector) {
        for (row, number) in numbers.enumerated() where number != ValueNumbers.none {
            let number = Int(number)
            let index = UInt32(truncatingIfNeeded: ids.ints.count)
            if number == heads.count {
                heads.append(index)
                tails.append(index)
                counts.append(0)
            } else if join.findsAll {
                nexts[Int(tails[number])] = index
                tails[number] = index
            } else {
                continue
            }
            counts[number] += 1
            ids.ints.append(found.ints[row])
            nexts.append(Self.none)
        }
        ids.count = ids.ints.count
    }

    /// Returns the number of each row's combination of values, or none.
    private func numbers(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        soughtCount += rows.count
        return try rowKeys.numbers(
            of: rows, ExpressionEvaluator(source: source, reader: SnapshotReader(classes)))
    }

    func targets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (owners: [UInt32], ids: ColumnVector) {
        let numbers = try numbers(source, rows, classes)
        var owners: [UInt32] = []
        var found = ColumnVector(kind: .int)
        owners.reserveCapacity(rows.count)
        found.ints.reserveCapacity(rows.count)
        for (row, number) in numbers.enumerated() where number != ValueNumbers.none {
            var next = heads[Int(number)]
            while next != Self.none {
                owners.append(UInt32(truncatingIfNeeded: row))
                found.ints.append(ids.ints[Int(next)])
                next = nexts[Int(next)]
            }
        }
        found.count = found.ints.count
        return (owners, found)
    }

    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        try numbers(source, rows, classes).map { $0 == ValueNumbers.none ? 0 : counts[Int($0)] }
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard !join.findsAll, ids.count <= max(Self.keptCountMin, soughtCount) else { return nil }
        let values: ColumnVector
        if let known = kept[column] {
            values = known
        } else {
            values = try valuesOfAll(column, classes)
            kept[column] = values
        }
        // The last value is null.
        let none = UInt32(truncatingIfNeeded: ids.count)
        let indices = try numbers(source, rows, classes).map { number in
            number == ValueNumbers.none ? none : heads[Int(number)]
        }
        var result = values.emptied
        result.append(values, rows: indices[...])
        return result
    }

    /// Returns the value of each object in `ids`, followed by null.
    private func valuesOfAll(
        _ column: BoundColumn, _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector {
        let locator = try classes.locator(of: join.target)
        let located = try locator.locate(ids)
        var values = try locator.objects.values(column, of: BatchRows(located.references))
            .spread(to: located.positions, of: ids.count)
        values.appendNull()
        return values
    }
}
