import FirnCodec
import FirnEngine
import FirnValues

/// Delivers single properties of a few objects, which are read value by value.
///
/// A stream of changes delivers one object after the other. For each, setting up a query takes
/// longer than reading the values.
final class PointQueryRows: ResultRows {
    let columns: [ResultColumn]
    let statistics: QueryStatistics
    private var batch: ResultBatch?

    /// Reads the values.
    ///
    /// - Parameters:
    ///   - stages: the stages that deliver properties of the objects.
    ///   - rows: the objects, in the order of the result. Objects that do not exist are ignored.
    /// - Returns: `nil` if the stages do more than deliver single properties, or if there are many
    ///   objects.
    init?(
        _ stages: ArraySlice<BoundStage>, of schema: ClassSchema, _ rows: [RowID],
        in snapshot: Snapshot
    ) throws(StoreError) {
        guard rows.count <= PointLookup.rowCountMax,
            let properties = PointQueryRows.properties(of: stages, schema),
            let table = snapshot.table(schema.id)
        else { return nil }
        let countsBefore = snapshot.readCounts
        let picked = try table.pick(rows)
        let picker = PagePicker()
        var vectors: [ColumnVector] = []
        vectors.reserveCapacity(properties.count)
        for (_, property) in properties {
            var vector = ColumnVector(of: property.type)
            try picked.append(property, with: picker, to: &vector)
            vectors.append(vector)
        }
        columns = properties.map { projection, _ in
            ResultColumn(
                name: projection.name, type: projection.type, display: projection.display,
                target: projection.type.target.flatMap { snapshot.schema[$0] })
        }
        var statistics = QueryStatistics()
        statistics.pagesTotal = picked.groupCount * properties.count
        statistics.pagesRead = statistics.pagesTotal
        statistics.bytesDecoded = snapshot.readCounts.decodedBytes - countsBefore.decodedBytes
        self.statistics = statistics
        if !picked.rowIDs.isEmpty {
            batch = ResultBatch(rowCount: picked.rowIDs.count, vectors: vectors)
        }
    }

    func next() -> ResultBatch? {
        defer { batch = nil }
        return batch
    }

    /// Returns whether stages deliver single properties and nothing else.
    static func delivers(_ stages: ArraySlice<BoundStage>, of schema: ClassSchema) -> Bool {
        properties(of: stages, schema) != nil
    }

    /// Returns the properties that stages deliver, if they are single and there are no other stages.
    private static func properties(
        of stages: ArraySlice<BoundStage>, _ schema: ClassSchema
    ) -> [(projection: BoundProjection, property: PropertySchema)]? {
        let projections: [BoundProjection]
        switch stages.first {
        case nil: projections = schema.properties.map { BoundProjection(whole: $0, of: schema) }
        case .project(let chosen) where stages.count == 1: projections = chosen
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
