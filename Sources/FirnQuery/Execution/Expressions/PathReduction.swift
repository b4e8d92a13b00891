import FirnCodec
import FirnEngine
import FirnValues

/// Computes `@count`, `@sum`, `@avg`, `@min` and `@max` of the values of a path, for each row of a
/// batch.
///
/// A sum of Ints that leaves the 64-bit range is null, as in arithmetic.
struct PathReduction {
    private let reduction: BoundExpression.Reduction
    private let path: BoundPath
    private let reader: SnapshotReader

    init(
        _ reduction: BoundExpression.Reduction, _ path: BoundPath, _ reader: SnapshotReader
    ) {
        self.reduction = reduction
        self.path = path
        self.reader = reader
    }

    func values(
        _ source: any RowSource, _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        if reduction == .count { return try counts(source, rows) }
        var accumulators = Accumulators(
            reduction, kind: path.type.columnKind, count: rows.count)
        let walk = PathEvaluator(path: path, classes: reader.classes)
        if case .collection(let property) = path.terminal {
            try walk.visitObjects(source, rows) { batch throws(StoreError) in
                try ElementIterator(property, batch).visit { owners, values in
                    accumulators.add(values, owners: owners)
                }
            }
        } else {
            try walk.visit(source, rows) { owners, values in
                accumulators.add(values, owners: owners)
            }
        }
        accumulators.finish()
        var result = ColumnVector(kind: reduction.type(over: path).columnKind)
        for row in 0..<rows.count { result.append(accumulators.value(row)) }
        return result
    }

    private func counts(
        _ source: any RowSource, _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        var counts = ColumnVector(repeating: .int(0), kind: .int, count: rows.count)
        let walk = PathEvaluator(path: path, classes: reader.classes)
        /// Adds the lengths of collections without reading their elements.
        func addLengths(
            _ property: PropertySchema, dropping: Int
        ) throws(StoreError) {
            try walk.visitObjects(source, rows, dropping: dropping) {
                batch throws(StoreError) in
                let lengths = try ElementIterator(property, batch).counts()
                for (owner, length) in zip(batch.owners, lengths) {
                    counts.ints[Int(owner)] += Int64(length)
                }
            }
        }
        switch (path.terminal, path.steps.last) {
        case (.elements(let property), _), (.keys(let property), _),
            (.collection(let property), _):
            try addLengths(property, dropping: 0)
        case (.object, .elements(let property, _)?):
            try addLengths(property, dropping: 1)
        case (.object, .backlinks(let property, let sourceClass)?):
            try walk.visitObjects(source, rows, dropping: 1) { batch throws(StoreError) in
                try BacklinkWalk(batch, property, sourceClass, reader.classes)?.visitCounts {
                    owner, count in
                    counts.ints[Int(owner)] += Int64(count)
                }
            }
        case (.object, .lookup(let join)?) where path.steps.count == 1:
            counts.ints = try reader.classes.lookup(join).counts(source, rows, reader.classes)
                .map { Int64($0) }
        case (.object, _):
            try walk.visitObjects(source, rows) { batch in
                for owner in batch.owners { counts.ints[Int(owner)] += 1 }
            }
        default: try addSizes(walk, source, rows, &counts)
        }
        return counts
    }

    /// Counts the values of a path: bytes, elements or values.
    ///
    /// For a single String or Data this is its length in bytes, and for a collection in an Any the
    /// number of its elements. For a multi-valued path it is the number of values, nulls included.
    private func addSizes(
        _ walk: PathEvaluator, _ source: any RowSource, _ rows: BatchRows,
        _ counts: inout ColumnVector
    ) throws(StoreError) {
        guard !path.isMultiple else {
            try walk.visit(source, rows) { owners, _ in
                for owner in owners { counts.ints[Int(owner)] += 1 }
            }
            return
        }
        let values = try walk.singleValues(source, rows)
        for row in 0..<values.count {
            switch values.value(at: row) {
            case .string(let text): counts.ints[row] = Int64(text.utf8.count)
            case .data(let bytes): counts.ints[row] = Int64(bytes.count)
            case .list(let elements), .set(let elements): counts.ints[row] = Int64(elements.count)
            case .map(let entries): counts.ints[row] = Int64(entries.count)
            default: counts.setNull(row)
            }
        }
    }
}
