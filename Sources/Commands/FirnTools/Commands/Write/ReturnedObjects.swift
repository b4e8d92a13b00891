import FirnCodec
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// Prints the written objects (`--returning`), one per line.
struct ReturnedObjects {
    private static let batchRows = 1_024

    private let environment: CommandEnvironment

    init(_ environment: CommandEnvironment) { self.environment = environment }

    /// - Parameter references: the objects in the order of the output. Each object is printed as in
    ///   the
    /// snapshot; deleted objects are omitted.
    func write(
        _ references: [ObjectReference], _ snapshot: Snapshot
    ) throws(CommandFailure) {
        let classes = Set(references.map(\.classID))
        var start = 0
        while start < references.count {
            let classID = references[start].classID
            var end = start
            while end < references.count, end - start < ReturnedObjects.batchRows,
                references[end].classID == classID
            { end += 1 }
            let rows = references[start..<end].map(\.rowID)
            start = end
            guard let schema = snapshot.schema[classID] else { continue }
            try write(rows, schema, snapshot, showsClass: classes.count > 1)
            try environment.checkSignals()
        }
    }

    private func write(
        _ wanted: [RowID], _ schema: ClassSchema, _ snapshot: Snapshot, showsClass: Bool
    ) throws(CommandFailure) {
        var options = WriterOptions()
        options.className = showsClass ? schema.name : nil
        let writer = JSONWriter(environment.dataOutput, .lines, options)
        let result: (columns: [ResultColumn], batch: ResultBatch)
        do {
            guard let table = snapshot.table(schema.id) else { return }
            var rows: [RowID] = []
            for row in wanted where try table.locate(row) != nil { rows.append(row) }
            let columns = ClassColumns(schema)
            let lookup = SnapshotLookup(snapshot)
            let resolver = ResultResolver(columns.columns, lookup: lookup)
            let batch = try columns.batch(of: rows, lookup)
            result = (resolver.columns, try resolver.resolve(batch))
        } catch { throw CommandFailure(error) }
        do {
            try writer.begin(result.columns)
            try writer.write(result.batch)
            try writer.finish()
        } catch { throw CommandFailure(writing: environment.outputName, error) }
    }
}

/// All columns of a class, as export writes them: first `$id` if the class has no key.
struct ClassColumns {
    let schema: ClassSchema
    let columns: [ResultColumn]
    private let hasRow: Bool

    init(_ schema: ClassSchema) {
        self.schema = schema
        hasRow = schema.key == nil && !schema.isEmbedded
        let properties = schema.properties.map {
            ResultColumn(name: $0.name, type: $0.type, display: $0.display)
        }
        let row = ResultColumn(name: "$id", type: PropertyType(.int), display: nil)
        columns = (hasRow ? [row] : []) + properties
    }

    /// Returns the values of objects, which exist, in any order.
    func batch(
        of rows: [RowID], _ lookup: SnapshotLookup
    ) throws(StoreError) -> ResultBatch {
        let ascending = Set(rows).sorted()
        let indices = Dictionary(uniqueKeysWithValues: zip(ascending, UInt32(0)...))
        let order = rows.compactMap { indices[$0] }
        var vectors: [ColumnVector] = []
        if hasRow {
            var vector = ColumnVector(kind: .int)
            for row in rows { vector.append(.int(Int64(bitPattern: row.rawValue))) }
            vectors.append(vector)
        }
        for property in schema.properties {
            let found = try lookup.column(property, of: schema, rows: ascending)
            var vector = ColumnVector(of: property.type)
            vector.append(found, rows: order[...])
            vectors.append(vector)
        }
        return ResultBatch(rowCount: rows.count, vectors: vectors)
    }
}
