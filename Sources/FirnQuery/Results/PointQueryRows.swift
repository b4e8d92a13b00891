import FirnCodec
import FirnEngine
import FirnValues

/// Single properties of a few objects, read value by value: a stream of changes shows one object
/// after the other, and setting a query to work takes longer than reading it.
final class PointQueryRows: ResultRows {
    /// Of more objects the columns are read as a whole.
    private static let rowCountMaximum = 8

    let columns: [ResultColumn]
    /// What was read is values, and no pages that are counted.
    let statistics = QueryStatistics()
    private var batch: ResultBatch?

    /// - Parameter rows: the objects, in the order of the result; those that do not exist are left
    ///   out.
    /// - Returns: `nil` if the query is not one that only shows single properties, or there are many
    ///   objects.
    init?(
        _ query: BoundQuery, _ rows: [RowID], in snapshot: Snapshot
    ) throws(StoreError) {
        guard rows.count <= PointQueryRows.rowCountMaximum,
            let properties = PointQueryRows.properties(of: query),
            let table = snapshot.table(query.classSchema.id)
        else { return nil }
        let picked = try table.pick(rows)
        var vectors: [ColumnVector] = []
        vectors.reserveCapacity(properties.count)
        for (_, property) in properties {
            var vector = ColumnVector(of: property.type)
            for value in try picked.values(of: property) { vector.append(value) }
            vectors.append(vector)
        }
        columns = properties.map { projection, _ in
            ResultColumn(
                name: projection.name, type: projection.type, display: projection.display,
                target: projection.type.target.flatMap { snapshot.schema[$0] })
        }
        if !picked.rowIDs.isEmpty {
            batch = ResultBatch(rowCount: picked.rowIDs.count, vectors: vectors)
        }
    }

    func next() -> ResultBatch? {
        defer { batch = nil }
        return batch
    }

    /// What a query shows, if that is single properties and nothing is done before.
    private static func properties(
        of query: BoundQuery
    ) -> [(projection: BoundProjection, property: PropertySchema)]? {
        let projections: [BoundProjection]
        switch query.stages.first {
        case nil:
            projections = query.classSchema.properties.map {
                BoundProjection(whole: $0, of: query.classSchema)
            }
        case .project(let chosen) where query.stages.count == 1: projections = chosen
        default: return nil
        }
        var found: [(BoundProjection, PropertySchema)] = []
        found.reserveCapacity(projections.count)
        for projection in projections {
            guard case .column(.property(let property)) = projection.expression,
                property.type.container == .single
            else { return nil }
            found.append((projection, property))
        }
        return found
    }
}
