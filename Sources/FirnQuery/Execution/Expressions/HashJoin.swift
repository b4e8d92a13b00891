import FirnCodec
import FirnEngine
import FirnValues

/// The objects of a class by the values of a join, in a hash table that is built once.
///
/// The table refers to neither the classes nor their reader, which own it.
final class HashJoin: JoinLookup {
    /// The number of objects up to which their values are always kept.
    private static let keptCountMin = 65_536

    private let join: BoundJoin
    private let numbers: [ValueNumbers]
    private let combinations: CombinationNumbers
    /// The numbers of the values of rows.
    private let rowKeys: KeyReaders
    /// The number of objects of each combination of values.
    private var counts: [Int] = []
    /// The objects; `nil` until they are requested.
    ///
    /// Their number is enough for many conditions.
    private var objects: JoinedObjects?
    /// The values of all objects, by column.
    private var kept: [BoundColumn: ColumnVector] = [:]
    /// The number of rows whose objects were looked up.
    private var soughtCount = 0

    init(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) {
        self.join = join
        numbers = join.kinds.map { ValueNumbers(kind: $0, ignoresNull: true) }
        combinations = CombinationNumbers(numbers.count)
        rowKeys = KeyReaders(join.rowKeys, numbers, combinations, adding: false)
        if join.findsAll {
            try visitTargets(classes) { numbers, _, _ in
                let end = numbers.reduce(0) { $1 == ValueNumbers.none ? $0 : max($0, Int($1) + 1) }
                if end > counts.count {
                    counts += repeatElement(0, count: end - counts.count)
                }
                // An object with a null has no number.
                let hasNulls = numbers.contains(ValueNumbers.none)
                counts.count(hasNulls ? numbers.filter { $0 != ValueNumbers.none } : numbers)
            }
        } else {
            objects = try makeObjects(classes)
        }
    }

    /// Visits all objects of the class.
    ///
    /// - Parameter body: receives the numbers of the objects' combinations of values.
    private func visitTargets(
        _ classes: OpenedClasses,
        _ body: (
            _ numbers: [UInt32], _ rows: BatchRows, _ scanner: TableScanner
        ) throws(StoreError) -> Void
    ) throws(StoreError) {
        let scanner = try classes.scanner(of: join.target)
        let evaluator = ExpressionEvaluator(source: scanner, reader: SnapshotReader(classes))
        let targetKeys = KeyReaders(join.targetKeys, numbers, combinations, adding: true)
        for group in scanner.groups.indices {
            var rows: [UInt32] = []
            let count = scanner.rowCount(of: group)
            if let live = try scanner.liveRows(of: group) {
                live.appendRows(to: &rows)
            } else {
                rows = [UInt32](rows: 0..<count)
            }
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                let part = BatchRows.group(group, Array(rows[start..<end]))
                try body(try targetKeys.numbers(of: part, evaluator), part, scanner)
                start = end
            }
        }
    }

    private func makeObjects(_ classes: OpenedClasses) throws(StoreError) -> JoinedObjects {
        var objects = JoinedObjects(findsAll: join.findsAll)
        try visitTargets(classes) { numbers, rows, scanner throws(StoreError) in
            objects.add(numbers, try scanner.rowIDs(of: rows))
        }
        return objects
    }

    private func joinedObjects(_ classes: OpenedClasses) throws(StoreError) -> JoinedObjects {
        if let objects { return objects }
        let made = try makeObjects(classes)
        objects = made
        return made
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
        try joinedObjects(classes).all(of: try numbers(source, rows, classes))
    }

    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        let numbers = try numbers(source, rows, classes)
        guard join.findsAll else { return numbers.map { $0 == ValueNumbers.none ? 0 : 1 } }
        return numbers.map {
            $0 == ValueNumbers.none ? 0 : UInt32(clamping: counts[Int($0)])
        }
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard !join.findsAll else { return nil }
        let objects = try joinedObjects(classes)
        guard objects.count <= max(Self.keptCountMin, soughtCount) else { return nil }
        let values: ColumnVector
        if let known = kept[column] {
            values = known
        } else {
            values = try valuesOfAll(column, objects.ids, classes)
            kept[column] = values
        }
        // The last value is null.
        let indices = objects.firsts(of: try numbers(source, rows, classes))
        var result = values.emptied
        result.append(values, rows: indices[...])
        return result
    }

    /// Returns the value of each object, followed by null.
    private func valuesOfAll(
        _ column: BoundColumn, _ ids: ColumnVector, _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector {
        let locator = try classes.locator(of: join.target)
        let located = try locator.locate(ids)
        var values = try locator.objects.values(column, of: BatchRows(located.references))
            .spread(to: located.positions, of: ids.count)
        values.appendNull()
        return values
    }
}
