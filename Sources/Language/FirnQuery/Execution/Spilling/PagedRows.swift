import FirnCodec
import FirnEngine
import FirnValues

/// Rows in memory or on disk, divided into pages.
final class PagedRows {
    /// The maximum number of rows in a page; fewer if their values are long.
    static let rowsPerPage = 16_384

    struct Page {
        let rowCount: Int
        /// The number of the first row.
        var first: Int64
        /// One block per column.
        let columns: [SpillFile.Block]

        /// Keeps the columns of at least one row.
        init(_ columns: [ColumnVector], first: Int64, in file: SpillFile) throws(StoreError) {
            rowCount = columns.first?.count ?? 0
            self.first = first
            var blocks: [SpillFile.Block] = []
            for column in columns { blocks.append(try file.append([column])) }
            self.columns = blocks
        }
    }

    /// The place of the values of a column.
    enum Column {
        /// The column with this number in each page.
        case stored(Int)
        /// Not in pages: the rows repeat these values cyclically, starting with the first row.
        case repeated(ColumnVector)
        /// Not in pages, because no later stage uses the values.
        case unused
    }

    let pages: [Page]
    private let file: SpillFile
    private let kinds: [ValueTag]
    private let columns: [Column]
    /// The last page of each column that was read.
    private var latest: [Int: (page: Int, vector: ColumnVector)] = [:]
    /// The last page with codes of each column that was created.
    private var latestCodes: [Int: (start: Int, codes: ColumnPage)] = [:]

    /// - Parameters:
    ///   - kinds: the kinds of the columns of each page.
    ///   - columns: where the columns of the rows are; by default, those of the pages.
    init(_ file: SpillFile, _ pages: [Page], kinds: [ValueTag], columns: [Column]? = nil) {
        self.file = file
        self.pages = pages
        self.kinds = kinds
        self.columns = columns ?? kinds.indices.map { .stored($0) }
    }

    /// Returns these rows and, after them, others with the same columns in the same file.
    func followed(by others: PagedRows) -> PagedRows {
        PagedRows(file, pages + others.pages, kinds: kinds, columns: columns)
    }

    /// Returns the values of a column in a page.
    func vector(_ column: Int, of page: Int) throws(StoreError) -> ColumnVector {
        if let latest = latest[column], latest.page == page { return latest.vector }
        let vector = try vector(columns[column], of: pages[page])
        latest[column] = (page, vector)
        return vector
    }

    private func vector(_ column: Column, of page: Page) throws(StoreError) -> ColumnVector {
        switch column {
        case .stored(let place):
            let vectors = try file.vectors(of: page.columns[place], [kinds[place]])
            guard let vector = vectors.first, vector.count == page.rowCount else {
                throw file.damaged
            }
            return vector
        case .repeated(let values): return values.picking(Self.turns(of: values, page))
        case .unused: preconditionFailure("a column that later stages do not use")
        }
    }

    /// Returns the position of each row's value among the repeated values.
    private static func turns(of values: ColumnVector, _ page: Page) -> [UInt32] {
        let count = UInt32(truncatingIfNeeded: values.count)
        var turn = UInt32(truncatingIfNeeded: Int(page.first) % values.count)
        return (0..<page.rowCount).map { _ in
            defer { turn = turn + 1 == count ? 0 : turn + 1 }
            return turn
        }
    }

    /// Returns the codes of a column in a page, if its rows repeat values; `nil` even then if the
    /// values are too long for codes.
    func codedPage(_ column: Int, of page: Int) -> ColumnPage? {
        guard case .repeated(let values) = columns[column] else { return nil }
        let start = Int(pages[page].first) % values.count
        if let latest = latestCodes[column], latest.start == start,
            latest.codes.rowCount == pages[page].rowCount
        {
            return latest.codes
        }
        let codes = ColumnBuilder(kind: values.kind)
        codes.append(
            values.picking(Self.turns(of: values, pages[page])), rows: 0..<pages[page].rowCount)
        guard let made = try? codes.makePage() else { return nil }
        latestCodes[column] = (start, made)
        return made
    }
}
