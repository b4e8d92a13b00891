import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Computes expressions for batches of rows, with one loop per operator and batch.
struct ExpressionEvaluator {
    /// The number of rows per batch for expressions other than plain columns.
    static let batchRowCountMax = 4_096

    let source: any RowSource
    let reader: SnapshotReader
    private let conditions = ConditionRows()

    init(source: any RowSource, reader: SnapshotReader) {
        self.source = source
        self.reader = reader
    }

    /// Appends the values of any number of rows, batch by batch.
    func append(
        _ expression: BoundExpression, of rows: BatchRows, into vector: inout ColumnVector
    ) throws(StoreError) {
        if case .column(let column) = expression {
            if case .group(let group, let list) = rows {
                return try source.gather(column, of: group, rows: list, into: &vector)
            }
            return vector.append(try source.values(column, of: rows))
        }
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + Self.batchRowCountMax)
            vector.append(try values(expression, of: rows.part(start..<end)))
            start = end
        }
    }

    /// Appends the values of rows of a group that are not requested again soon.
    func appendOnce(
        _ expression: BoundExpression, of group: Int, rows: [UInt32],
        into vector: inout ColumnVector
    ) throws(StoreError) {
        if case .column(let column) = expression, let scanner = source.scanner {
            return try scanner.gatherOnce(column, of: group, rows: rows, into: &vector)
        }
        try append(expression, of: .group(group, rows), into: &vector)
    }

    /// Returns one value per row of a batch.
    func values(
        _ expression: BoundExpression, of rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        switch expression {
        case .constant(let value):
            return ColumnVector(repeating: value, kind: expression.kind, count: rows.count)
        case .column(let column): return try source.values(column, of: rows)
        case .path(let path): return try walk(path).singleValues(source, rows)
        case .reduction(let reduction, let path):
            return try PathReduction(reduction, path, reader).values(source, rows)
        case .subqueryCount(let objects, let outer, let predicate):
            return try count(objects, outer, predicate, rows)
        case .aggregate(let objects, let aggregate):
            return try self.aggregate(aggregate, of: objects, rows)
        case .arithmetic(let operation, let left, let right):
            let left = try values(left, of: rows)
            let right = try values(right, of: rows)
            return ArithmeticVectors(left, right, into: expression.kind).values(operation)
        case .function(let function, let arguments):
            return try values(function, arguments, rows, into: expression.kind)
        case .typeName(let path):
            return TypeNameVectors.of(
                try walk(path).singleValues(source, rows), isLink: path.endsInLinks)
        case .moved(let date, let milliseconds):
            return DateMove.values(try values(date, of: rows), milliseconds)
        case .mapped(let path):
            return try mapped(path, rows, ColumnVector(of: expression.vectorType))
        case .condition(let predicate):
            return ColumnVector(try conditions.passing(predicate, source, rows, reader))
        }
    }

    /// Returns the values of an expression for each element of a path.
    ///
    /// - Parameters:
    ///   - elements: the elements, in whose place the path is mentioned in the expression.
    ///   - owners: the position of each element's row.
    func values(
        _ expression: BoundExpression, of rows: BatchRows, elements: ColumnVector,
        owners: [UInt32]
    ) throws(StoreError) -> ColumnVector {
        func values(_ part: BoundExpression) throws(StoreError) -> ColumnVector {
            try self.values(part, of: rows, elements: elements, owners: owners)
        }
        switch expression {
        case .mapped: return elements
        case .arithmetic(let operation, let left, let right):
            return ArithmeticVectors(try values(left), try values(right), into: expression.kind)
                .values(operation)
        case .moved(let date, let milliseconds):
            return DateMove.values(try values(date), milliseconds)
        case .function(let function, let arguments):
            return try FunctionVectors(
                function: function, arguments: arguments,
                vectors: try arguments.map { argument throws(StoreError) in
                    try values(argument)
                }, kind: expression.kind, count: owners.count, checkStopped: reader.checkStopped
            ).values()
        default: return try self.values(expression, of: rows).picking(owners)
        }
    }

    /// Visits all values of a path.
    func visit(
        _ path: BoundPath, _ rows: BatchRows, _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        try walk(path).visit(source, rows, body)
    }

    /// Returns the positions of the rows for which a condition holds.
    func passing(_ predicate: BoundPredicate, of rows: BatchRows) throws(StoreError) -> Bitmap {
        try conditions.passing(predicate, source, rows, reader)
    }

    private func walk(_ path: BoundPath) -> PathEvaluator {
        PathEvaluator(path: path, classes: reader.classes)
    }

    private func values(
        _ function: ScalarFunction, _ arguments: [BoundExpression], _ rows: BatchRows,
        into kind: ValueTag
    ) throws(StoreError) -> ColumnVector {
        let vectors = try arguments.map { argument throws(StoreError) in
            try values(argument, of: rows)
        }
        return try FunctionVectors(
            function: function, arguments: arguments, vectors: vectors, kind: kind,
            count: rows.count, checkStopped: reader.checkStopped
        ).values()
    }

    /// Returns the number of objects of a path that pass a predicate, for each row.
    private func count(
        _ objects: ObjectPath, _ outer: [BoundExpression], _ predicate: BoundPredicate,
        _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        if outer.isEmpty,
            let counts = try joined(objects, rows, { .passing($0, objects.target, predicate) })
        {
            return counts
        }
        var counts = ColumnVector(repeating: .int(0), kind: .int, count: rows.count)
        guard outer.isEmpty else {
            let values = try outer.map { value throws(StoreError) in
                try self.values(value, of: rows)
            }
            try walk(objects.path).visitObjects(source, rows) { batch throws(StoreError) in
                try OuterValues.forEachOwner(
                    ofPassing: predicate, objects.target, values, batch, reader
                ) { counts.ints[Int($0)] += 1 }
            }
            return counts
        }
        let test = try reader.test(of: objects.target, predicate)
        try walk(objects.path).visitObjects(source, rows) { batch throws(StoreError) in
            let passing = try test.passing(batch.rows)
            for (index, owner) in batch.owners.enumerated() where passing[index] {
                counts.ints[Int(owner)] += 1
            }
        }
        return counts
    }

    /// Returns an aggregate over the objects of a path, for each row.
    ///
    /// A sum of Ints that leaves the 64-bit range is null, as in arithmetic.
    private func aggregate(
        _ aggregate: BoundAggregate, of objects: ObjectPath, _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        if let values = try joined(objects, rows, { .aggregate($0, aggregate) }) { return values }
        var accumulators = Accumulators(aggregate, count: rows.count)
        try walk(objects.path).visitObjects(source, rows) { batch throws(StoreError) in
            guard let expression = aggregate.expression else {
                return accumulators.addCounts(batch.owners)
            }
            let evaluator = ExpressionEvaluator(source: batch.source, reader: reader)
            var values = ColumnVector(kind: expression.kind)
            try evaluator.append(expression, of: batch.rows, into: &values)
            accumulators.add(values, owners: batch.owners)
        }
        accumulators.finish()
        var result = ColumnVector(kind: aggregate.type.columnKind)
        for row in 0..<rows.count { result.append(accumulators.value(row)) }
        return result
    }

    /// Returns an aggregate over the objects of a join, for each row; `nil` if the path does not
    /// begin with a join, or if the objects have to be visited.
    ///
    /// - Parameter aggregate: returns the aggregate over the path from an object of the join.
    private func joined(
        _ objects: ObjectPath, _ rows: BatchRows, _ aggregate: (BoundPath) -> JoinedAggregate
    ) throws(StoreError) -> ColumnVector? {
        guard case .lookup(let join)? = objects.path.steps.first else { return nil }
        return try reader.classes.lookup(join).aggregates(
            aggregate(objects.path.withoutFirstStep(join.target)), source, rows, reader.classes)
    }

    /// Returns all values of a multi-valued path as one list per row.
    private func mapped(
        _ path: BoundPath, _ rows: BatchRows, _ empty: ColumnVector
    ) throws(StoreError) -> ColumnVector {
        var lists = empty
        var ends = [UInt32](repeating: 0, count: rows.count + 1)
        try walk(path).visit(source, rows) { owners, values in
            for owner in owners { ends[Int(owner) + 1] += 1 }
            lists.children[0].append(values)
        }
        for row in 0..<rows.count { ends[row + 1] += ends[row] }
        lists.offsets = ends
        lists.count = rows.count
        return lists
    }
}
