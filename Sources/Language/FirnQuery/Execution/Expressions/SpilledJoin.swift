import FirnCodec
import FirnEngine
import FirnValues

/// A join whose objects do not fit into memory.
///
/// The objects and the rows are divided by the values of the join into parts on disk. The objects of
/// each part are put into a hash table in memory, and the rows of the part are looked up in it: the
/// hash join of Kitsuregawa, Tanaka and Moto-oka, "Application of hash to data base machine and its
/// architecture", 1983. The result is put into the order of the rows:
///
///     objects  -->  part 0 ... part n  --->  hash table of a part
///                                                 |
///     rows     -->  part 0 ... part n  -----------+-->  matches, ordered by row
///
/// Several threads divide the rows of a class, and compute the matches of parts.
final class SpilledJoin: Sendable {
    let join: BoundJoin
    let file: SpillFile
    /// The objects of each part.
    private let targets: [[KeyPartitions.Chunk]]
    /// The matches of the objects of a class, whose rows the scanners of all threads number alike.
    let ofClasses = SharedValues<ClassID, JoinMatches>()

    /// Returns whether the values of a join can be kept on disk.
    static func isPossible(for join: BoundJoin) -> Bool { join.kinds.allSatisfy(\.isColumnKind) }

    /// Divides the objects.
    init(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) {
        self.join = join
        file = classes.snapshot.makeSpillFile()
        let source = try classes.scanner(of: join.target)
        let evaluator = ExpressionEvaluator(source: source, reader: SnapshotReader(classes))
        targets = try Self.divided(
            join, join.targetKeys, .rowIDs, evaluator,
            partCount: try source.partCount(), to: file)
    }

    /// The minimum number of row groups for which another thread is worthwhile.
    private static let groupsPerPartition = 4

    /// Divides all rows of a source.
    ///
    /// - Returns: the chunks of each part, in the order of the rows.
    private static func divided(
        _ join: BoundJoin, _ keys: [BoundExpression], _ identity: JoinSpill.Identity,
        _ evaluator: ExpressionEvaluator, partCount: Int, to file: SpillFile
    ) throws(StoreError) -> [[KeyPartitions.Chunk]] {
        @Sendable func divided(
            _ groups: Range<Int>, _ evaluator: ExpressionEvaluator
        ) throws(StoreError) -> KeyPartitions {
            var spill = JoinSpill(join, keys, identity, evaluator, partCount: partCount, to: file)
            try evaluator.source.visitRows(of: groups) { rows throws(StoreError) in
                try spill.add(rows)
            }
            try spill.finish()
            return spill.partitions
        }
        let groupCount = try evaluator.source.groupCount()
        guard let scanner = evaluator.source.scanner,
            try evaluator.reader.isOfWholeClass(scanner), keys.allSatisfy(\.isOfColumns)
        else {
            return try divided(0..<groupCount, evaluator).joinedChunks
        }
        let schema = scanner.schema
        let groups = SharedScan.partitions(of: groupCount, groupsPerPartition: groupsPerPartition)
        var divisions = try SharedScan.results(of: groups.count, evaluator.reader) {
            partition, reader throws(StoreError) in
            let scanner = try reader.scanner(of: schema)
            return try divided(
                groups[partition], ExpressionEvaluator(source: scanner, reader: reader))
        }
        var whole = divisions.removeFirst()
        for division in divisions { whole.merge(division) }
        return whole.joinedChunks
    }

    /// Returns the matches of all rows of a source.
    func matches(_ evaluator: ExpressionEvaluator) throws(StoreError) -> JoinMatches {
        let rows = try Self.divided(
            join, join.rowKeys, .rowNumbers, evaluator, partCount: targets.count, to: file)
        return try matches(of: rows, evaluator.reader)
    }

    /// Returns the matches of some rows of a source, ascending.
    func matches(
        of references: [RowReference], _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> JoinMatches {
        var spill = JoinSpill(
            join, join.rowKeys, .rowNumbers, evaluator, partCount: targets.count, to: file)
        try spill.add(BatchRows(references))
        try spill.finish()
        return try matches(of: spill.partitions.joinedChunks, evaluator.reader)
    }

    private func matches(
        of rows: [[KeyPartitions.Chunk]], _ reader: SnapshotReader
    ) throws(StoreError) -> JoinMatches {
        let parts = try SharedScan.results(of: rows.count, reader) {
            [self] part, reader throws(StoreError) in
            try matches(ofPart: part, rows[part], reader)
        }
        return try JoinMatches(parts, in: file) { () throws(StoreError) in
            try reader.checkStopped()
        }
    }

    /// Returns the matches of the rows of a part.
    private func matches(
        ofPart part: Int, _ rows: [KeyPartitions.Chunk], _ reader: SnapshotReader
    ) throws(StoreError) -> JoinMatchPart {
        var matches = JoinMatchPart(part, findsAll: join.findsAll, to: file)
        guard !rows.isEmpty, !targets[part].isEmpty else { return matches }
        let kinds = JoinSpill.kinds(of: join)
        let numbers = join.kinds.map { ValueNumbers(kind: $0) }
        let combinations = CombinationNumbers(numbers.count)
        func read(
            _ chunk: KeyPartitions.Chunk, adding: Bool
        ) throws(StoreError) -> (found: [UInt32], identities: ColumnVector) {
            try reader.checkStopped()
            var (vectors, _) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
            guard let identities = vectors.popLast() else { throw file.damaged }
            let columns = zip(numbers, vectors).map { $0.numbers(of: $1, adding: adding) }
            return (combinations.numbers(columns, adding: adding), identities)
        }
        var objects = JoinedObjects(findsAll: join.findsAll)
        for chunk in targets[part] {
            let (found, ids) = try read(chunk, adding: true)
            objects.add(found, ids)
        }
        try matches.begin(objects)
        for chunk in rows {
            let (found, numbers) = try read(chunk, adding: false)
            try matches.add(found, numbers.ints)
        }
        matches.finish()
        return matches
    }
}

extension KeyPartitions {
    /// The chunks of each part, with the chunks of all writers one after another.
    fileprivate var joinedChunks: [[Chunk]] { chunks.map { Array($0.joined()) } }
}
