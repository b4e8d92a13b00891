import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Computes columns of rows that depend on other rows.
///
/// For each set of keys, the rows are divided by those keys into parts, and several threads compute the
/// windows of the parts. The rows are then put back into their order.
///
///     rows -> parts by keys of the 1st set -> windows -> rows -> parts by keys of the 2nd set -> ...
///
/// Rows that do not fit into the memory of the statement are on disk meanwhile.
struct WindowOperator {
    private let columns: [BoundWindowColumn]
    private let keySets: [[Int]]
    private let keepsRows: Bool

    /// - Parameter keepsRows: whether a last column has the numbers of the rows.
    init(_ columns: [BoundWindowColumn], keepsRows: Bool = false) {
        self.columns = columns
        self.keepsRows = keepsRows
        keySets = WindowFunctions.keySets(of: columns)
    }

    /// Returns all columns of the rows of a stream, in their order.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func rows(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> PagedRows {
        let snapshot = evaluator.reader.snapshot
        let file = snapshot.makeSpillFile(memoryByteCount: snapshot.statementByteCount / 2)
        var pages: [PagedRows.Page]?
        var present = columns.indices.filter { columns[$0].projection != nil }
        for (index, keys) in keySets.enumerated() {
            let later = Set(keySets[(index + 1)...].joined())
            let task = WindowTask(
                columns, keys, present, neededLater: later, keepsRows: keepsRows, file)
            let parts =
                if let pages { try task.parts(of: pages, evaluator.reader) } else {
                    try task.parts(of: stream, evaluator)
                }
            pages = try task.pages(of: parts, evaluator.reader)
            present = task.presentAfter
        }
        let kinds = present.map { columns[$0].emptyVector.kind } + (keepsRows ? [.int] : [])
        var places: [PagedRows.Column] = columns.indices.map { index in
            present.firstIndex(of: index).map { .stored($0) } ?? .unused
        }
        if keepsRows { places.append(.stored(present.count)) }
        return PagedRows(file, pages ?? [], kinds: kinds, columns: places)
    }
}

/// The windows with the same keys.
private struct WindowTask: Sendable {
    /// The number of rows up to which one part is faster than several.
    private static let rowCountOfOnePart = 65_536
    /// The memory of a statement required per row of one part, since all keys may be different.
    private static let byteCountPerRow = 1_024
    /// The minimum number of pages of rows that are worth a thread when the rows are divided.
    private static let pagesPerThread = 8

    private let columns: [BoundWindowColumn]
    private let keys: [Int]
    /// The columns of the rows before the work and after it, ascending.
    private let present: [Int]
    let presentAfter: [Int]
    private let keepsRows: Bool
    private let file: SpillFile

    /// - Parameters:
    ///   - present: the columns that the rows have, ascending.
    ///   - neededLater: the columns that are keys of other windows.
    init(
        _ columns: [BoundWindowColumn], _ keys: [Int], _ present: [Int], neededLater: Set<Int>,
        keepsRows: Bool, _ file: SpillFile
    ) {
        self.columns = columns
        self.keys = keys
        self.present = present
        self.keepsRows = keepsRows
        self.file = file
        presentAfter = columns.indices.filter { index in
            switch columns[index] {
            case .window(let window): window.keys == keys || present.contains(index)
            case .input: true
            case .key: neededLater.contains(index)
            }
        }
    }

    private func partCount(forRows rowCount: Int, _ reader: SnapshotReader) -> Int {
        let countMax = min(
            Self.rowCountOfOnePart, reader.snapshot.statementByteCount / Self.byteCountPerRow)
        return keys.isEmpty || rowCount <= countMax ? 1 : KeyPartitions.partCount(forRows: rowCount)
    }

    /// The columns of a row in a part, the keys first.
    private var dividedColumns: [Int] { keys + present.filter { !keys.contains($0) } }

    /// Returns the kinds of some columns, and the kind of the numbers of the rows if these are
    /// kept.
    private func kinds(of indices: [Int]) -> [ValueTag] {
        indices.map { columns[$0].emptyVector.kind } + (keepsRows ? [.int] : [])
    }

    // MARK: Dividing

    /// Divides the rows of a stream by their keys.
    func parts(
        of stream: any RowStream, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [[[KeyPartitions.Chunk]]] {
        let partCount = partCount(forRows: try evaluator.source.rowCount(), evaluator.reader)
        let expressions = dividedColumns.compactMap { columns[$0].projection?.expression }
        let (keyCount, keepsRows, file) = (keys.count, keepsRows, file)
        return try stream.consumed(evaluator) { evaluator in
            RowDivider(
                expressions, keyCount: keyCount, evaluator, to: file, keepsRows: keepsRows,
                partCount: partCount)
        }.result.chunks
    }

    /// Divides rows by their keys, and releases them.
    func parts(
        of pages: [PagedRows.Page], _ reader: SnapshotReader
    ) throws(StoreError) -> [[[KeyPartitions.Chunk]]] {
        let divided = dividedColumns
        // The numbers of the rows follow the columns that are present.
        let places =
            divided.compactMap { present.firstIndex(of: $0) } + (keepsRows ? [present.count] : [])
        let kinds = kinds(of: present)
        let partCount = partCount(forRows: pages.reduce(0) { $0 + $1.rowCount }, reader)
        let ranges = SharedScan.partitions(
            of: pages.count, groupsPerPartition: Self.pagesPerThread)
        var divisions = try SharedScan.results(of: ranges.count, reader) {
            range, reader throws(StoreError) in
            var partitions = KeyPartitions(
                self.kinds(of: divided), keyCount: keys.count, partCount: partCount, to: file)
            for page in pages[ranges[range]] {
                try reader.checkStopped()
                var vectors: [ColumnVector] = []
                for place in places {
                    vectors += try file.vectors(of: page.columns[place], [kinds[place]])
                }
                try partitions.add(vectors, rowCount: page.rowCount)
                for block in page.columns { file.release(block) }
            }
            try partitions.finish()
            return partitions
        }
        var whole = divisions.removeFirst()
        for division in divisions { whole.merge(division) }
        return whole.chunks
    }

    // MARK: Computing

    /// Returns the rows of all parts with their windows, in their order.
    func pages(
        of parts: [[[KeyPartitions.Chunk]]], _ reader: SnapshotReader
    ) throws(StoreError) -> [PagedRows.Page] {
        if parts.count == 1, let part = parts.first {
            var pages: [PagedRows.Page] = []
            try compute(part.flatMap { $0 }, reader) { vectors, numbers throws(StoreError) in
                pages.append(
                    try PagedRows.Page(vectors, first: numbers.ints.first ?? 0, in: file))
            }
            return pages
        }
        let runs = try SharedScan.results(of: parts.count, reader) {
            part, reader throws(StoreError) in
            var run: [PlacedBlock] = []
            try compute(parts[part].flatMap { $0 }, reader) {
                vectors, numbers throws(StoreError) in
                guard let first = numbers.ints.first, let last = numbers.ints.last else { return }
                run.append(try PlacedBlock(vectors + [numbers], first...last, in: file))
            }
            return run
        }
        return try RowPlacing(
            runs, kinds(of: presentAfter), in: file,
            statementByteCount: reader.snapshot.statementByteCount
        ).pages(reader)
    }

    /// Computes the windows of a part, and releases its rows.
    ///
    /// - Parameter keep: receives the columns of some rows, and their numbers.
    private func compute(
        _ chunks: [KeyPartitions.Chunk], _ reader: SnapshotReader,
        _ keep: (_ vectors: [ColumnVector], _ numbers: ColumnVector) throws(StoreError) -> Void
    ) throws(StoreError) {
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
        for chunk in chunks {
            try reader.checkStopped()
            var part = try read(chunk, numbers, combinations)
            file.release(chunk.block)
            functions.makeRoom(for: part.owners)
            let running = try functions.values(of: part.vectors, part.owners, path: reader.path)
            for (column, values) in running + functions.results(of: part.owners) {
                part.vectors[column] = values
            }
            try keep(presentAfter.map { part.vectors[$0] } + part.rows, part.numbers)
        }
    }

    /// Rows of a part.
    private struct Rows {
        /// The columns, at their indices; those that are not present are empty.
        var vectors: [ColumnVector]
        /// The numbers of the rows in their source, if these are kept.
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
        let (values, numbers) = try KeyPartitions.vectors(
            of: chunk, kinds(of: divided), in: file)
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
