import FirnCodec
import FirnEngine
import FirnValues

/// Delivers one row for each element of collections.
///
/// The rows of some objects are made together, and kept in pages that can be on disk.
struct UnnestOperator {
    /// The objects whose elements are in memory together.
    private static let objectCountMax = 256
    /// The bytes of values from which a page is full.
    private static let pageByteCountMax = 4 << 20

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
        var pages: [PagedRows.Page] = []
        var page = kinds.map { ColumnVector(kind: $0) }
        var first: Int64 = 0
        func flush() throws(StoreError) {
            let count = page[0].count
            guard count > 0 else { return }
            try evaluator.reader.checkStopped()
            pages.append(try PagedRows.Page(page, first: first, in: file))
            first += Int64(count)
            page = kinds.map { ColumnVector(kind: $0) }
        }
        func add(_ rows: BatchRows) throws(StoreError) {
            let made = try made(of: rows, evaluator)
            if page[0].count + made[0].count <= PagedRows.rowsPerPage {
                for index in page.indices { page[index].append(made[index]) }
                let bytes = page.reduce(0) { $0 + $1.valueByteCount }
                return bytes >= Self.pageByteCountMax ? try flush() : ()
            }
            var start = 0
            while start < made[0].count {
                let room = PagedRows.rowsPerPage - page[0].count
                let end = min(made[0].count, start + room)
                let part = (start..<end).map { UInt32(truncatingIfNeeded: $0) }
                for index in page.indices { page[index].append(made[index], rows: part[...]) }
                start = end
                let bytes = page.reduce(0) { $0 + $1.valueByteCount }
                if page[0].count == PagedRows.rowsPerPage || bytes >= Self.pageByteCountMax {
                    try flush()
                }
            }
        }
        while let batch = try stream.next() {
            switch batch {
            case .run(let run): for rows in run.slices(of: Self.objectCountMax) { try add(rows) }
            case .scattered(let references):
                var rest = references
                while !rest.isEmpty {
                    try add(BatchRows(rest.prefix(Self.objectCountMax)))
                    rest = rest.dropFirst(Self.objectCountMax)
                }
            }
        }
        try flush()
        let places = unnest.columns.indices.map { used.firstIndex(of: $0) }
        return PagedRows(file, pages, kinds: kinds, places: places)
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
            guard case .element(let expression) = column.content else { continue }
            elements[index] = try self.elements(expression, column, of: rows, evaluator)
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
            case .element:
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
}
