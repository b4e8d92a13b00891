import FirnCodec
import FirnEngine
import FirnValues

/// Rows on disk among which the first ones of each key are searched for, because their keys would
/// not fit into memory.
struct SpilledFirsts {
    private static let batchRowCount = 16_384

    private let countMax: Int
    private let kinds: [ValueTag]
    private let file: SpillFile
    private let snapshot: Snapshot
    private var partitions: KeyPartitions
    /// The rows that were found, by their numbers.
    private var found: SortedRuns?

    /// - Parameters:
    ///   - keys: the kinds of the keys.
    ///   - source: the source of the rows.
    init(
        _ keys: [ValueTag], _ countMax: Int, from source: any RowSource, of snapshot: Snapshot
    ) throws(StoreError) {
        self.countMax = countMax
        self.snapshot = snapshot
        kinds = keys + [.int]
        file = snapshot.makeSpillFile()
        partitions = KeyPartitions(
            kinds, keyCount: keys.count, partCount: try source.partCount(),
            to: file)
    }

    /// Adds rows, in the order of the stream.
    mutating func add(
        _ keys: [ColumnVector], _ references: [RowReference]
    ) throws(StoreError) {
        guard !references.isEmpty else { return }
        var packed = ColumnVector(kind: .int)
        packed.ints = references.map { Int64(bitPattern: $0.packed) }
        packed.count = references.count
        try partitions.add(keys + [packed], rowCount: references.count)
    }

    /// Returns the next of the first rows of all keys, in the order of the stream; empty after the
    /// last one.
    ///
    /// - Parameters:
    ///   - earlier: the rows that were kept before the first one that was added.
    ///   - willRead: called before each part is read; an error ends the search.
    mutating func next(
        after earlier: CombinationCounts, willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [RowReference] {
        if found == nil { found = try search(after: earlier, willRead) }
        return try found?.next(atMost: Self.batchRowCount).map { RowReference(packed: $0) } ?? []
    }

    private mutating func search(
        after earlier: CombinationCounts, _ willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> SortedRuns {
        try partitions.finish()
        let runs = try snapshot.makeSortedRuns()
        for chunks in partitions.chunks {
            try willRead()
            try find(chunks.joined(), after: earlier, runs)
        }
        return runs
    }

    /// Finds the first rows of the keys of a part.
    private func find(
        _ chunks: some Sequence<KeyPartitions.Chunk>, after earlier: CombinationCounts,
        _ runs: SortedRuns
    ) throws(StoreError) {
        var counts = CombinationCounts(Array(kinds.dropLast()), countMax)
        for chunk in chunks {
            let (vectors, numbers) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
            let rows = counts.kept(Array(vectors.dropLast()), after: earlier)
            guard let references = vectors.last else { continue }
            var keys: [UInt8] = []
            for row in rows {
                // Numbers are not negative, so that their bytes sort like them.
                withUnsafeBytes(of: numbers.ints[row].bigEndian) { keys.append(contentsOf: $0) }
            }
            try runs.append(
                keys: keys, keyByteCount: MemoryLayout<Int64>.size,
                values: rows.map { UInt64(bitPattern: references.ints[$0]) })
        }
        try runs.endRun()
    }
}
