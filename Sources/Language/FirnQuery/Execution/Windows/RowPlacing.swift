import FirnCodec
import FirnEngine
import FirnValues

/// Rows of a run, with ascending numbers in the last vector.
struct PlacedBlock: Sendable {
    let block: SpillFile.Block
    /// The numbers of the first and of the last row.
    let numbers: ClosedRange<Int64>
    /// The maximum number of bytes that a row takes.
    let rowByteCountMax: Int

    /// Keeps the columns of at least one row.
    init(_ columns: [ColumnVector], _ numbers: ClosedRange<Int64>, in file: SpillFile)
        throws(StoreError)
    {
        self.numbers = numbers
        rowByteCountMax = columns.reduce(0) { $0 + $1.rowByteCountMax }
        block = try file.append(columns)
    }
}

extension ColumnVector {
    /// The maximum number of bytes that one of the values takes.
    fileprivate var rowByteCountMax: Int {
        guard kind.isStoredAsBytes else { return 12 }
        return zip(offsets, offsets.dropFirst()).reduce(0) { max($0, Int($1.1 - $1.0)) }
    }
}

/// Puts the rows of several runs into the order of their numbers, page by page.
///
///     run 0   0 3 7 | 9          page   0(0) 1(1) 2(1) 3(0) | 4(1) 5(1) 6(1) 7(0) | ...
///     run 1   1 2 4 5 | 6 8
///
/// The numbers are 0, 1, 2 and so on without gaps, so that the place of each row is known, and several
/// threads fill pages at the same time. Numbers go to their places at once; what is stored as bytes is
/// copied run by run, and the copies are then put into their order.
struct RowPlacing: Sendable {
    /// The number of pages that a thread fills before it takes others.
    private static let pagesPerTask = 16
    /// The share of the memory of a statement that a page may take, as a divisor.
    private static let memoryShare = 16
    private static let pageByteCounts = (64 << 10)...(16 << 20)

    private let runs: [[PlacedBlock]]
    private let rowCount: Int
    private let kinds: [ValueTag]
    private let file: SpillFile
    /// The size in bytes at which a page is full even with fewer rows than usual, if values are
    /// long.
    private let pageByteCount: Int
    /// The number of rows after which the size of a page is checked.
    private let rowsPerStep: Int

    /// - Parameters:
    ///   - runs: blocks with ascending numbers; together they have every number from 0 on once.
    ///   - kinds: the kinds of the columns without the numbers.
    ///   - statementByteCount: the memory of the statement.
    init(
        _ runs: [[PlacedBlock]], _ kinds: [ValueTag], in file: SpillFile, statementByteCount: Int
    ) {
        self.runs = runs.filter { !$0.isEmpty }
        rowCount = Int(runs.lazy.compactMap { $0.last?.numbers.upperBound }.max() ?? -1) + 1
        self.kinds = kinds
        self.file = file
        pageByteCount = max(
            Self.pageByteCounts.lowerBound,
            min(Self.pageByteCounts.upperBound, statementByteCount / Self.memoryShare))
        let rowByteCountMax = runs.lazy.joined().reduce(1) { max($0, $1.rowByteCountMax) }
        rowsPerStep = max(1, min(PagedRows.rowsPerPage, pageByteCount / rowByteCountMax))
    }

    /// Returns the pages in their order, and releases the runs.
    func pages(_ reader: SnapshotReader) throws(StoreError) -> [PagedRows.Page] {
        let rowsPerTask = Self.pagesPerTask * PagedRows.rowsPerPage
        let taskCount = (rowCount + rowsPerTask - 1) / rowsPerTask
        let pages = try SharedScan.results(of: taskCount, reader) {
            task, reader throws(StoreError) in
            let start = task * rowsPerTask
            return try self.pages(start..<min(rowCount, start + rowsPerTask), reader)
        }
        for run in runs { for block in run { file.release(block.block) } }
        return pages.flatMap { $0 }
    }

    /// A run that is being read.
    private struct Source {
        var blocks: ArraySlice<PlacedBlock>
        /// The vectors of the current block, and its first row that has not been copied yet.
        var vectors: [ColumnVector] = []
        var next = 0
    }

    private func pages(
        _ numbers: Range<Int>, _ reader: SnapshotReader
    ) throws(StoreError) -> [PagedRows.Page] {
        var sources = runs.map { run in
            // The first block that ends in or after the range.
            let first = run.partitioningIndex { $0.numbers.upperBound >= numbers.lowerBound }
            return Source(blocks: run[first...])
        }
        var pages: [PagedRows.Page] = []
        var start = numbers.lowerBound
        while start < numbers.upperBound {
            try reader.checkStopped()
            let page = try fill(start..<numbers.upperBound, &sources)
            pages.append(try PagedRows.Page(page, first: Int64(start), in: file))
            start += page.first?.count ?? 0
        }
        return pages
    }

    /// A page that is being filled.
    private struct Page {
        /// The number of the row at position 0.
        let first: Int
        /// The columns: columns of numbers in their order, and the others as copies of the runs.
        var columns: [ColumnVector]
        /// The copy for each position.
        var order: [UInt32] = []

        init(_ first: Int, _ kinds: [ValueTag]) {
            self.first = first
            columns = kinds.map { ColumnVector(kind: $0) }
        }

        mutating func extend(by count: Int) {
            order += repeatElement(0, count: count)
            for index in columns.indices where !columns[index].kind.isStoredAsBytes {
                columns[index].extend(to: order.count)
            }
        }

        /// Puts consecutive rows of a run at some positions.
        mutating func put(
            _ vectors: ArraySlice<ColumnVector>, from start: Int, at positions: [UInt32]
        ) {
            for (index, vector) in vectors.enumerated() where !vector.kind.isStoredAsBytes {
                columns[index].replace(positions, by: vector, from: start)
            }
            guard let copied = columns.first(where: \.kind.isStoredAsBytes)?.count else { return }
            let rows = positions.indices.map { UInt32(truncatingIfNeeded: start + $0) }
            for (offset, position) in positions.enumerated() {
                order[Int(position)] = UInt32(truncatingIfNeeded: copied + offset)
            }
            for (index, vector) in vectors.enumerated() where vector.kind.isStoredAsBytes {
                columns[index].append(vector, rows: rows[...])
            }
        }

        /// The columns in their order.
        var ordered: [ColumnVector] {
            columns.map { $0.kind.isStoredAsBytes ? $0.picking(order) : $0 }
        }
    }

    /// Returns the columns of the first rows of a range, in their order.
    private func fill(
        _ numbers: Range<Int>, _ sources: inout [Source]
    ) throws(StoreError) -> [ColumnVector] {
        var page = Page(numbers.lowerBound, kinds)
        var byteCount = 0
        var placedCount = 0
        while page.order.count < min(numbers.count, PagedRows.rowsPerPage),
            byteCount < pageByteCount
        {
            let end = min(numbers.count, PagedRows.rowsPerPage)
            page.extend(by: min(end - page.order.count, rowsPerStep))
            for index in sources.indices {
                placedCount += try copy(from: &sources[index], to: &page)
            }
            byteCount = page.columns.reduce(0) { $0 + $1.valueByteCount }
        }
        guard placedCount == page.order.count else { throw file.damaged }
        return page.ordered
    }

    /// Copies the rows of a run that have a place in the page.
    ///
    /// - Returns: their number.
    private func copy(
        from source: inout Source, to page: inout Page
    ) throws(StoreError) -> Int {
        let end = Int64(page.first + page.order.count)
        var count = 0
        while let block = source.blocks.first, block.numbers.lowerBound < end {
            if source.vectors.isEmpty { try read(block, of: &source, from: Int64(page.first)) }
            guard let known = source.vectors.last else { throw file.damaged }
            let start = source.next
            var positions: [UInt32] = []
            while source.next < known.count, known.ints[source.next] < end {
                let position = known.ints[source.next] - Int64(page.first)
                guard position >= 0 else { throw file.damaged }
                positions.append(UInt32(truncatingIfNeeded: position))
                source.next += 1
            }
            page.put(source.vectors.dropLast(), from: start, at: positions)
            count += positions.count
            guard source.next == known.count else { break }
            source.blocks.removeFirst()
            source.vectors = []
        }
        return count
    }

    private func read(
        _ block: PlacedBlock, of source: inout Source, from first: Int64
    ) throws(StoreError) {
        source.vectors = try file.vectors(of: block.block, kinds + [.int])
        source.next = source.vectors.last?.ints.partitioningIndex { $0 >= first } ?? 0
    }
}
