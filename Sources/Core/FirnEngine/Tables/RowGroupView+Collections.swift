import FirnCodec
import FirnPlatform
import FirnValues

extension RowGroupView {
    /// Returns the collections of a property, with the changes of the overlay applied.
    ///
    /// - Complexity: O(rows) if the overlay does not change them, O(elements) otherwise
    package func collection(_ property: PropertySchema) throws(StoreError) -> CollectionColumn {
        let base = try baseCollection(property)
        guard let patch, patch.changes(property.id) else { return base }
        let values = patch.values[property.id] ?? RowMap()
        let edited = patch.edited[property.id] ?? RowMap()
        return try pages.whileCoding { () throws(CodecError) in
            let builder = CollectionBuilder(property)
            for row in 0..<UInt32(rowCount) {
                if let value = values[row] {
                    try builder.append(value)
                } else if let collection = edited[row] {
                    builder.append(outOfLine: .edited(collection))
                } else if let large = base.outOfLine[row] {
                    builder.append(outOfLine: large)
                } else {
                    builder.append(base, row: Int(row))
                }
            }
            return try builder.makeColumn()
        }
    }

    /// Returns the collections of the group without the overlay.
    func baseCollection(_ property: PropertySchema) throws(StoreError) -> CollectionColumn {
        switch source {
        case .memory(let group):
            let column = try pages.coding(group.collection(property.id))
            if let column { return column }
        case .stored(let group):
            if let lengths = group.column(property.id) {
                do throws(StoreError) {
                    return try storedCollection(property, group, lengths)
                } catch {
                    throw mistake(property) ?? error
                }
            }
        }
        if let mistake = mistake(property) { throw mistake }
        // The property is newer than the group.
        return try pages.whileCoding { () throws(CodecError) in
            let builder = CollectionBuilder(property)
            for _ in 0..<rowCount { builder.endRow() }
            return try builder.makeColumn()
        }
    }

    /// Returns one collection of the group without the overlay and without reading other rows.
    func baseCollection(
        _ property: PropertySchema, at row: Int
    ) throws(StoreError) -> BaseCollection {
        switch source {
        case .memory(let group):
            if let value = group.value(property.id, at: row) { return .inline(value) }
            let column = try pages.coding(group.collection(property.id))
            guard let column else { break }
            return .inline(try column.value(at: row))
        case .stored(let group):
            guard let column = group.column(property.id) else { break }
            let lengths = try self.lengths(property, group, column)
            guard lengths.outOfLine.contains(UInt32(row)) else {
                return .inline(try inlineValue(property, group, lengths, at: row))
            }
            return .large(try largeCollection(property, at: row))
        }
        // The property is newer than the group.
        return .inline(property.type.emptyCollection)
    }

    private func inlineValue(
        _ property: PropertySchema, _ group: RowGroup, _ lengths: CollectionLengths, at row: Int
    ) throws(StoreError) -> Value {
        guard let elements = try part(.elements, property, group, kind: property.columnKind) else {
            guard lengths.elementCount == 0 else { throw damagedLengths(property) }
            return property.type.emptyCollection
        }
        guard lengths.elementCount == elements.rowCount else { throw damagedLengths(property) }
        var keys: ColumnPage?
        if property.type.container == .map {
            keys = try part(.keys, property, group, kind: .string)
            guard keys?.rowCount == elements.rowCount else { throw damagedLengths(property) }
        }
        return CollectionColumn(
            property: property, starts: lengths.starts, elements: elements, keys: keys,
            outOfLine: [:]
        ).inlineValue(at: row)
    }

    private func largeCollection(
        _ property: PropertySchema, at row: Int
    ) throws(StoreError) -> LargeCollection {
        try LargeCollection(
            record.tree(.collections(property.id), in: pages),
            row: try rowID(at: row), container: property.type.container)
    }

    /// Returns the rows of the group whose elements are in the collection tree, ignoring the
    /// overlay.
    func outOfLineRows(_ property: PropertySchema) throws(StoreError) -> Set<UInt32> {
        guard case .stored(let group) = source, let column = group.column(property.id),
            column.zone.minimum == .int(ColumnPart.outOfLine)
        else { return [] }
        return try lengths(property, group, column).outOfLine
    }

    private func storedCollection(
        _ property: PropertySchema, _ group: RowGroup, _ column: StoredColumn
    ) throws(StoreError) -> CollectionColumn {
        let lengths = try self.lengths(property, group, column)
        var outOfLine: [UInt32: OutOfLine] = [:]
        for row in lengths.outOfLine {
            outOfLine[row] = .stored(try largeCollection(property, at: Int(row)))
        }
        var elements = try part(.elements, property, group, kind: property.columnKind)
        if elements == nil { elements = try emptyColumn(property.columnKind) }
        guard let elements else { throw damagedLengths(property) }
        let elementCount = elements.rowCount
        guard lengths.elementCount == elementCount else { throw damagedLengths(property) }
        var keys: ColumnPage?
        if property.type.container == .map {
            keys = try part(.keys, property, group, kind: .string)
            guard (keys?.rowCount ?? 0) == elementCount else { throw damagedLengths(property) }
            if keys == nil { keys = try emptyColumn(.string) }
        }
        return CollectionColumn(
            property: property, starts: lengths.starts,
            elements: elements, keys: keys, outOfLine: outOfLine)
    }

    private func lengths(
        _ property: PropertySchema, _ group: RowGroup, _ column: StoredColumn
    ) throws(StoreError) -> CollectionLengths {
        let lengths = try pages.object(of: column.reference) {
            () throws(StoreError) -> CollectionLengths? in
            CollectionLengths(
                try pages.column(
                    column.reference, kind: .int, rowCount: group.rowCount,
                    context: "column \(property.name) of \(schema.name)"))
        }
        guard let lengths, lengths.starts.count == group.rowCount + 1 else {
            throw damagedLengths(property)
        }
        return lengths
    }

    private func part(
        _ part: ColumnPart, _ property: PropertySchema, _ group: RowGroup, kind: ValueTag
    ) throws(StoreError) -> ColumnPage? {
        guard let column = group.column(property.id, part) else { return nil }
        return try pages.column(
            column.reference, kind: kind, rowCount: column.zone.rowCount,
            context: "\(part) of \(property.name) of \(schema.name)")
    }

    private func emptyColumn(_ kind: ValueTag) throws(StoreError) -> ColumnPage {
        try pages.coding(ColumnBuilder(kind: kind).makePage())
    }

    private func damagedLengths(_ property: PropertySchema) -> StoreError {
        .corrupt(
            pages.file.path,
            "the lengths of \(property.name) of \(schema.name) do not agree with its elements")
    }
}
