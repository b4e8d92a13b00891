import FirnCodec
import FirnEngine
import FirnValues

/// The objects of a SUBQUERY, with values of the objects around it as further columns.
///
///     SUBQUERY(kids, $k, $k.name == name)
///
///     object   kids           round 1            round 2
///     Ann      Bo, Cy         Bo Ann, Cy Ann
///     Dan      Cy, Eve        Eve Dan            Cy Dan
///
/// An object that belongs to several others has another value for each of them. Rows are known by their
/// place in the file, so that each round has an object at most once.
final class OuterValues: ObjectSource {
    let schema: ClassSchema
    private let base: any RowSource
    /// The values of the objects around the subquery, one vector for each output.
    private let values: [ColumnVector]
    private var owners: [RowReference: UInt32] = [:]

    private init(_ schema: ClassSchema, _ base: any RowSource, _ values: [ColumnVector]) {
        self.schema = schema
        self.base = base
        self.values = values
    }

    /// Passes to a closure the owner of each object that passes a condition.
    ///
    /// - Parameters:
    ///   - values: The values of the owners, to which the outputs in the condition refer.
    ///   - batch: Objects of the class.
    static func forEachOwner(
        ofPassing predicate: BoundPredicate, _ schema: ClassSchema, _ values: [ColumnVector],
        _ batch: PathBatch, _ reader: SnapshotReader, _ body: (UInt32) -> Void
    ) throws(StoreError) {
        for round in rounds(batch.rows.references) {
            let source = OuterValues(schema, batch.source, values)
            for position in round.positions {
                source.owners[round.references[position]] = batch.owners[position]
            }
            let evaluator = PredicateEvaluator(predicate, source, reader)
            let rows = BatchRows(round.positions.map { round.references[$0] })
            try rows.visitGroups { group, rows, positions throws(StoreError) in
                let candidates = Bitmap(rows, count: source.rowCount(of: group))
                let passing = try evaluator.evaluate(group, candidates: candidates)
                for (index, row) in rows.enumerated() where passing[Int(row)] {
                    let position = positions.map { Int($0[index]) } ?? index
                    body(batch.owners[round.positions[position]])
                }
            }
        }
    }

    /// Divides objects into rounds in which each object occurs at most once.
    private static func rounds(
        _ references: [RowReference]
    ) -> [(references: [RowReference], positions: [Int])] {
        var counts: [RowReference: Int] = [:]
        counts.reserveCapacity(references.count)
        var rounds: [[Int]] = []
        for (position, reference) in references.enumerated() {
            let round = counts[reference, default: 0]
            counts[reference] = round + 1
            if rounds.count == round { rounds.append([]) }
            rounds[round].append(position)
        }
        return rounds.map { (references, $0) }
    }

    // MARK: Rows

    var path: String { base.path }
    var isOnDemand: Bool { base.isOnDemand }
    var hasPages: Bool { false }

    func groupCount() throws(StoreError) -> Int { try base.groupCount() }

    func rowCount(of group: Int) -> Int { base.rowCount(of: group) }

    func liveRows(of group: Int) throws(StoreError) -> Bitmap? { try base.liveRows(of: group) }

    func zone(_ column: BoundColumn, of group: Int) throws(StoreError) -> ZoneMap? {
        if case .output = column { return nil }
        return try base.zone(column, of: group)
    }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        try base.page(column, of: group)
    }

    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        guard case .output(let index, _, _, _) = column else {
            return try base.gather(column, of: group, rows: rows, into: &vector)
        }
        let group = UInt32(truncatingIfNeeded: group)
        vector.append(
            values[index].picking(
                rows.map { owners[RowReference(group: group, row: $0)] ?? 0 }))
    }

    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) throws(StoreError) {
        try gather(column, of: group, rows: rows.map { UInt32($0) }, into: &vector)
    }

    func gatherIDs(
        of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        try base.gatherIDs(of: group, rows: rows, into: &vector)
    }

    func collection(
        _ property: PropertySchema, of group: Int
    ) throws(StoreError) -> CollectionColumn {
        try base.collection(property, of: group)
    }
}
