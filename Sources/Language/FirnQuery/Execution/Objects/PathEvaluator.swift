import FirnCodec
import FirnEngine
import FirnValues

/// Evaluates a path for a batch of rows, one step at a time for all rows.
///
/// Values are delivered in chunks, each value with the row of the batch that it belongs to. A
/// collection of any size therefore needs no more memory than a chunk. Rows are in the order of the
/// batch, and the values of a row in the order of the path. The order differs only after `@links`.
struct PathEvaluator {
    /// The number of elements that are processed together.
    static let chunkCountMax = 8_192
    /// The number of whole collections that are processed together.
    private static let nestedRowCount = 64

    typealias Chunk = (
        _ owners: [UInt32], _ values: ColumnVector
    ) throws(StoreError) -> Void

    let path: BoundPath
    let classes: OpenedClasses

    /// Visits all values of the rows.
    func visit(
        _ source: any RowSource, _ rows: BatchRows, _ body: Chunk
    ) throws(StoreError) {
        try walk(path.steps[...], PathBatch(source, rows)) { batch throws(StoreError) in
            guard let measure = path.measure else { return try values(of: batch, body) }
            try values(of: batch) { owners, values throws(StoreError) in
                try body(owners, measure.values(of: values, path))
            }
        }
    }

    /// Visits the objects at the end of the steps.
    ///
    /// - Parameter dropping: the number of steps at the end of the path that are not taken.
    func visitObjects(
        _ source: any RowSource, _ rows: BatchRows, dropping: Int = 0,
        _ body: (PathBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
        try walk(path.steps.dropLast(dropping), PathBatch(source, rows), body)
    }

    private func walk(
        _ steps: ArraySlice<BoundPath.Step>, _ batch: PathBatch,
        _ body: (PathBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard batch.rows.count > 0 else { return }
        guard let step = steps.first else { return try body(batch) }
        let rest = steps.dropFirst()
        func follow(
            _ ids: ColumnVector, _ owners: [UInt32], _ target: ClassSchema
        ) throws(StoreError) {
            try walk(rest, try PathBatch(following: ids, owners, to: target, classes), body)
        }
        switch step {
        case .link(let property, let target):
            let ids = try batch.source.values(.property(property), of: batch.rows)
            try follow(ids, batch.owners, target)
        case .elements(let property, let target):
            try ElementIterator(property, batch).visit { owners, ids throws(StoreError) in
                try follow(ids, owners, target)
            }
        case .element(let property, let position, let target):
            let ids = try ElementIterator(property, batch).values(at: position)
            try follow(ids, batch.owners, target)
        case .mapValue(let property, let key, let target):
            let ids = try ElementIterator(property, batch).values(forKey: key)
            try follow(ids, batch.owners, target)
        case .backlinks(let property, let source):
            try backlinks(batch, property, source) { owners, ids throws(StoreError) in
                try follow(ids, owners, source)
            }
        case .lookup(let join):
            try classes.lookup(join).visitTargets(batch.source, batch.rows, classes) {
                owners, ids throws(StoreError) in
                try follow(ids, owners.map { batch.owners[Int($0)] }, join.target)
            }
        case .allBacklinks:
            guard let objects = batch.source as? any ObjectSource else { return }
            for link in classes.snapshot.schema.incoming(to: objects.schema.id) {
                try backlinks(batch, link.property, link.source) {
                    owners, ids throws(StoreError) in
                    try follow(ids, owners, link.source)
                }
            }
        }
    }

    private func backlinks(
        _ batch: PathBatch, _ property: PropertySchema, _ source: ClassSchema, _ body: Chunk
    ) throws(StoreError) {
        try BacklinkWalk(batch, property, source, classes)?.visit(body)
    }

    private func values(of batch: PathBatch, _ body: Chunk) throws(StoreError) {
        switch path.terminal {
        case .column(let column):
            try body(batch.owners, try batch.source.values(column, of: batch.rows))
        case .object:
            try body(batch.owners, try batch.source.rowIDs(of: batch.rows))
        case .elements(let property):
            try ElementIterator(property, batch).visit(body)
        case .keys(let property):
            try ElementIterator(property, batch, part: .keys).visit(body)
        case .element(let property, let position):
            try body(batch.owners, try ElementIterator(property, batch).values(at: position))
        case .mapValue(let property, let key):
            try body(batch.owners, try ElementIterator(property, batch).values(forKey: key))
        case .nested(let property, let inner): try nested(property, inner, batch, body)
        case .collection(let property):
            try body(batch.owners, try ElementIterator(property, batch).whole())
        }
    }

    /// Reads collections of Any a few at a time, because they can be large.
    private func nested(
        _ property: PropertySchema, _ inner: [BoundPath.Inner], _ batch: PathBatch,
        _ body: Chunk
    ) throws(StoreError) {
        let isSingle = property.type.container == .single
        let kind = path.measure == nil ? path.type.columnKind : .any
        let count = batch.rows.count
        var found = ColumnVector(kind: kind)
        var owners: [UInt32] = []
        var start = 0
        while start < count {
            let end = isSingle ? count : min(count, start + Self.nestedRowCount)
            let part = PathBatch(
                source: batch.source, owners: Array(batch.owners[start..<end]),
                rows: batch.rows.part(start..<end))
            start = end
            let outer =
                isSingle
                ? try part.source.values(.property(property), of: part.rows)
                : try ElementIterator(property, part).whole()
            let values = try NestedValues(outer, inner, kind: kind, classes)
            owners += values.positions.map { part.owners[Int($0)] }
            found.append(values.values)
            // A path that is not multi-valued delivers all values at once.
            if path.isMultiple, owners.count >= Self.chunkCountMax {
                try body(owners, found)
                owners = []
                found = ColumnVector(kind: kind)
            }
        }
        try body(owners, found)
    }
}

extension BoundPath.Measure {
    /// Applies the measure of a path to values.
    ///
    /// - Parameter path: determines whether integers are links.
    fileprivate func values(of values: ColumnVector, _ path: BoundPath) -> ColumnVector {
        switch self {
        case .length:
            var lengths = ColumnVector(kind: .int)
            for row in 0..<values.count {
                switch values.value(at: row) {
                case .string(let text): lengths.append(.int(Int64(text.utf8.count)))
                case .data(let bytes): lengths.append(.int(Int64(bytes.count)))
                default: lengths.append(.null)
                }
            }
            return lengths
        case .typeName: return TypeNameVectors.of(values, isLink: path.endsInLinks)
        }
    }
}

extension BoundPath {
    /// Whether the integers at the end of the path are row ids.
    var endsInLinks: Bool {
        switch terminal {
        case .object: true
        case .column(.property(let property)), .elements(let property),
            .element(let property, _), .mapValue(let property, _):
            property.type.base == .link
        case .column, .keys, .nested, .collection: false
        }
    }
}

extension PathEvaluator {
    /// Returns one value per row for a path that is not multi-valued; null if no object is reached.
    func singleValues(
        _ source: any RowSource, _ rows: BatchRows
    ) throws(StoreError) -> ColumnVector {
        if path.steps.count == 1, case .lookup(let join) = path.steps[0], path.measure == nil,
            let column = path.terminal.column,
            let values = try classes.lookup(join).values(column, source, rows, classes)
        {
            return values
        }
        var result: ColumnVector?
        try visit(source, rows) { owners, values in
            result = values.spread(to: owners, of: rows.count)
        }
        if let result { return result }
        var empty = ColumnVector(of: path.type)
        for _ in 0..<rows.count { empty.appendNull() }
        return empty
    }
}

extension BoundPath.Terminal {
    /// The column of the values; `nil` if they are parts of a value, or come from several columns.
    fileprivate var column: BoundColumn? {
        switch self {
        case .column(let column): column
        case .object: .rowID
        case .elements, .keys, .element, .mapValue, .nested, .collection: nil
        }
    }
}
