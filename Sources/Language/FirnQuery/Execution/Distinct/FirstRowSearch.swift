import FirnCodec
import FirnEngine
import FirnValues

/// Finds the first row of each combination of values in the rows of a scan.
///
/// Each thread has combinations of its own, with the first row that it has read of them. A row becomes
/// a mark as soon as its combination is complete, or when the combinations of all threads are known:
///
///     rows  ----->  combinations, in a hash table
///                        |  no other row has the key
///                        v
///                   marks, one bit per row
///
/// Combinations that need more memory than a statement may use go to the disk with the numbers of their
/// first rows, divided by their keys into parts, each of which fits into memory. The rows that follow
/// are new combinations; which of their first rows is the first of all, is known when all parts are.
struct FirstRowSearch: UnorderedScanConsumer {
    /// The number of combinations at which complete ones become marks, unless there is less memory.
    private static let openCountMax = 32_768
    /// The statement memory required per combination.
    private static let byteCountPerCombination = 8_192
    /// The number of parts whose first rows are in memory at the same time.
    private static let partsPerRound = 16

    private let keys: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private var combinations: Grouping
    /// The clusters of the rows by a key; `nil` if there are none.
    private let clusters: KeyClusters?
    /// The row groups of the current partition.
    private var partition = 0..<0
    private var latest = 0
    /// The number of combinations at which complete ones are searched for next.
    private var nextCount: Int
    private let openCountMax: Int
    private var marks = RowMarks()
    private let memory: RowMemory
    private let file: SpillFile
    private let partCount: Int
    /// The kinds of the keys.
    private let kinds: [ValueTag]
    /// The combinations on disk; `nil` if there are none.
    private var partitions: KeyPartitions?
    /// Whether combinations of the current partition are on disk.
    private var hasWritten = false

    /// - Parameters:
    ///   - memory: the memory for the combinations of all threads.
    ///   - file: where combinations that are too many for it are written.
    ///   - partCount: the number of parts that they are divided into, a power of two.
    ///   - openCountMax: the number of combinations from which complete ones become marks.
    init(
        _ keys: [BoundExpression], _ clusters: KeyClusters?, _ evaluator: ExpressionEvaluator,
        memory: RowMemory, to file: SpillFile, partCount: Int, openCountMax: Int? = nil
    ) {
        self.memory = memory
        self.file = file
        self.partCount = partCount
        kinds = keys.map(\.kind)
        self.keys = keys
        self.clusters = clusters
        self.evaluator = evaluator
        combinations = Grouping(
            keys: keys, items: [], evaluator, memory: memory, numbersRows: true)
        let byteCount = evaluator.reader.snapshot.statementByteCount
        self.openCountMax =
            openCountMax ?? min(Self.openCountMax, byteCount / Self.byteCountPerCombination)
        nextCount = self.openCountMax
    }

    /// The number of combinations that are not complete.
    var openCount: Int { combinations.groups.count }

    mutating func begin(_ groups: Range<Int>) {
        // In the next partition, they would look like those that earlier rows may have.
        markComplete(before: partition.upperBound)
        hasWritten = false
        partition = groups
        latest = groups.lowerBound
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let run) = batch else { return }
        if run.group != latest {
            latest = run.group
            if openCount >= nextCount { markComplete(before: run.group) }
        }
        let firsts = try evaluator.firstOccurrences(of: keys, in: run)
        try combinations.add(
            firsts.map { .run(RowRun(group: run.group, selection: .listed($0))) } ?? batch)
        if memory.isExceeded, openCount >= openCountMax { try write() }
    }

    /// Marks the first rows of combinations that occur neither in rows before this partition nor in
    /// a row group and later ones.
    private mutating func markComplete(before group: Int) {
        // The first row of a combination can be on disk although it looks complete.
        guard let clusters, openCount > 0, !hasWritten else { return }
        var codes: [UInt64] = []
        SortCode.append(combinations.groups.keyValues[clusters.key], to: &codes)
        var kept: [UInt32] = []
        for (number, code) in codes.enumerated() {
            if clusters.mayPrecede(partition.lowerBound, code) || clusters.mayFollow(group, code) {
                kept.append(UInt32(truncatingIfNeeded: number))
            }
        }
        // Keeping most combinations would cost more than it saves.
        guard kept.count <= codes.count / 2 else {
            nextCount = max(openCountMax, 2 * codes.count)
            return
        }
        var next = kept[...]
        for number in codes.indices {
            if next.first.map({ Int($0) }) == number {
                next.removeFirst()
            } else {
                marks.mark(combinations.groups.firstRows.ints[number], source: evaluator.source)
            }
        }
        combinations.keep(kept)
        nextCount = max(openCountMax, 2 * kept.count)
    }

    // MARK: Disk

    /// Writes the combinations, in the order of their first rows.
    private mutating func write() throws(StoreError) {
        guard openCount > 0 else { return }
        var partitions = partitions.take() ?? emptyPartitions
        try partitions.add(
            combinations.groups.keyValues, rowCount: openCount,
            numbers: combinations.groups.firstRows)
        self.partitions = partitions
        hasWritten = true
        combinations.keep([])
    }

    private var emptyPartitions: KeyPartitions {
        KeyPartitions(kinds, keyCount: keys.count, partCount: partCount, to: file)
    }

    mutating func finish() throws(StoreError) {
        if memory.isExceeded { try write() }
        try partitions?.finish()
    }

    /// Writes combinations that are still in memory, after ``finish()``.
    private mutating func writeRest() throws(StoreError) {
        guard let written = partitions.take() else {
            try write()
            try partitions?.finish()
            return
        }
        try write()
        try partitions?.finish()
        var all = written
        if let rest = partitions { all.merge(rest) }
        partitions = all
    }

    mutating func merge(_ later: FirstRowSearch) throws(StoreError) {
        marks.formUnion(later.marks)
        guard partitions != nil || later.partitions != nil else {
            return try combinations.merge(later.combinations)
        }
        var later = later
        try writeRest()
        try later.writeRest()
        guard let others = later.partitions else { return }
        if partitions == nil { partitions = others } else { partitions?.merge(others) }
    }

    // MARK: Result

    /// Returns the marks of all first rows, after the last one.
    consuming func found() throws(StoreError) -> RowMarks {
        if partitions != nil { try writeRest() }
        mark(combinations.groups.firstRows.ints)
        let parts = partitions?.chunks ?? []
        let (keys, kinds, file) = (keys, kinds, file)
        for start in stride(from: 0, to: parts.count, by: Self.partsPerRound) {
            let round = parts[start..<min(parts.count, start + Self.partsPerRound)]
            let firstRows = try SharedScan.results(of: round.count, evaluator.reader) {
                part, reader throws(StoreError) in
                try Self.firstRows(of: round[start + part], keys, kinds, file, reader)
            }
            for rows in firstRows { mark(rows.ints) }
        }
        return marks
    }

    private mutating func mark(_ rows: [Int64]) {
        for number in rows { marks.mark(number, source: evaluator.source) }
    }

    /// Returns the first row of each combination of a part.
    ///
    /// - Parameter chunks: the chunks of each thread, in the order of their rows.
    private static func firstRows(
        of chunks: [[KeyPartitions.Chunk]], _ keys: [BoundExpression], _ kinds: [ValueTag],
        _ file: SpillFile, _ reader: SnapshotReader
    ) throws(StoreError) -> ColumnVector {
        // The values of the rows are known, so nothing is read from a source.
        let none = GroupedRows(path: reader.path) { () throws(StoreError) in [] }
        let evaluator = ExpressionEvaluator(source: none, reader: reader)
        var whole = Grouping(keys: keys, items: [], evaluator, numbersRows: true)
        for chunks in chunks where !chunks.isEmpty {
            var grouping = Grouping(keys: keys, items: [], evaluator, numbersRows: true)
            for chunk in chunks {
                let (values, numbers) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
                try grouping.add(values, rowCount: chunk.rowCount, rowNumbers: numbers)
            }
            try whole.merge(grouping)
        }
        return whole.groups.firstRows
    }
}
