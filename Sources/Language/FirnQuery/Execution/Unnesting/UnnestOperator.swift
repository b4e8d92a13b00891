import FirnCodec
import FirnEngine
import FirnValues

/// Delivers one row for each element of collections.
///
/// The rows of some objects are made together, and kept in pages that can be on disk.
struct UnnestOperator {
    /// The objects whose elements are in memory together.
    private static let objectCountMax = 256

    private let unnest: BoundUnnest
    /// The columns that later stages use.
    private let used: [Int]

    init(_ unnest: BoundUnnest) {
        self.unnest = unnest
        used = unnest.columns.indices.filter { unnest.columns[$0].isUsed }
    }

    /// Returns all rows, in the order of the objects and of their elements.
    func rows(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> PagedRows {
        let snapshot = evaluator.reader.snapshot
        let file = snapshot.makeSpillFile(memoryByteCount: snapshot.statementByteCount / 2)
        // A page has at least one column, which has the number of its rows.
        let kinds = used.isEmpty ? [.int] : used.map { kind(of: unnest.columns[$0]) }
        var writer = PagedRows.Writer(kinds, to: file)
        while let batch = try stream.next() {
            try evaluator.reader.checkStopped()
            switch batch {
            case .run(let run):
                for rows in run.slices(of: Self.objectCountMax) {
                    try writer.append(try made(of: rows, evaluator))
                }
            case .scattered(let references):
                var rest = references
                while !rest.isEmpty {
                    let rows = BatchRows(rest.prefix(Self.objectCountMax))
                    try writer.append(try made(of: rows, evaluator))
                    rest = rest.dropFirst(Self.objectCountMax)
                }
            }
        }
        return try writer.finish(places: unnest.columns.indices.map { used.firstIndex(of: $0) })
    }

    private func kind(of column: BoundUnnest.Column) -> ValueTag { column.type.columnKind }

    /// The elements of some objects, in the order of the objects.
    private struct Elements {
        var owners: [UInt32] = []
        var values: ColumnVector
        /// The position of the first element of each object, and the number of all.
        var starts: [Int] = []

        mutating func finish(_ objectCount: Int) {
            if zip(owners, owners.dropFirst()).contains(where: { $0 > $1 }) {
                let order = owners.indices.sorted { (owners[$0], $0) < (owners[$1], $1) }
                values = values.picking(order.map { UInt32(truncatingIfNeeded: $0) })
                owners = order.map { owners[$0] }
            }
            starts = Array(repeating: 0, count: objectCount + 1)
            for owner in owners { starts[Int(owner) + 1] += 1 }
            for index in 0..<objectCount { starts[index + 1] += starts[index] }
        }

        func count(_ object: Int) -> Int { starts[object + 1] - starts[object] }

        /// Returns the position of an element, or of the null after all.
        func position(_ object: Int, _ number: Int) -> UInt32 {
            let position = number < count(object) ? starts[object] + number : owners.count
            return UInt32(truncatingIfNeeded: position)
        }
    }

    /// Returns the used columns of the rows of some objects; without any, numbers of the rows.
    private func made(
        of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector] {
        var elements: [Int: Elements] = [:]
        for (index, column) in unnest.columns.enumerated() {
            switch column.content {
            case .element(let expression):
                elements[index] = try self.elements(expression, column, of: rows, evaluator)
            case .listed(let values):
                elements[index] = try listed(values, column, of: rows, evaluator)
            case .input, .position: break
            }
        }
        if let vectors = try madeOfOne(elements, rows, evaluator) { return vectors }
        var owners: [UInt32] = []
        var numbers: [Int64] = []
        // A shorter collection has null beside the rest of a longer one.
        for index in elements.keys { elements[index]?.values.append(.null) }
        let lists = Array(elements.values)
        for object in 0..<rows.count {
            var count = unnest.keepsEmpty ? 1 : 0
            for list in lists { count = max(count, list.count(object)) }
            owners += repeatElement(UInt32(truncatingIfNeeded: object), count: count)
            for number in 0..<count { numbers.append(Int64(number)) }
        }
        var positions = ColumnVector(kind: .int)
        positions.ints = numbers
        positions.count = numbers.count
        guard !used.isEmpty else { return [positions] }
        var vectors: [ColumnVector] = []
        for index in used {
            switch unnest.columns[index].content {
            case .position: vectors.append(positions)
            case .input(let expression):
                vectors.append(try evaluator.values(expression, of: rows).picking(owners))
            case .element, .listed:
                guard let list = elements[index] else { continue }
                let picked = zip(owners, numbers).map { list.position(Int($0), Int($1)) }
                vectors.append(list.values.picking(picked))
            }
        }
        return vectors
    }

    /// Returns the used columns if the elements of a single collection are the rows.
    private func madeOfOne(
        _ elements: [Int: Elements], _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector]? {
        let usesPosition = used.contains { unnest.columns[$0].content == .position }
        guard !unnest.keepsEmpty, !usesPosition, !used.isEmpty, elements.count == 1,
            let list = elements.values.first
        else { return nil }
        var vectors: [ColumnVector] = []
        for index in used {
            if case .input(let expression) = unnest.columns[index].content {
                vectors.append(try evaluator.values(expression, of: rows).picking(list.owners))
            } else {
                vectors.append(list.values)
            }
        }
        return vectors
    }

    private func elements(
        _ expression: BoundExpression, _ column: BoundUnnest.Column, of rows: BatchRows,
        _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> Elements {
        var found = Elements(values: ColumnVector(kind: kind(of: column)))
        guard let path = expression.elementPath else { return found }
        try evaluator.visit(path, rows) { owners, values throws(StoreError) in
            found.owners += owners
            found.values.append(
                try evaluator.values(expression, of: rows, elements: values, owners: owners))
        }
        found.finish(rows.count)
        return found
    }

    /// Returns the values of some expressions as elements of each object.
    private func listed(
        _ expressions: [BoundExpression], _ column: BoundUnnest.Column, of rows: BatchRows,
        _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> Elements {
        let kind = kind(of: column)
        var columns = ColumnVector(kind: kind)
        for expression in expressions {
            columns.append(try evaluator.values(expression, of: rows).converted(to: kind))
        }
        let objects = 0..<UInt32(truncatingIfNeeded: rows.count)
        let numbers = 0..<UInt32(truncatingIfNeeded: expressions.count)
        let places = objects.flatMap { object in
            numbers.map { $0 &* objects.upperBound &+ object }
        }
        var found = Elements(
            owners: objects.flatMap { repeatElement($0, count: expressions.count) },
            values: columns.picking(places))
        found.finish(rows.count)
        return found
    }
}
