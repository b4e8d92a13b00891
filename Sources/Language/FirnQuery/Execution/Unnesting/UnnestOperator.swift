import FirnCodec
import FirnEngine
import FirnValues

/// Delivers one row for each element of collections.
///
/// The rows of some objects are made together, and kept in pages that can be on disk.
struct UnnestOperator {
    /// The number of objects whose elements are in memory together.
    private static let objectCountMax = 256

    /// The number of listed values that are in memory together.
    private static let listedCountMax = 8_192

    private let unnest: BoundUnnest
    /// The columns that later stages use and whose values are stored, ascending.
    private let stored: [Int]
    /// The columns that later stages use and whose values the rows of each object repeat.
    private let repeated: [Int: ColumnVector]
    /// The number of rows of each object, if all elements are listed values; otherwise `nil`.
    private let listCount: Int?

    init(_ unnest: BoundUnnest) {
        self.unnest = unnest
        var counts: Set<Int> = []
        for column in unnest.columns {
            switch column.content {
            case .element: counts.insert(0)
            case .listed(let values): counts.insert(values.count)
            case .input, .position: break
            }
        }
        let listCount = counts.count == 1 && counts != [0] ? counts.first : nil
        self.listCount = listCount
        let used = unnest.columns.indices.filter { unnest.columns[$0].isUsed }
        var repeated: [Int: ColumnVector] = [:]
        if let listCount, listCount > 0 {
            for index in used { repeated[index] = unnest.columns[index].constants(listCount) }
        }
        self.repeated = repeated
        stored = used.filter { repeated[$0] == nil }
    }

    /// Returns all rows, in the order of the objects and of their elements.
    func rows(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> PagedRows {
        let snapshot = evaluator.reader.snapshot
        let file = snapshot.makeSpillFile(memoryByteCount: snapshot.statementByteCount / 2)
        // A page has at least one column, which has the number of its rows.
        let kinds = stored.isEmpty ? [.int] : stored.map { kind(of: unnest.columns[$0]) }
        var unnesting = try stream.consumed(evaluator) { evaluator in
            Unnesting(by: self, evaluator, into: PagedRows.Writer(kinds, to: file))
        }.result
        return try unnesting.writer.rows(
            columns: unnest.columns.indices.map { index in
                if let values = repeated[index] { return .repeated(values) }
                return stored.firstIndex(of: index).map { .stored($0) } ?? .unused
            })
    }

    /// The rows of some objects.
    private struct Unnesting: ScanConsumer {
        private let unnest: UnnestOperator
        private let evaluator: ExpressionEvaluator
        var writer: PagedRows.Writer

        init(
            by unnest: UnnestOperator, _ evaluator: ExpressionEvaluator,
            into writer: PagedRows.Writer
        ) {
            self.unnest = unnest
            self.evaluator = evaluator
            self.writer = writer
        }

        mutating func add(_ batch: RowBatch) throws(StoreError) {
            try evaluator.reader.checkStopped()
            switch batch {
            case .run(let run):
                for rows in run.slices(of: unnest.objectCountMax) {
                    try writer.append(try unnest.made(of: rows, evaluator))
                }
            case .scattered(var references):
                while !references.isEmpty {
                    let rows = BatchRows(references.prefix(unnest.objectCountMax))
                    try writer.append(try unnest.made(of: rows, evaluator))
                    references = references.dropFirst(unnest.objectCountMax)
                }
            }
        }

        mutating func finish() throws(StoreError) { try writer.finish() }

        mutating func merge(_ later: Unnesting) { writer.merge(later.writer) }
    }

    private var objectCountMax: Int {
        listCount.map { max(1, Self.listedCountMax / $0) } ?? Self.objectCountMax
    }

    private func kind(of column: BoundUnnest.Column) -> ValueTag { column.type.columnKind }

    /// The elements of some objects, in the order of the objects.
    private struct Elements {
        var owners: [UInt32] = []
        var values: ColumnVector
        /// The position of the first element of each object, and the number of all elements.
        var starts: [Int] = []

        /// Orders the elements by their objects.
        mutating func order() {
            let isOrdered = owners.withUnsafeBufferPointer { owners in
                for index in owners.indices.dropFirst() where owners[index] < owners[index - 1] {
                    return false
                }
                return true
            }
            guard !isOrdered else { return }
            let order = owners.indices.sorted { (owners[$0], $0) < (owners[$1], $1) }
            values = values.picking(order.map { UInt32(truncatingIfNeeded: $0) })
            owners = order.map { owners[$0] }
        }

        mutating func findStarts(_ objectCount: Int) {
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

    /// Returns the stored columns of the rows of some objects; if there are none, returns numbers
    /// of the rows.
    private func made(
        of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector] {
        if let listCount { return try made(of: rows, listCount, evaluator) }
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
        for index in elements.keys {
            elements[index]?.findStarts(rows.count)
            elements[index]?.values.append(.null)
        }
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
        guard !stored.isEmpty else { return [positions] }
        var vectors: [ColumnVector] = []
        for index in stored {
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

    /// Returns the stored columns if the elements of a single collection are the rows.
    private func madeOfOne(
        _ elements: [Int: Elements], _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector]? {
        let usesPosition = stored.contains { unnest.columns[$0].content == .position }
        guard !unnest.keepsEmpty, !usesPosition, !stored.isEmpty, elements.count == 1,
            let list = elements.values.first
        else { return nil }
        var vectors: [ColumnVector] = []
        for index in stored {
            if case .input(let expression) = unnest.columns[index].content {
                vectors.append(try evaluator.values(expression, of: rows).picking(list.owners))
            } else {
                vectors.append(list.values)
            }
        }
        return vectors
    }

    /// Returns the stored columns if all objects have the same number of listed values.
    private func made(
        of rows: BatchRows, _ count: Int, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector] {
        var vectors: [ColumnVector] = []
        for index in stored {
            let column = unnest.columns[index]
            switch column.content {
            case .position: preconditionFailure("the rows of each object have these in turn")
            case .input(let expression), .element(let expression):
                let owners = Self.places(rows.count, count) { object, _ in object }
                vectors.append(try evaluator.values(expression, of: rows).picking(owners))
            case .listed(let expressions):
                vectors.append(try values(expressions, kind(of: column), of: rows, evaluator))
            }
        }
        return stored.isEmpty ? [Self.positions(rows.count, count)] : vectors
    }

    /// Returns the positions of the elements of some objects with the same number of elements each.
    private static func positions(_ objectCount: Int, _ count: Int) -> ColumnVector {
        var positions = ColumnVector(kind: .int)
        positions.ints = places(objectCount, count) { _, number in number }.map { Int64($0) }
        positions.count = positions.ints.count
        return positions
    }

    /// Returns a number for each element of some objects with the same number of elements each.
    @inline(__always)
    private static func places(
        _ objectCount: Int, _ count: Int, _ place: (_ object: UInt32, _ number: UInt32) -> UInt32
    ) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: objectCount * count) { places, filled in
            var next = 0
            for object in 0..<UInt32(truncatingIfNeeded: objectCount) {
                for number in 0..<UInt32(truncatingIfNeeded: count) {
                    places[next] = place(object, number)
                    next += 1
                }
            }
            filled = next
        }
    }

    /// Returns the values of some expressions, object by object.
    private func values(
        _ expressions: [BoundExpression], _ kind: ValueTag, of rows: BatchRows,
        _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> ColumnVector {
        var columns = ColumnVector(kind: kind)
        for expression in expressions {
            columns.append(try evaluator.values(expression, of: rows).converted(to: kind))
        }
        let objectCount = UInt32(truncatingIfNeeded: rows.count)
        return columns.picking(
            Self.places(rows.count, expressions.count) { object, number in
                number &* objectCount &+ object
            })
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
        found.order()
        return found
    }

    /// Returns the values of some expressions as elements of each object.
    private func listed(
        _ expressions: [BoundExpression], _ column: BoundUnnest.Column, of rows: BatchRows,
        _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> Elements {
        Elements(
            owners: Self.places(rows.count, expressions.count) { object, _ in object },
            values: try values(expressions, kind(of: column), of: rows, evaluator))
    }
}

extension BoundUnnest.Column {
    /// Returns the values that the rows of each object repeat; `nil` if they depend on it.
    fileprivate func constants(_ count: Int) -> ColumnVector? {
        var vector = ColumnVector(kind: type.columnKind)
        switch content {
        case .position:
            for number in 0..<count { vector.append(.int(Int64(number))) }
        case .listed(let expressions):
            for expression in expressions {
                guard case .constant(let value) = expression else { return nil }
                vector.append(converting: value)
            }
        case .input, .element: return nil
        }
        return vector
    }
}
