import FirnCodec
import FirnEngine
import FirnValues

/// Rows in memory or on disk, divided by their keys into parts, each of which fits into memory.
///
///     part 0 | chunk | chunk | ...      equal keys are in the same part,
///     part 1 | chunk | ...              in the order of the rows
///
/// A chunk has one vector for each key and each other value, and one with the numbers of the rows, which
/// are counted unless they are given.
struct KeyPartitions: Sendable {
    /// The number of parts of a few rows, a power of two.
    private static let partCountMin = 64
    /// The maximum number of parts, each of which writes chunks of about 16 KB.
    private static let partCountMax = 1_024
    /// The number of rows of a part that fit into the memory of a thread, even if each row has its
    /// own key.
    private static let rowsPerPart = 131_072
    /// The size of all parts in memory; a part is written as a chunk when it has its share of this
    /// size.
    private static let bufferByteCount = 16 << 20

    /// Consecutive rows of a part in one file.
    struct Chunk: Sendable {
        let block: SpillFile.Block
        let rowCount: Int
        /// The number of the row that has the number 0 in the chunk.
        var firstRow: Int64 = 0
    }

    private struct Part {
        var vectors: [ColumnVector]
        /// The chunks of each writer, in the order of their rows.
        var chunks: [[Chunk]] = [[]]
    }

    private let keyCount: Int
    private let file: SpillFile
    private var parts: [Part]
    private var rowCount: Int64 = 0

    /// - Parameters:
    ///   - kinds: the kinds of the keys, and then of the other values.
    ///   - partCount: the number of parts, a power of two.
    init(
        _ kinds: [ValueTag], keyCount: Int, partCount: Int, to file: SpillFile
    ) {
        self.keyCount = keyCount
        self.file = file
        let vectors = Self.numbered(kinds).map { ColumnVector(kind: $0) }
        parts = Array(repeating: Part(vectors: vectors), count: partCount)
    }

    /// Returns the number of parts for at most a number of rows.
    static func partCount(forRows rowCount: Int) -> Int {
        var count = partCountMin
        while count < partCountMax, rowCount / count > rowsPerPart { count *= 2 }
        return count
    }

    /// The number of parts.
    var partCount: Int { parts.count }

    /// Returns the kinds of the vectors of a chunk.
    private static func numbered(_ kinds: [ValueTag]) -> [ValueTag] { kinds + [.int] }

    /// The chunks of each part; the chunks of each writer are in the order of the rows.
    var chunks: [[[Chunk]]] { parts.map(\.chunks) }

    /// Adds the keys and the other values of rows.
    ///
    /// - Parameter numbers: the numbers of the rows, of which all rows have one or none.
    mutating func add(
        _ vectors: [ColumnVector], rowCount count: Int, numbers: ColumnVector? = nil
    ) throws(StoreError) {
        defer { if numbers == nil { rowCount += Int64(count) } }
        guard partCount > 1 else { return try addToOnlyPart(vectors, count, numbers) }
        let keys = Array(vectors.prefix(keyCount))
        for (index, rows) in Self.rows(of: keys, count, among: partCount).enumerated()
        where !rows.isEmpty {
            for (column, vector) in vectors.enumerated() {
                parts[index].vectors[column].append(vector, rows: rows[...])
            }
            appendNumbers(numbers, of: rows, to: index)
            try writeIfFull(index)
        }
    }

    private mutating func appendNumbers(
        _ numbers: ColumnVector?, of rows: [UInt32], to index: Int
    ) {
        let last = parts[index].vectors.count - 1
        guard let numbers else {
            parts[index].vectors[last].ints += rows.lazy.map { rowCount + Int64($0) }
            parts[index].vectors[last].count += rows.count
            return
        }
        parts[index].vectors[last].append(numbers, rows: rows[...])
    }

    /// Returns the rows of each part, ascending.
    ///
    /// - Parameter partCount: the number of parts, a power of two.
    static func rows(
        of keys: [ColumnVector], _ count: Int, among partCount: Int
    ) -> [[UInt32]] {
        var rows = [[UInt32]](repeating: [], count: partCount)
        func add(_ row: Int, hash: UInt64) {
            // The low bits number the slots of the tables that the part is read into.
            rows[Int(hash >> 32) & (partCount - 1)].append(UInt32(truncatingIfNeeded: row))
        }
        if keys.count == 1, let only = keys.first, [.int, .bool].contains(only.kind) {
            // A null is stored as 0, and is in the same part.
            for row in 0..<count { add(row, hash: hash(only.ints[row])) }
        } else {
            ByteKeys(keys, rowCount: count).visit { row, key in
                add(row, hash: Checksum.xxh64(key, seed: 1))
            }
        }
        return rows
    }

    /// Returns the hash of a number: the finalizer of MurmurHash3 (Appleby, 2011).
    private static func hash(_ number: Int64) -> UInt64 {
        var hash = UInt64(bitPattern: number)
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }

    private mutating func addToOnlyPart(
        _ vectors: [ColumnVector], _ count: Int, _ numbers: ColumnVector?
    ) throws(StoreError) {
        for start in stride(from: 0, to: count, by: PagedRows.rowsPerPage) {
            let end = min(count, start + PagedRows.rowsPerPage)
            let rows = (start..<end).map { UInt32(truncatingIfNeeded: $0) }
            for (column, vector) in vectors.enumerated() {
                if rows.count == count {
                    parts[0].vectors[column].append(vector)
                } else {
                    parts[0].vectors[column].append(vector, rows: rows[...])
                }
            }
            appendNumbers(numbers, of: rows, to: 0)
            try writeIfFull(0)
        }
    }

    private mutating func writeIfFull(_ index: Int) throws(StoreError) {
        let byteCount = parts[index].vectors.reduce(0) { $0 + $1.valueByteCount }
        let count = parts[index].vectors.last?.count ?? 0
        if count >= PagedRows.rowsPerPage
            || byteCount >= Self.bufferByteCount / max(Self.partCountMin, partCount)
        {
            try write(index)
        }
    }

    /// Writes the rows of a part that are in memory.
    private mutating func write(_ index: Int) throws(StoreError) {
        guard let count = parts[index].vectors.last?.count, count > 0 else { return }
        let chunk = Chunk(block: try file.append(parts[index].vectors), rowCount: count)
        for column in parts[index].vectors.indices {
            // The block in memory has the storage of the vectors.
            if case .memory = chunk.block {
                parts[index].vectors[column] = parts[index].vectors[column].emptied
            } else {
                parts[index].vectors[column].removeAll()
            }
        }
        parts[index].chunks[parts[index].chunks.count - 1].append(chunk)
    }

    /// Writes all rows that are in memory, and releases it; no rows can be added after that.
    mutating func finish() throws(StoreError) {
        for index in parts.indices {
            try write(index)
            parts[index].vectors = []
        }
    }

    /// Adds the rows that another writer has written for later rows.
    ///
    /// Rows with given numbers keep them.
    mutating func merge(_ later: KeyPartitions) {
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

    /// Returns the keys and the other values of a chunk, and the numbers of its rows.
    ///
    /// - Parameter kinds: the kinds of the keys and of the other values.
    static func vectors(
        of chunk: Chunk, _ kinds: [ValueTag], in file: SpillFile
    ) throws(StoreError) -> (values: [ColumnVector], numbers: ColumnVector) {
        var vectors = try file.vectors(of: chunk.block, numbered(kinds))
        guard vectors.allSatisfy({ $0.count == chunk.rowCount }), var numbers = vectors.popLast()
        else { throw file.damaged }
        for row in numbers.ints.indices { numbers.ints[row] += chunk.firstRow }
        return (vectors, numbers)
    }
}
