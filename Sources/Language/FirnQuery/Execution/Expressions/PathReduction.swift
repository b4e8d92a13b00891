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
        if case .link(let property, let target)? = path.steps.first,
            path.steps.dropFirst().contains(where: \.isMultiple)
        {
            return try valuesOfTargets(property, target, source, rows)
        }
        let isCountOfObjects =
            reduction == .count && path.terminal == .object && path.steps.count == 1
        if case .lookup(let join)? = path.steps.first, !isCountOfObjects,
            let values = try reader.classes.lookup(join).aggregates(
                .reduction(reduction, path.withoutFirstStep(join.target)), source, rows,
                reader.classes)
        {
            return values
        }
        if reduction == .count { return try counts(source, rows) }
        var groups = Groups(reduction, path, count: rows.count)
        try visit(source, rows) { owners, values in groups.add(values, owners) }
        var result = ColumnVector(kind: reduction.type(over: path).columnKind)
        for value in groups.values() { result.append(value) }
        return result
    }

    /// Visits the values that are reduced, each with the position of its row.
    func visit(
        _ source: any RowSource, _ rows: BatchRows, _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        let walk = PathEvaluator(path: path, classes: reader.classes)
        guard case .collection(let property) = path.terminal else {
            return try walk.visit(source, rows, body)
        }
        try walk.visitObjects(source, rows) { batch throws(StoreError) in
            try ElementIterator(property, batch).visit(body)
        }
    }

    /// The reductions of several groups of values.
    struct Groups {
        private let countsNulls: Bool
        private let count: Int
        private var accumulators: Accumulators

        init(_ reduction: BoundExpression.Reduction, _ path: BoundPath, count: Int) {
            countsNulls = reduction == .count
            self.count = count
            accumulators = Accumulators(reduction, kind: path.type.columnKind, count: count)
        }

        mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
            if countsNulls { return accumulators.addCounts(owners) }
            accumulators.add(values, owners: owners)
        }

        /// Returns the value of each group.
        mutating func values() -> [Value] {
            accumulators.finish()
            return (0..<count).map { accumulators.value($0) }
        }
    }

    /// Returns the values of the objects to which a link leads; each is computed once per
    /// execution.
    ///
    /// Many rows link to one object, and each would walk the same objects again.
    private func valuesOfTargets(
        _ property: PropertySchema, _ target: ClassSchema, _ source: any RowSource,
        _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        let rest = path.withoutFirstStep(target)
        let ids = try source.values(.property(property), of: rows)
        let known = reader.reductions(reduction, path)
        // The values of this batch: making room forgets those of other batches.
        var values: [Int64: Value] = [:]
        var new: Set<Int64> = []
        for row in 0..<ids.count where !ids.isNull(row) {
            let id = ids.ints[row]
            guard values[id] == nil, !new.contains(id) else { continue }
            if let value = known.values[id] { values[id] = value } else { new.insert(id) }
        }
        if !new.isEmpty {
            var wanted = ColumnVector(kind: .int)
            wanted.ints = new.sorted()
            wanted.count = new.count
            let locator = try reader.locator(of: target)
            let located = try locator.locate(wanted)
            let targets = located.positions.map { wanted.ints[Int($0)] }
            let found = try self.values(of: targets, located, locator.objects, rest)
            known.makeRoom(for: new.count)
            for (id, value) in zip(targets, found) {
                values[id] = value
                known.note(value, of: id)
            }
        }
        let none = valueOfNothing
        var result = ColumnVector(kind: reduction.type(over: path).columnKind)
        for row in 0..<ids.count {
            // A link to a deleted object counts as no link.
            result.append(ids.isNull(row) ? none : values[ids.ints[row]] ?? none)
        }
        return result
    }

    /// Returns the values of objects.
    ///
    /// - Parameters:
    ///   - targets: the row ids of the objects, ascending.
    ///   - rest: the path from an object.
    private func values(
        of targets: [Int64], _ located: LocatedRows, _ objects: any ObjectSource,
        _ rest: BoundPath
    ) throws(StoreError) -> [Value] {
        if let scan = try BacklinkScan(rest, targetCount: targets.count, reduction, reader) {
            return try scan.values(reduction, of: targets)
        }
        let found = try PathReduction(reduction, rest, reader).values(
            objects, BatchRows(located.references))
        return (0..<found.count).map { found.value(at: $0) }
    }

    /// The value of a row whose path leads to nothing.
    private var valueOfNothing: Value {
        if reduction == .count { return .int(0) }
        var groups = Groups(reduction, path, count: 1)
        return groups.values().first ?? .null
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
