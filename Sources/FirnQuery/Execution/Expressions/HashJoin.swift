import FirnCodec
import FirnEngine
import FirnValues

/// The objects of a class by the values of a join, in a hash table that is built once.
///
/// The table refers to neither the classes nor their reader, which own it.
final class HashJoin: JoinLookup {
    private static let none: UInt32 = .max

    private let join: BoundJoin
    private let kinds: [ValueTag]
    private var numbers = ByteKeySet()
    /// The first object of each combination of values, as an index of `ids`.
    private var heads: [UInt32] = []
    private var tails: [UInt32] = []
    /// The next object with the same values.
    private var nexts: [UInt32] = []
    private var ids: [Int64] = []

    init(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) {
        self.join = join
        kinds = join.kinds
        let scanner = try classes.scanner(of: join.target)
        let evaluator = ExpressionEvaluator(source: scanner, reader: SnapshotReader(classes))
        for group in scanner.groups.indices {
            var rows: [UInt32] = []
            let count = scanner.rowCount(of: group)
            (try scanner.liveRows(of: group) ?? Bitmap(count: count, isSet: true))
                .appendRows(to: &rows)
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                try add(.group(group, Array(rows[start..<end])), evaluator)
                start = end
            }
        }
    }

    private func add(
        _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) {
        let found = try evaluator.source.rowIDs(of: rows)
        let vectors = try values(join.targetKeys, rows, evaluator)
        ByteKeys(vectors, rowCount: rows.count).visit { row, key in
            if vectors.contains(where: { $0.isNull(row) }) { return }
            let index = UInt32(truncatingIfNeeded: ids.count)
            let (number, isNew) = numbers.number(of: key)
            if isNew {
                heads.append(index)
                tails.append(index)
            } else if join.findsAll {
                nexts[Int(tails[number])] = index
                tails[number] = index
            } else {
                return
            }
            ids.append(found.ints[row])
            nexts.append(Self.none)
        }
    }

    private func values(
        _ keys: [BoundExpression], _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector] {
        var vectors: [ColumnVector] = []
        for (key, kind) in zip(keys, kinds) {
            vectors.append(try evaluator.values(key, of: rows).converted(to: kind))
        }
        return vectors
    }

    func targets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (owners: [UInt32], ids: ColumnVector) {
        let evaluator = ExpressionEvaluator(source: source, reader: SnapshotReader(classes))
        let vectors = try values(join.rowKeys, rows, evaluator)
        var owners: [UInt32] = []
        var found = ColumnVector(kind: .int)
        ByteKeys(vectors, rowCount: rows.count).visit { row, key in
            guard !vectors.contains(where: { $0.isNull(row) }),
                let number = numbers.knownNumber(of: key)
            else { return }
            var next = heads[number]
            while next != Self.none {
                owners.append(UInt32(truncatingIfNeeded: row))
                found.ints.append(ids[Int(next)])
                next = nexts[Int(next)]
            }
        }
        found.count = found.ints.count
        return (owners, found)
    }
}
