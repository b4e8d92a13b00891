import FirnCodec
import FirnEngine
import FirnValues

/// Rows in memory or on disk, divided into pages.
final class PagedRows {
    /// The greatest number of rows in a page; fewer if their values are long.
    static let rowsPerPage = 16_384

    struct Page {
        let rowCount: Int
        /// The number of the first row.
        let first: Int64
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

    let pages: [Page]
    private let file: SpillFile
    private let kinds: [ValueTag]
    /// The place of each column in a page; `nil` for a column without values.
    private let places: [Int?]
    /// The last page of each column that was read.
    private var latest: [Int: (page: Int, vector: ColumnVector)] = [:]

    /// - Parameters:
    ///   - kinds: the kinds of the columns of each page.
    ///   - places: the place of each column in a page; `nil` for a column without values.
    init(_ file: SpillFile, _ pages: [Page], kinds: [ValueTag], places: [Int?]? = nil) {
        self.file = file
        self.pages = pages
        self.kinds = kinds
        self.places = places ?? Array(kinds.indices)
    }

    /// Returns these rows and, after them, others with the same columns in the same file.
    func followed(by others: PagedRows) -> PagedRows {
        PagedRows(file, pages + others.pages, kinds: kinds, places: places)
    }

    /// Returns the values of a column in a page.
    func vector(_ column: Int, of page: Int) throws(StoreError) -> ColumnVector {
        if let latest = latest[column], latest.page == page { return latest.vector }
        guard let place = places[column] else {
            preconditionFailure("a column that later stages do not use")
        }
        let vectors = try file.vectors(of: pages[page].columns[place], [kinds[place]])
        guard let vector = vectors.first, vector.count == pages[page].rowCount else {
            throw file.damaged
        }
        latest[column] = (page, vector)
        return vector
    }
}
