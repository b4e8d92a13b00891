import FirnCodec
import FirnEngine
import FirnValues

/// The rows of a grouping, divided by their keys into parts on disk, each of which is grouped in
/// memory later.
///
///     part 0 | chunk | chunk | ...      equal keys are in the same part,
///     part 1 | chunk | ...              in the order of the rows
///
/// A chunk has one vector for each key and each operand of an aggregate, and one with the numbers of
/// the rows.
struct GroupSpill: ScanConsumer {
    /// The number of parts, a power of two: 64 parts of 128 MB are 8 GB of groups.
    static let partCount = 64
    /// The size of a part in memory at which it is written as a chunk.
    private static let chunkByteCount = 256 << 10

    /// Rows of a part that follow each other in one file.
    struct Chunk: Sendable {
        let block: SpillFile.Block
        let rowCount: Int
        /// The number of the row that has the number 0 in the chunk.
        var firstRow: Int64 = 0
    }

    private struct Part {
        var vectors: [ColumnVector]
        /// The chunks of each consumer, in the order of their rows.
        var chunks: [[Chunk]] = [[]]
    }

    private let expressions: [BoundExpression]
    private let keyCount: Int
    private let evaluator: ExpressionEvaluator
    private let file: SpillFile
    private var fetch: ScatteredFetch
    private var parts: [Part]
    private var rowCount: Int64 = 0

    /// - Parameter expressions: the keys, and then the operands of the aggregates.
    init(
        _ expressions: [BoundExpression], keyCount: Int, _ evaluator: ExpressionEvaluator,
        to file: SpillFile
    ) {
        self.expressions = expressions
        self.keyCount = keyCount
        self.evaluator = evaluator
        self.file = file
        fetch = ScatteredFetch(expressions, evaluator)
        let vectors = GroupSpill.kinds(of: expressions).map { ColumnVector(kind: $0) }
        parts = Array(repeating: Part(vectors: vectors), count: Self.partCount)
    }

    /// Returns whether all values can be kept on disk.
    static func canHold(_ expressions: [BoundExpression]) -> Bool {
        expressions.allSatisfy { $0.kind.isColumnKind }
    }

    /// Returns the kinds of the vectors of a chunk.
    static func kinds(of expressions: [BoundExpression]) -> [ValueTag] {
        expressions.map(\.kind) + [.int]
    }

    /// Returns the chunks of a part, those of each consumer in the order of the rows.
    func chunks(of part: Int) -> [[Chunk]] { parts[part].chunks }

    // MARK: Adding rows

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            let rows = run.rows
            for start in stride(from: 0, to: rows.count, by: ExpressionEvaluator.batchRowCountMax) {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                let part = BatchRows.group(run.group, Array(rows[start..<end]))
                var vectors: [ColumnVector] = []
                for expression in expressions {
                    vectors.append(try evaluator.values(expression, of: part))
                }
                try add(vectors, rowCount: end - start)
            }
        case .scattered(var references):
            while !references.isEmpty {
                let fetched = try fetch.fetch(references)
                let count = fetched.indices.count
                try add(fetched.ordered(0..<count), rowCount: count)
                references = references.dropFirst(count)
            }
        }
    }

    private mutating func add(_ vectors: [ColumnVector], rowCount count: Int) throws(StoreError) {
        var rows = [[UInt32]](repeating: [], count: Self.partCount)
        ByteKeys(Array(vectors.prefix(keyCount)), rowCount: count).visit { row, key in
            let hash = Checksum.xxh64(key, seed: 1)
            // The low bits number the slots of the tables that the part is grouped with.
            let part = Int(hash >> 32) & (Self.partCount - 1)
            rows[part].append(UInt32(truncatingIfNeeded: row))
        }
        for (index, rows) in rows.enumerated() where !rows.isEmpty {
            for (column, vector) in vectors.enumerated() {
                parts[index].vectors[column].append(vector, rows: rows[...])
            }
            parts[index].vectors[vectors.count].ints += rows.map { rowCount + Int64($0) }
            parts[index].vectors[vectors.count].count += rows.count
            let byteCount = parts[index].vectors.reduce(0) { $0 + $1.valueByteCount }
            if byteCount >= Self.chunkByteCount { try write(index) }
        }
        rowCount += Int64(count)
    }

    /// Writes the rows of a part that are in memory.
    private mutating func write(_ index: Int) throws(StoreError) {
        guard let count = parts[index].vectors.last?.count, count > 0 else { return }
        let chunk = Chunk(block: try file.append(parts[index].vectors), rowCount: count)
        for column in parts[index].vectors.indices {
            parts[index].vectors[column].removeAll()
        }
        parts[index].chunks[parts[index].chunks.count - 1].append(chunk)
    }

    mutating func finish() throws(StoreError) {
        for index in parts.indices { try write(index) }
    }

    mutating func merge(_ later: GroupSpill) {
        for index in parts.indices {
            parts[index].chunks += later.parts[index].chunks.map { chunks in
                chunks.map { chunk in
                    var chunk = chunk
                    chunk.firstRow += rowCount
                    return chunk
                }
            }
        }
        rowCount += later.rowCount
    }
}
