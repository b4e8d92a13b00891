import FirnCodec
import FirnEngine
import FirnValues

/// Divides rows by their keys into parts, each of which fits into memory.
struct RowDivider: ScanConsumer {
    private let expressions: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private var fetch: ScatteredFetch
    private var partitions: KeyPartitions
    private let keepsRows: Bool
    private let numbersRows: Bool

    /// - Parameters:
    ///   - expressions: the keys, and then the other values of a row.
    ///   - keepsRows: whether a last value is the number of the row in its source.
    ///   - numbersRows: whether the rows are numbered in the same way; by default, they are counted.
    ///   - partCount: the number of parts, a power of two.
    init(
        _ expressions: [BoundExpression], keyCount: Int, _ evaluator: ExpressionEvaluator,
        to file: SpillFile, keepsRows: Bool = false, numbersRows: Bool = false, partCount: Int
    ) {
        self.expressions = expressions
        self.evaluator = evaluator
        self.keepsRows = keepsRows
        self.numbersRows = numbersRows
        fetch = ScatteredFetch(expressions, evaluator)
        partitions = KeyPartitions(
            expressions.map(\.kind) + (keepsRows ? [.int] : []), keyCount: keyCount,
            partCount: partCount, to: file)
    }

    /// The chunks of each part; the chunks of each consumer are in the order of the rows.
    var chunks: [[[KeyPartitions.Chunk]]] { partitions.chunks }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            for part in run.slices(of: ExpressionEvaluator.batchRowCountMax) {
                var vectors: [ColumnVector] = []
                for expression in expressions {
                    vectors.append(try evaluator.values(expression, of: part))
                }
                try add(vectors, part)
            }
        case .scattered(var references):
            while !references.isEmpty {
                let fetched = try fetch.fetch(references)
                let count = fetched.indices.count
                try add(fetched.ordered(0..<count), .scattered(Array(references.prefix(count))))
                references = references.dropFirst(count)
            }
        }
    }

    private mutating func add(
        _ vectors: [ColumnVector], _ rows: BatchRows
    ) throws(StoreError) {
        try partitions.add(
            keepsRows ? vectors + [rows.numbers] : vectors, rowCount: rows.count,
            numbers: numbersRows ? rows.numbers : nil)
    }

    mutating func finish() throws(StoreError) { try partitions.finish() }

    mutating func merge(_ later: RowDivider) { partitions.merge(later.partitions) }
}
