import FirnCodec
import FirnEngine
import FirnValues

/// Delivers single properties of a few objects, which are read value by value.
///
/// A stream of changes delivers one object after the other. For each, setting up a query takes
/// longer than reading the values.
final class PointQueryRows: ResultRows {
    /// The maximum number of objects.
    ///
    /// For more, columns are read as a whole.
    private static let rowCountMaximum = 8

    let columns: [ResultColumn]
    /// The values are read individually, and not from counted pages.
    let statistics = QueryStatistics()
    private var batch: ResultBatch?

    /// Reads the values.
    ///
    /// - Parameter rows: the objects, in the order of the result. Objects that do not exist are
    ///   ignored.
    /// - Returns: `nil` if the query does more than deliver single properties, or if there are many
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

    /// Returns the properties that a query delivers, if they are single and the query has no other
    /// stages.
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
