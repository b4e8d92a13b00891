import FirnCodec
import FirnEngine
import FirnValues

/// Rows on disk, divided into pages.
final class SpilledRows {
    /// The number of rows in a page, unless their values are long.
    static let rowsPerPage = 16_384

    struct Page {
        let rowCount: Int
        /// The number of the first row.
        let first: Int64
        /// One block per column.
        let columns: [SpillFile.Block]
    }

    let pages: [Page]
    private let file: SpillFile
    private let kinds: [ValueTag]
    /// The last page of each column that was read.
    private var latest: [Int: (page: Int, vector: ColumnVector)] = [:]

    init(_ file: SpillFile, _ pages: [Page], kinds: [ValueTag]) {
        self.file = file
        self.pages = pages
        self.kinds = kinds
    }

    /// Returns the values of a column in a page.
    func vector(_ column: Int, of page: Int) throws(StoreError) -> ColumnVector {
        if let latest = latest[column], latest.page == page { return latest.vector }
        let vectors = try file.vectors(of: pages[page].columns[column], [kinds[column]])
        guard let vector = vectors.first, vector.count == pages[page].rowCount else {
            throw file.damaged
        }
        latest[column] = (page, vector)
        return vector
    }
}
