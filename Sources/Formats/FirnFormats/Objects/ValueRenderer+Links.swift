import FirnCodec
package import FirnEngine
import FirnQuery
import FirnText
package import FirnValues

extension ValueRenderer {
    /// Returns the texts of links: objects if they are embedded or requested, otherwise keys.
    func links(
        _ vector: ColumnVector, _ context: Context
    ) throws(StoreError) -> TextColumn {
        guard let target = context.type.target.flatMap({ lookup.schema[$0] }) else {
            throw StoreError(.corrupt, path: "", detail: "a link to a class that does not exist")
        }
        let canNest = (context.level?.depth ?? 0) < ObjectLevel.depthMax
        let isNested = canNest && (target.isEmbedded || context.depth > 0)
        var nested: [RowID] = []
        var owners: [Int] = []
        var named: [RowID] = []
        var isNestedAt = [Bool](repeating: false, count: vector.count)
        for index in 0..<vector.count where !vector.isNull(index) {
            let row = RowID(UInt64(bitPattern: vector.ints[index]))
            let owner = context.owners.isEmpty ? 0 : context.owners[index]
            // An object inside itself would be endless.
            if isNested, context.level?.contains(row, of: target.id, at: owner) != true {
                isNestedAt[index] = true
                nested.append(row)
                owners.append(owner)
            } else {
                named.append(row)
            }
        }
        let names = try keyTexts(named, target, context.style)
        let objects = try objects(
            ObjectLevel(target.id, rows: nested, parents: owners, outer: context.level), target,
            depth: target.isEmbedded ? context.depth : context.depth - 1)
        return merge(vector, isNestedAt, objects, names)
    }

    private func merge(
        _ vector: ColumnVector, _ isNestedAt: [Bool], _ objects: TextColumn, _ names: KeyTexts
    ) -> TextColumn {
        let texts = TextColumn()
        var next = 0
        for index in 0..<vector.count {
            if vector.isNull(index) {
                texts.buffer.append("null")
            } else if isNestedAt[index] {
                texts.append(next, of: objects)
                next += 1
            } else {
                names.append(RowID(UInt64(bitPattern: vector.ints[index])), to: texts)
            }
            texts.endText()
        }
        return texts
    }

    /// Returns one text per object of a level.
    private func objects(
        _ level: ObjectLevel, _ schema: ClassSchema, depth: Int
    ) throws(StoreError) -> TextColumn {
        let texts = TextColumn()
        guard !level.rows.isEmpty else { return texts }
        let rows = ValueRenderer.distinct(level.rows)
        let indices = level.rows.map { UInt32(ValueRenderer.index(of: $0, in: rows)) }
        let owners = Array(level.rows.indices)
        var values: [TextColumn] = []
        for property in schema.properties {
            let found = try lookup.column(property, of: schema, rows: rows)
            var vector = ColumnVector(of: property.type)
            vector.append(found, rows: indices[...])
            values.append(
                try self.texts(
                    vector,
                    Context(
                        type: property.type, display: property.display, level: level,
                        owners: owners, depth: depth)))
        }
        let labels = schema.properties.map { property in
            var label = TextBuffer(capacity: 64)
            label.append(jsonString: property.name)
            label.append(UInt8(ascii: ":"))
            return Array(label.bytes)
        }
        let showsRow = schema.key == nil && !schema.isEmbedded
        for (index, row) in level.rows.enumerated() {
            texts.buffer.append(UInt8(ascii: "{"))
            if showsRow {
                texts.buffer.append("\"$id\":")
                append(row, to: texts)
            }
            for (column, label) in labels.enumerated() {
                if column > 0 || showsRow { texts.buffer.append(UInt8(ascii: ",")) }
                texts.buffer.append(label)
                texts.append(index, of: values[column])
            }
            texts.buffer.append(UInt8(ascii: "}"))
            texts.endText()
        }
        return texts
    }

    /// Appends the number of an object.
    func append(_ row: RowID, to texts: TextColumn) {
        if options.quotesInt64 { texts.buffer.append(UInt8(ascii: "\"")) }
        texts.buffer.append(unsigned: row.rawValue)
        if options.quotesInt64 { texts.buffer.append(UInt8(ascii: "\"")) }
    }

    /// Returns the rows in ascending order without duplicates.
    package static func distinct(_ rows: [RowID]) -> [RowID] {
        var distinct: [RowID] = []
        for row in rows.sorted() where distinct.last != row { distinct.append(row) }
        return distinct
    }

    /// Returns the index of a row among ascending rows that contain it.
    static func index(of row: RowID, in rows: [RowID]) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The texts that identify objects of one class.
package struct KeyTexts {
    fileprivate let rows: [RowID]
    fileprivate let texts: TextColumn
    /// The indices of objects whose key is null, whose texts also name the class.
    fileprivate var references: Set<Int> = []

    /// Returns whether the text of an object names its class.
    func isReference(_ row: RowID) -> Bool {
        references.contains(ValueRenderer.index(of: row, in: rows))
    }

    /// Appends the text of one of the objects, without ending it.
    package func append(_ row: RowID, to target: TextColumn) {
        target.append(ValueRenderer.index(of: row, in: rows), of: texts)
    }
}

extension ValueRenderer {
    /// Returns the keys of objects; for a class without a key, their row ids.
    ///
    ///     3    "N14228"    {"$ref":"Plane","id":null}   (the last: a plane whose key is null)
    package func keyTexts(
        _ rows: [RowID], _ schema: ClassSchema, _ style: LinkStyle
    ) throws(StoreError) -> KeyTexts {
        let rows = ValueRenderer.distinct(rows)
        let texts = TextColumn()
        guard let key = schema.keyProperty, !rows.isEmpty else {
            for row in rows {
                append(row, to: texts)
                texts.endText()
            }
            return KeyTexts(rows: rows, texts: texts)
        }
        let vector = try lookup.column(key, of: schema, rows: rows)
        let column = ResultColumn(name: key.name, type: key.type, display: nil)
        let raw = RawBatch([column], quotesInt64: options.quotesInt64)
        raw.load(ResultBatch(rowCount: vector.count, vectors: [vector]))
        var references: Set<Int> = []
        for index in rows.indices {
            if raw.columns[0].isNull(index) {
                references.insert(index)
                appendReference(toNullOf: schema, texts)
            } else if style == .plain {
                appendPlain(raw.columns[0], index, texts)
            } else {
                texts.buffer.append(jsonOf: raw.columns[0], row: index)
            }
            texts.endText()
        }
        return KeyTexts(rows: rows, texts: texts, references: references)
    }

    private func appendPlain(_ column: borrowing RawColumn, _ row: Int, _ texts: TextColumn) {
        guard column.isText else { return texts.buffer.append(scalarOf: column, row: row) }
        let text = column.text(row)
        if let base = text.baseAddress { texts.buffer.append(base, count: text.count) }
    }

    /// Appends a reference to an object whose key is null, because a null alone would not be a
    /// link.
    private func appendReference(toNullOf schema: ClassSchema, _ texts: TextColumn) {
        texts.buffer.append("{\"$ref\":")
        texts.buffer.append(jsonString: schema.name)
        texts.buffer.append(",\"id\":null}")
    }
}
