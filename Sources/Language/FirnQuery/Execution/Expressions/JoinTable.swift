import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// The objects of a class by the values of a join, in a hash table shared by all threads of a
/// statement.
///
/// The numbers of values do not change after the initializer.
final class JoinTable: @unchecked Sendable {
    /// The first object or the number of objects, by combination of values.
    private enum Content {
        case firsts(JoinedObjects)
        /// The number of objects, which is sufficient for many conditions.
        case counts([UInt32])
    }

    let join: BoundJoin
    private let byteCountMax: Int
    private let numbers: [ValueNumbers]
    private let combinations: CombinationNumbers
    private let content: Content
    /// All objects, if they were requested; `nil` if they are too large.
    private let objects = SharedValues<ClassID, JoinedObjects?>()
    /// The aggregates over the objects of each number; `nil` if they are too large.
    private let aggregated = SharedValues<JoinedAggregate, ColumnVector?>()
    /// The values of all objects, by column; `nil` if they are too large.
    private let kept = SharedValues<BoundColumn, ColumnVector?>()

    /// - Returns: `nil` if the table needs more memory than it may use.
    init?(_ join: BoundJoin, _ classes: OpenedClasses, byteCountMax: Int) throws(StoreError) {
        let numbers = join.kinds.map { ValueNumbers(kind: $0, ignoresNull: true, ignoresNaN: true) }
        let combinations = CombinationNumbers(numbers.count)
        let targetKeys = KeyReaders(join.targetKeys, numbers, combinations, adding: true)
        var firsts = JoinedObjects(findsAll: false)
        var counts: [UInt32] = []
        var isTooLarge = false
        try JoinTargets(join, classes).visit { rows, scanner, evaluator throws(StoreError) in
            let byteCount = numbers.reduce(combinations.byteCount(afterAdding: rows.count)) {
                $0 + $1.byteCount(afterAdding: rows.count)
            }
            isTooLarge =
                isTooLarge
                || byteCount + firsts.byteCount + counts.allocatedByteCount > byteCountMax
            guard !isTooLarge else { return }
            let found = try targetKeys.numbers(of: rows, evaluator)
            if join.findsAll {
                counts.count(found)
            } else {
                firsts.add(found, try scanner.rowIDs(of: rows))
            }
        }
        guard !isTooLarge else { return nil }
        self.join = join
        self.byteCountMax = byteCountMax
        self.numbers = numbers
        self.combinations = combinations
        content = join.findsAll ? .counts(counts) : .firsts(firsts)
    }

    /// Returns readers that number the values of rows.
    func rowKeys() -> KeyReaders { KeyReaders(join.rowKeys, numbers, combinations, adding: false) }

    /// Returns the number of objects of each number.
    func counts(of numbers: [UInt32]) -> [UInt32] {
        switch content {
        case .firsts: numbers.map { $0 == ValueNumbers.none ? 0 : 1 }
        case .counts(let counts): numbers.map { $0 == ValueNumbers.none ? 0 : counts[Int($0)] }
        }
    }

    /// Returns the objects; `nil` if they take too much memory.
    func objects(_ classes: OpenedClasses) throws(StoreError) -> JoinedObjects? {
        if case .firsts(let objects) = content { return objects }
        return try objects.value(for: join.target.id) { () throws(StoreError) in
            try SnapshotReader(classes).checkStopped()
        } make: { () throws(StoreError) in
            try allObjects(classes)
        }
    }

    /// Returns an aggregate over the objects of each number, followed by its value for no objects;
    /// `nil` if they take too much memory.
    ///
    /// Rows with the same values share their objects, which are read once for all of them.
    func aggregates(
        _ aggregate: JoinedAggregate, _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard case .counts(let counts) = content else { return nil }
        return try aggregated.value(for: aggregate) { () throws(StoreError) in
            try SnapshotReader(classes).checkStopped()
        } make: { () throws(StoreError) in
            // Other threads may look up numbers, so none may be added.
            let targetKeys = KeyReaders(join.targetKeys, numbers, combinations, adding: false)
            return try aggregate.values(
                of: JoinTargets(join, classes), count: counts.count, byteCountMax: byteCountMax
            ) { rows, evaluator throws(StoreError) in try targetKeys.numbers(of: rows, evaluator) }
        }
    }

    private func allObjects(_ classes: OpenedClasses) throws(StoreError) -> JoinedObjects? {
        // Other threads may look up numbers, so none may be added.
        let targetKeys = KeyReaders(join.targetKeys, numbers, combinations, adding: false)
        var objects = JoinedObjects(findsAll: true)
        var isTooLarge = false
        try JoinTargets(join, classes).visit { rows, scanner, evaluator throws(StoreError) in
            guard !isTooLarge else { return }
            objects.add(try targetKeys.numbers(of: rows, evaluator), try scanner.rowIDs(of: rows))
            isTooLarge = objects.byteCount > byteCountMax
        }
        return isTooLarge ? nil : objects
    }

    /// Returns the value of each first object, followed by null; `nil` if the values take too much
    /// memory.
    func values(
        _ column: BoundColumn, _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard case .firsts(let objects) = content else { return nil }
        return try kept.value(for: column) { () throws(StoreError) in
            try SnapshotReader(classes).checkStopped()
        } make: { () throws(StoreError) in
            try values(column, of: objects.ids, classes)
        }
    }

    private func values(
        _ column: BoundColumn, of ids: ColumnVector, _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        let locator = try classes.locator(of: join.target)
        var values: ColumnVector?
        for start in stride(from: 0, to: ids.count, by: ExpressionEvaluator.batchRowCountMax) {
            let end = min(ids.count, start + ExpressionEvaluator.batchRowCountMax)
            let part = ids.picking([UInt32](rows: start..<end))
            let located = try locator.locate(part)
            let found = try locator.objects.values(column, of: BatchRows(located.references))
                .spread(to: located.positions, of: part.count)
            if values == nil { values = found } else { values?.append(found) }
            guard values.map({ $0.allocatedByteCount <= byteCountMax }) ?? true else { return nil }
        }
        values?.appendNull()
        return values
    }
}

extension [UInt32] {
    /// Counts numbers; new numbers follow the existing ones.
    fileprivate mutating func count(_ numbers: [UInt32]) {
        for number in numbers where number != ValueNumbers.none {
            if Int(number) == count { append(0) }
            self[Int(number)] += 1
        }
    }
}
