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
final class SpilledJoin: Sendable {
    let join: BoundJoin
    let file: SpillFile
    private let targets: [[KeyPartitions.Chunk]]
    /// The matches of the objects of a class, which the scanners of all threads number alike.
    let ofClasses = SharedValues<ClassID, JoinMatches>()

    /// The kinds of the values of the join, followed by a row id or the number of a row.
    private static func kinds(of join: BoundJoin) -> [ValueTag] { join.kinds + [.int] }

    /// Returns whether the values of a join can be kept on disk.
    static func isPossible(for join: BoundJoin) -> Bool { join.kinds.allSatisfy(\.isColumnKind) }

    /// Divides the objects.
    init(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) {
        self.join = join
        file = try classes.snapshot.makeSpillFile()
        let kinds = Self.kinds(of: join)
        var partitions = KeyPartitions(
            kinds, keyCount: join.kinds.count,
            partCount: try KeyPartitions.partCount(for: try classes.scanner(of: join.target)),
            to: file)
        try JoinTargets(join, classes).visit { rows, scanner, evaluator throws(StoreError) in
            let (vectors, known) = try join.keyValues(join.targetKeys, of: rows, evaluator)
            try partitions.add(vectors + [try scanner.rowIDs(of: known)], rowCount: known.count)
        }
        try partitions.finish()
        targets = partitions.chunks.map { Array($0.joined()) }
    }

    /// Returns the matches of rows.
    ///
    /// - Parameter visit: visits the rows in the order of their numbers.
    func matches(
        _ evaluator: ExpressionEvaluator,
        of visit: ((BatchRows) throws(StoreError) -> Void) throws(StoreError) -> Void
    ) throws(StoreError) -> JoinMatches {
        let kinds = Self.kinds(of: join)
        var rows = KeyPartitions(
            kinds, keyCount: join.kinds.count, partCount: targets.count, to: file)
        try visit { batch throws(StoreError) in
            try evaluator.reader.checkStopped()
            let (vectors, known) = try join.keyValues(join.rowKeys, of: batch, evaluator)
            try rows.add(vectors + [known.numbers], rowCount: known.count)
        }
        try rows.finish()
        var writer = JoinMatchWriter(findsAll: join.findsAll, to: file)
        for (targets, chunks) in zip(targets, rows.chunks) {
            guard !targets.isEmpty, chunks.contains(where: { !$0.isEmpty }) else { continue }
            let numbers = join.kinds.map { ValueNumbers(kind: $0) }
            let combinations = CombinationNumbers(numbers.count)
            func read(
                _ chunk: KeyPartitions.Chunk, adding: Bool
            ) throws(StoreError) -> (found: [UInt32], last: ColumnVector) {
                try evaluator.reader.checkStopped()
                var (vectors, _) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
                guard let last = vectors.popLast() else { throw file.damaged }
                let columns = zip(numbers, vectors).map { $0.numbers(of: $1, adding: adding) }
                return (combinations.numbers(columns, adding: adding), last)
            }
            var objects = JoinedObjects(findsAll: join.findsAll)
            for chunk in targets {
                let (found, ids) = try read(chunk, adding: true)
                objects.add(found, ids)
            }
            try writer.begin(objects)
            for chunk in chunks.joined() {
                let (found, rows) = try read(chunk, adding: false)
                try writer.add(found, rows.ints)
            }
            writer.endPart()
        }
        return try writer.matches { () throws(StoreError) in try evaluator.reader.checkStopped() }
    }
}
