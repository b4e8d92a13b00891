import FirnCodec
import FirnEngine
import FirnValues

/// Partitions rows on disk by the keys of a join.
///
/// Rows without one of the values are left out.
struct JoinSpill {
    /// The number that identifies a row on disk.
    enum Identity {
        case rowNumbers
        case rowIDs
    }

    private let join: BoundJoin
    private let keys: [BoundExpression]
    private let identity: Identity
    private let evaluator: ExpressionEvaluator
    private(set) var partitions: KeyPartitions

    /// - Parameters:
    ///   - keys: the values of the rows or of the objects of the join.
    ///   - partCount: the number of parts, a power of two.
    init(
        _ join: BoundJoin, _ keys: [BoundExpression], _ identity: Identity,
        _ evaluator: ExpressionEvaluator, partCount: Int, to file: SpillFile
    ) {
        self.join = join
        self.keys = keys
        self.identity = identity
        self.evaluator = evaluator
        partitions = KeyPartitions(
            Self.kinds(of: join), keyCount: keys.count, partCount: partCount, to: file)
    }

    /// The kinds of the values of a row on disk: the kinds of the values of the join, and the kind
    /// of its id or number.
    static func kinds(of join: BoundJoin) -> [ValueTag] { join.kinds + [.int] }

    mutating func add(_ rows: BatchRows) throws(StoreError) {
        try evaluator.reader.checkStopped()
        let (vectors, known) = try join.keyValues(keys, of: rows, evaluator)
        try partitions.add(vectors + [try identities(of: known)], rowCount: known.count)
    }

    private func identities(of rows: BatchRows) throws(StoreError) -> ColumnVector {
        switch identity {
        case .rowNumbers: rows.numbers
        case .rowIDs: try evaluator.source.rowIDs(of: rows)
        }
    }

    mutating func finish() throws(StoreError) { try partitions.finish() }
}
