import FirnCodec
import FirnEngine
import FirnValues

extension PagedRows {
    /// Divides rows into pages in their order.
    struct Writer {
        /// The size in bytes of the values at which a page is full.
        private static let pageByteCountMax = 4 << 20

        private let file: SpillFile
        private let kinds: [ValueTag]
        private var pages: [Page] = []
        private var page: [ColumnVector]
        private var first: Int64 = 0

        /// - Parameter kinds: the kinds of at least one column.
        init(_ kinds: [ValueTag], to file: SpillFile) {
            self.file = file
            self.kinds = kinds
            page = kinds.map { ColumnVector(kind: $0) }
        }

        /// Appends rows, given column by column.
        mutating func append(_ rows: [ColumnVector]) throws(StoreError) {
            if page[0].count + rows[0].count <= PagedRows.rowsPerPage {
                for index in page.indices { page[index].append(rows[index]) }
                return isFull ? try flush() : ()
            }
            var start = 0
            while start < rows[0].count {
                let room = PagedRows.rowsPerPage - page[0].count
                let end = min(rows[0].count, start + room)
                let part = (start..<end).map { UInt32(truncatingIfNeeded: $0) }
                for index in page.indices { page[index].append(rows[index], rows: part[...]) }
                start = end
                if page[0].count == PagedRows.rowsPerPage || isFull { try flush() }
            }
        }

        /// Ends the last page.
        mutating func finish() throws(StoreError) { try flush() }

        /// Appends the pages of rows that another writer has ended.
        mutating func merge(_ later: Writer) {
            for var page in later.pages {
                page.first += first
                pages.append(page)
            }
            first += later.first
        }

        /// Returns all rows.
        ///
        /// - Parameter columns: where the columns of the rows are; by default, those of the pages.
        mutating func rows(columns: [Column]? = nil) throws(StoreError) -> PagedRows {
            try flush()
            return PagedRows(file, pages, kinds: kinds, columns: columns)
        }

        private var isFull: Bool {
            page.reduce(0) { $0 + $1.valueByteCount } >= Self.pageByteCountMax
        }

        private mutating func flush() throws(StoreError) {
            let count = page[0].count
            guard count > 0 else { return }
            pages.append(try Page(page, first: first, in: file))
            first += Int64(count)
            page = kinds.map { ColumnVector(kind: $0) }
        }
    }
}
