import FirnCodec
import FirnEngine
import FirnValues

/// Values of rows that are in no order, fetched group by group so that a page is decoded once for
/// many rows.
struct ScatteredVectors {
    /// One per column, in the order of the table.
    let vectors: [ColumnVector]
    /// Where in the vectors the values of each row are, in the order of the rows.
    let places: [UInt32]

    /// The values of some rows in the order of the rows.
    func ordered(_ range: Range<Int>) -> [ColumnVector] {
        vectors.map { source in
            var vector = ColumnVector(kind: source.kind)
            vector.append(source, rows: places[range])
            return vector
        }
    }
}

/// Fetches columns of scattered rows, as many rows at once as memory allows.
///
/// The window is bounded by rows and by bytes: strings can make a row as large as a page. Where
/// a window turns out too large, half of it is tried.
struct ScatteredFetch {
    static let rowCountMax = 65_536
    static let byteCountMax = 64 << 20

    private let columns: [BoundColumn]
    private let scanner: TableScanner
    private let byteCountMax: Int
    /// How many rows to try next.
    private var rowCount: Int

    init(
        _ columns: [BoundColumn], _ scanner: TableScanner,
        byteCountMax: Int = ScatteredFetch.byteCountMax
    ) {
        self.columns = columns
        self.scanner = scanner
        self.byteCountMax = byteCountMax
        let rowByteCount = 16 * max(1, columns.count)
        rowCount = max(1, min(ScatteredFetch.rowCountMax, byteCountMax / rowByteCount))
    }

    /// The values of the first of some rows, of at least one.
    mutating func fetch(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors {
        while true {
            let wanted = references.prefix(rowCount)
            if let fetched = try fetchAll(wanted) { return fetched }
            rowCount = max(1, wanted.count / 2)
        }
    }

    /// The values of all of the rows, or `nil` if they are too large for one window.
    private func fetchAll(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors? {
        // Group and place in one number: sorting brings each group together.
        var keys = references.enumerated().map { place, reference in
            UInt64(reference.group) << 32 | UInt64(UInt32(truncatingIfNeeded: place))
        }
        keys.sort()
        var vectors = columns.map { ColumnVector(kind: $0.type.base) }
        var places = [UInt32](repeating: 0, count: keys.count)
        var rows: [UInt32] = []
        var start = 0
        while start < keys.count {
            let group = keys[start] >> 32
            rows.removeAll(keepingCapacity: true)
            var end = start
            while end < keys.count, keys[end] >> 32 == group {
                let place = Int(UInt32(truncatingIfNeeded: keys[end]))
                places[place] = UInt32(truncatingIfNeeded: end)
                rows.append(references[references.startIndex + place].row)
                end += 1
            }
            var byteCount = 0
            for index in columns.indices {
                try scanner.gather(
                    columns[index], of: Int(group), rows: rows, into: &vectors[index])
                byteCount += vectors[index].bytes.count
            }
            if byteCount > byteCountMax, references.count > 1 { return nil }
            start = end
        }
        return ScatteredVectors(vectors: vectors, places: places)
    }
}
