import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Computes columns of rows that depend on other rows, from rows on disk.
///
/// For each set of keys, the rows are divided by those keys into parts, and the windows of each part are
/// computed on their own. The rows are then merged into their order.
///
///     rows -> parts by keys of the 1st set -> windows -> rows -> parts by keys of the 2nd set -> ...
struct SpilledWindows {
    private let columns: [BoundWindowColumn]
    private let keySets: [[Int]]
    private let keepsRows: Bool

    /// Returns `nil` if a value cannot be kept on disk.
    ///
    /// - Parameter keepsRows: whether a last column has the numbers of the rows.
    init?(_ columns: [BoundWindowColumn], keepsRows: Bool) {
        self.columns = columns
        self.keepsRows = keepsRows
        keySets = WindowFunctions.keySets(of: columns)
        guard columns.allSatisfy({ $0.emptyVector.kind.isColumnKind }) else { return nil }
    }

    /// Returns all columns of the rows of a stream.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func rows(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> SpilledRows {
        let file = try evaluator.reader.snapshot.makeSpillFile()
        var rows: SpilledRows?
        var present = columns.indices.filter { columns[$0].projection != nil }
        for keys in keySets {
            let task = WindowTask(columns, keys, present, keepsRows: keepsRows, file)
            let parts =
                if let rows { try task.parts(of: rows, evaluator.reader) } else {
                    try task.parts(of: stream, evaluator)
                }
            rows = try task.rows(of: parts, evaluator.reader)
            present = task.presentAfter
        }
        return rows ?? SpilledRows(file, [], kinds: [])
    }
}

/// The windows with the same keys, of rows on disk.
private struct WindowTask: Sendable {
    private let columns: [BoundWindowColumn]
    private let keys: [Int]
    /// The columns that rows have before, and after the work, ascending.
    private let present: [Int]
    let presentAfter: [Int]
    private let keepsRows: Bool
    private let file: SpillFile

    init(
        _ columns: [BoundWindowColumn], _ keys: [Int], _ present: [Int], keepsRows: Bool,
        _ file: SpillFile
    ) {
        self.columns = columns
        self.keys = keys
        self.present = present
        self.keepsRows = keepsRows
        self.file = file
        presentAfter = columns.indices.filter { index in
            if case .window(let window) = columns[index], window.keys == keys { return true }
            return present.contains(index)
        }
    }

    /// The columns of a row in a part, the keys first.
    private var dividedColumns: [Int] { keys + present.filter { !keys.contains($0) } }

    /// Returns the kinds of some columns, and of the numbers of the rows if those are kept.
    private func kinds(of indices: [Int]) -> [ValueTag] {
        indices.map { columns[$0].emptyVector.kind } + (keepsRows ? [.int] : [])
    }

    // MARK: Dividing

    /// Divides the rows of a stream by their keys.
    func parts(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [[[KeyPartitions.Chunk]]] {
        let expressions = dividedColumns.compactMap { columns[$0].projection?.expression }
        let (keyCount, keepsRows, file) = (keys.count, keepsRows, file)
        let partCount = try evaluator.source.partCount()
        return try stream.consumed(evaluator) { evaluator in
            GroupSpill(
                expressions, keyCount: keyCount, evaluator, to: file, keepsRows: keepsRows,
                partCount: partCount)
        }.result.chunks
    }

    /// Divides rows on disk by their keys.
    func parts(
        of rows: SpilledRows, _ reader: SnapshotReader
    ) throws(StoreError) -> [[[KeyPartitions.Chunk]]] {
        let divided = dividedColumns
        // The numbers of the rows follow the columns that are present.
        let places =
            divided.compactMap { present.firstIndex(of: $0) } + (keepsRows ? [present.count] : [])
        let rowCount = rows.pages.reduce(0) { $0 + $1.rowCount }
        var partitions = KeyPartitions(
            kinds(of: divided), keyCount: keys.count,
            partCount: KeyPartitions.partCount(forRows: rowCount), to: file)
        for (index, page) in rows.pages.enumerated() {
            try reader.checkStopped()
            var vectors: [ColumnVector] = []
            for place in places { vectors.append(try rows.vector(place, of: index)) }
            try partitions.add(vectors, rowCount: page.rowCount)
        }
        try partitions.finish()
        return partitions.chunks
    }

    // MARK: Computing

    /// Returns the rows of all parts with their windows, in their order.
    func rows(
        of parts: [[[KeyPartitions.Chunk]]], _ reader: SnapshotReader
    ) throws(StoreError) -> SpilledRows {
        let runs = try SharedScan.results(of: parts.count, reader) {
            part, reader throws(StoreError) in
            try run(of: parts[part].flatMap { $0 }, reader)
        }
        return try SpilledMerge(runs, in: file).rows { () throws(StoreError) in
            try reader.checkStopped()
        }
    }

    /// Writes the rows of a part with their windows.
    private func run(
        of chunks: [KeyPartitions.Chunk], _ reader: SnapshotReader
    ) throws(StoreError) -> SpilledRun {
        let numbers = keys.map { ValueNumbers(kind: columns[$0].emptyVector.kind) }
        let combinations = CombinationNumbers(keys.count)
        var functions = WindowFunctions(keys, of: columns, reader.snapshot)
        if functions.hasAggregates {
            for chunk in chunks {
                try reader.checkStopped()
                let part = try read(chunk, numbers, combinations)
                functions.makeRoom(for: part.owners)
                try functions.aggregate(part.vectors, part.owners)
            }
            try functions.finish(reader)
        }
        var blocks: [SpillFile.Block] = []
        for chunk in chunks {
            try reader.checkStopped()
            var part = try read(chunk, numbers, combinations)
            functions.makeRoom(for: part.owners)
            let running = try functions.values(of: part.vectors, part.owners, path: reader.path)
            for (column, values) in running + functions.results(of: part.owners) {
                part.vectors[column] = values
            }
            blocks.append(
                try file.append(presentAfter.map { part.vectors[$0] } + part.rows + [part.numbers]))
        }
        return SpilledRun(blocks: blocks, kinds: kinds(of: presentAfter) + [.int])
    }

    /// Rows of a part.
    private struct Rows {
        /// The columns, at their indices; those that are not present are empty.
        var vectors: [ColumnVector]
        /// The numbers of the rows in their source, if those are kept.
        var rows: ArraySlice<ColumnVector>
        /// The number of each row's keys.
        let owners: [UInt32]
        /// The numbers of the rows in their order.
        let numbers: ColumnVector
    }

    private func read(
        _ chunk: KeyPartitions.Chunk, _ known: [ValueNumbers], _ combinations: CombinationNumbers
    ) throws(StoreError) -> Rows {
        let divided = dividedColumns
        let (values, numbers) = try KeyPartitions.vectors(of: chunk, kinds(of: divided), in: file)
        var vectors = columns.map(\.emptyVector)
        for (index, column) in divided.enumerated() { vectors[column] = values[index] }
        let owners =
            keys.isEmpty
            ? [UInt32](repeating: 0, count: chunk.rowCount)
            : combinations.numbers(
                zip(known, values).map { $0.numbers(of: $1, adding: true) }, adding: true)
        return Rows(
            vectors: vectors, rows: values[divided.count...], owners: owners, numbers: numbers)
    }
}
