import FirnCodec
import FirnEngine
import FirnValues

/// The computation of the aggregate.
extension JoinedAggregate {
    private var function: BoundExpression.Reduction {
        switch self {
        case .reduction(let reduction, _): reduction
        case .aggregate(_, let aggregate): aggregate.function
        case .passing: .count
        }
    }

    private var resultKind: ValueTag {
        switch self {
        case .reduction(let reduction, let path): reduction.type(over: path).columnKind
        case .aggregate(_, let aggregate): aggregate.type.columnKind
        case .passing: .int
        }
    }

    private func accumulators(count: Int, _ snapshot: Snapshot) -> Accumulators {
        let spill = AggregateSpill(of: snapshot, for: [function])
        switch self {
        case .reduction(let reduction, let path):
            return Accumulators(
                reduction, kind: path.type.columnKind, count: count, spill: spill)
        case .aggregate(_, let aggregate):
            return Accumulators(aggregate, count: count, spill: spill)
        case .passing: return Accumulators(.count, kind: .int, count: count)
        }
    }

    /// Returns the aggregate over the objects of each number, followed by its value for no objects.
    ///
    /// A sum of Ints that leaves the 64-bit range is null, as in arithmetic.
    ///
    /// - Parameters:
    ///   - count: the number of distinct values.
    ///   - byteCountMax: the memory that the aggregates may take.
    ///   - numbers: returns the number of the values of each object, or none.
    /// - Returns: `nil` if the aggregates take too much memory.
    func values(
        of targets: JoinTargets, count: Int, byteCountMax: Int,
        _ numbers: (BatchRows, ExpressionEvaluator) throws(StoreError) -> [UInt32]
    ) throws(StoreError) -> ColumnVector? {
        let reader = SnapshotReader(targets.classes)
        var accumulators = accumulators(count: count + 1, reader.snapshot)
        var isTooLarge = accumulators.byteCount > byteCountMax
        try targets.visit { rows, scanner, evaluator throws(StoreError) in
            try reader.checkStopped()
            guard !isTooLarge else { return }
            let all = try numbers(rows, evaluator)
            let known = all.indices.filter { all[$0] != ValueNumbers.none }
                .map { UInt32(truncatingIfNeeded: $0) }
            guard !known.isEmpty else { return }
            let groups = known.map { all[Int($0)] }
            try add(rows.picking(known), groups, scanner, reader, to: &accumulators)
            isTooLarge = accumulators.byteCount > byteCountMax
        }
        guard !isTooLarge else { return nil }
        try accumulators.finish { () throws(StoreError) in try reader.checkStopped() }
        var result = ColumnVector(kind: resultKind)
        for number in 0...count { result.append(accumulators.value(number)) }
        return result
    }

    /// Adds the values of objects to the aggregates of their groups.
    private func add(
        _ rows: BatchRows, _ groups: [UInt32], _ scanner: TableScanner, _ reader: SnapshotReader,
        to accumulators: inout Accumulators
    ) throws(StoreError) {
        switch self {
        case .reduction(let reduction, let path):
            let values = PathReduction(reduction, path, reader)
            try values.visit(scanner, rows) { owners, values throws(StoreError) in
                let owners = owners.map { groups[Int($0)] }
                if reduction == .count { return accumulators.addCounts(owners) }
                accumulators.add(values, owners: owners)
                try accumulators.makeRoom()
            }
        case .aggregate(let path, let aggregate):
            let walk = PathEvaluator(path: path, classes: reader.classes)
            try walk.visitObjects(scanner, rows) { batch throws(StoreError) in
                let owners = batch.owners.map { groups[Int($0)] }
                guard let expression = aggregate.expression else {
                    return accumulators.addCounts(owners)
                }
                let evaluator = ExpressionEvaluator(source: batch.source, reader: reader)
                var values = ColumnVector(kind: expression.kind)
                try evaluator.append(expression, of: batch.rows, into: &values)
                accumulators.add(values, owners: owners)
                try accumulators.makeRoom()
            }
        case .passing(let path, let target, let predicate):
            let walk = PathEvaluator(path: path, classes: reader.classes)
            let test = try reader.test(of: target, predicate)
            try walk.visitObjects(scanner, rows) { batch throws(StoreError) in
                let passing = try test.passing(batch.rows)
                accumulators.addCounts(
                    batch.owners.indices.filter { passing[$0] }
                        .map { groups[Int(batch.owners[$0])] })
            }
        }
    }
}
