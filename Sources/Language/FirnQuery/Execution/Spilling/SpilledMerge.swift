import FirnCodec
import FirnEngine
import FirnValues

/// Merges runs of groups into pages, in the order of their first rows.
///
///     run 0   3  7 20 |          page   3(0) 4(1) 7(0) 9(1) 20(0) 21(2) ...
///     run 1   4  9 33 |  ----->
///     run 2  21 40 41 |
///
/// The rows of a run are in the same order in a page, so each page copies them run by run, and then
/// puts the copies into their order.
struct SpilledMerge {
    /// A run that is being read.
    private struct Source {
        var blocks: ArraySlice<SpillFile.Block>
        let kinds: [ValueTag]
        /// The vectors of the current block; the last one has the numbers of the first rows.
        var vectors: [ColumnVector] = []
        /// The first row of the block that has not been copied yet, and the next row to take.
        var copied = 0
        var next = 0
        /// The average size of a row of the block in bytes.
        var rowByteCount = 0
        /// The positions in the page of the rows that have not been copied yet.
        var positions: [Int] = []

        var first: Int64? {
            guard let numbers = vectors.last, next < numbers.count else { return nil }
            return numbers.ints[next]
        }
    }

    /// The size in bytes at which a page is full even with fewer rows than usual, if values are
    /// long.
    private static let pageByteCount = 16 << 20

    private let file: SpillFile
    private var sources: [Source]
    /// The sources that have a row, as a binary heap with the least row on top.
    private var heap: [(first: Int64, source: Int)] = []
    private let kinds: [ValueTag]
    /// The rows of the current page, run by run.
    private var copies: [ColumnVector] = []
    /// The row in `copies` for each position in the page.
    private var order: [UInt32] = []

    init(_ runs: [SpilledRun], in file: SpillFile) {
        self.file = file
        kinds = runs.first.map { Array($0.kinds.dropLast()) } ?? []
        sources = runs.map { Source(blocks: $0.blocks[...], kinds: $0.kinds) }
    }

    /// Writes the merged pages.
    ///
    /// - Parameter willWrite: called before each page; an error ends the merge.
    func rows(willWrite: () throws(StoreError) -> Void) throws(StoreError) -> PagedRows {
        var merge = self
        return try merge.merged(willWrite)
    }

    private mutating func merged(
        _ willWrite: () throws(StoreError) -> Void
    ) throws(StoreError) -> PagedRows {
        for index in sources.indices {
            try readBlock(of: index)
            push(index)
        }
        var pages: [PagedRows.Page] = []
        while !heap.isEmpty {
            try willWrite()
            let first = heap[0].first
            try fillPage()
            pages.append(
                try PagedRows.Page(copies.map { $0.picking(order) }, first: first, in: file))
        }
        return PagedRows(file, pages, kinds: kinds)
    }

    /// Takes the rows of the next page.
    private mutating func fillPage() throws(StoreError) {
        copies = kinds.map { ColumnVector(kind: $0) }
        order = [UInt32](repeating: 0, count: PagedRows.rowsPerPage)
        var position = 0
        var byteCount = 0
        while position < PagedRows.rowsPerPage, byteCount < Self.pageByteCount,
            let top = heap.first
        {
            byteCount += sources[top.source].rowByteCount
            sources[top.source].positions.append(position)
            sources[top.source].next += 1
            position += 1
            if sources[top.source].first == nil {
                copy(top.source)
                try readBlock(of: top.source)
            }
            replaceTop()
        }
        for index in sources.indices { copy(index) }
        order.removeLast(order.count - position)
    }

    /// Copies the rows that were taken from a source.
    private mutating func copy(_ index: Int) {
        let rows = sources[index].copied..<sources[index].next
        guard !rows.isEmpty else { return }
        let start = UInt32(truncatingIfNeeded: copies.first?.count ?? 0)
        let list = rows.map { UInt32(truncatingIfNeeded: $0) }
        for column in copies.indices {
            copies[column].append(sources[index].vectors[column], rows: list[...])
        }
        for (offset, position) in sources[index].positions.enumerated() {
            order[position] = start + UInt32(truncatingIfNeeded: offset)
        }
        sources[index].positions.removeAll(keepingCapacity: true)
        sources[index].copied = rows.upperBound
    }

    private mutating func readBlock(of index: Int) throws(StoreError) {
        sources[index].vectors = []
        (sources[index].copied, sources[index].next) = (0, 0)
        guard let block = sources[index].blocks.popFirst() else { return }
        let vectors = try file.vectors(of: block, sources[index].kinds)
        sources[index].vectors = vectors
        sources[index].rowByteCount =
            vectors.reduce(0) { $0 + $1.valueByteCount } / max(1, vectors.last?.count ?? 1)
    }

    // MARK: The heap

    private mutating func push(_ index: Int) {
        guard let first = sources[index].first else { return }
        heap.append((first, index))
        var position = heap.count - 1
        while position > 0, heap[position].first < heap[(position - 1) / 2].first {
            heap.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    /// Moves the source on top to the place of its next row, or removes it.
    private mutating func replaceTop() {
        if let first = sources[heap[0].source].first {
            heap[0].first = first
        } else {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        var position = 0
        while true {
            var least = position
            for child in (2 * position + 1)...(2 * position + 2)
            where child < heap.count && heap[child].first < heap[least].first {
                least = child
            }
            if least == position { return }
            heap.swapAt(position, least)
            position = least
        }
    }
}
