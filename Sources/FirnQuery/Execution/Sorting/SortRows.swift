import FirnCodec
import FirnEngine
import FirnValues

/// Rows to be sorted, with their sort codes.
struct SortRows {
    /// One sort key of all rows.
    struct KeyColumn {
        let key: BoundSortKey
        /// The codes, complemented if the key is descending.
        var codes: [UInt64] = []
        /// The values of each batch, if some of its codes are not exact.
        var values: [ColumnVector?] = []
        let kind: ValueTag

        init(key: BoundSortKey) {
            self.key = key
            kind = key.expression.kind
        }

        /// Returns whether only rows with equal values have this code.
        func isExact(_ code: UInt64) -> Bool {
            SortCode.isExact(key.descending ? ~code : code, kind)
        }
    }

    /// The number of string bytes at which a batch of kept values is closed.
    static let batchByteCount = 32 << 20

    private(set) var columns: [KeyColumn]
    private(set) var references: [RowReference] = []
    /// The index of the first row of each appended batch.
    ///
    /// Each batch has its own value vectors.
    private(set) var batchStarts: [Int] = []
    /// The size of the kept values.
    private var valueByteCount = 0
    /// Whether ties keep the order in which the rows were appended, instead of the table order.
    let tiesByArrival: Bool
    /// Whether the caller has cancelled the query.
    let isStopped: () -> Bool
    let progress: SortProgress?

    init(
        keys: [BoundSortKey], tiesByArrival: Bool, progress: SortProgress? = nil,
        isStopped: @escaping () -> Bool = { false }
    ) {
        self.progress = progress
        columns = keys.map { KeyColumn(key: $0) }
        self.tiesByArrival = tiesByArrival
        self.isStopped = isStopped
    }

    var count: Int { references.count }

    /// The approximate memory of the rows and of their sort.
    var byteCount: Int {
        let sorting = 2 * MemoryLayout<SortEntry>.stride + MemoryLayout<UInt32>.stride
        return count * (MemoryLayout<RowReference>.stride + 8 * columns.count + sorting)
            + valueByteCount
    }

    /// Appends rows of a group.
    mutating func append(
        _ rows: [UInt32], of group: Int, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) {
        let vectors = try columns.map { column throws(StoreError) in
            var vector = ColumnVector(kind: column.kind)
            try evaluator.append(column.key.expression, of: .group(group, rows), into: &vector)
            return vector
        }
        let number = UInt32(truncatingIfNeeded: group)
        try append(
            rows.lazy.map { RowReference(group: number, row: $0) }, vectors,
            path: evaluator.source.path)
    }

    /// Appends rows with the values of their keys.
    mutating func append(
        _ added: some Collection<RowReference>, _ vectors: [ColumnVector], path: String
    ) throws(StoreError) {
        // Row indices have 32 bits.
        guard references.count + added.count <= Int(UInt32.max) else {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "a sort of more than \(UInt32.max) objects",
                remedy: "put a condition or a LIMIT before the SORT")
        }
        batchStarts.append(references.count)
        references.append(contentsOf: added)
        for (index, vector) in vectors.enumerated() {
            columns[index].append(vector)
            if columns[index].values.last.map({ $0 != nil }) == true {
                valueByteCount += vector.byteSize
            }
        }
    }

    /// Returns the rows in order, at most `limit` of them.
    ///
    /// - Throws: `cancelled` if the query was cancelled.
    func sorted(limit: Int = .max, path: String) throws(StoreError) -> [RowReference] {
        try order(path: path).prefix(limit).map { references[Int($0)] }
    }

    /// Discards all rows except the first `limit` in order.
    ///
    /// - Returns: the first code of the last row that is kept, if `limit` rows are kept.
    /// - Throws: `cancelled` if the query was cancelled.
    mutating func keepFirst(_ limit: Int, path: String) throws(StoreError) -> UInt64? {
        let kept = try order(path: path).prefix(limit).sorted()
        var smaller = SortRows(
            keys: columns.map(\.key), tiesByArrival: tiesByArrival, progress: progress,
            isStopped: isStopped)
        smaller.adopt(kept, of: self)
        self = smaller
        return count == limit ? columns[0].codes.max() : nil
    }

    /// Copies rows of another collection in its order of arrival, so that ties remain the same.
    private mutating func adopt(_ kept: [UInt32], of other: SortRows) {
        var vectors: [ColumnVector] = []
        func close(_ rows: inout SortRows) {
            for (index, vector) in vectors.enumerated() where vector.count > 0 {
                rows.columns[index].values.append(vector)
            }
        }
        for (number, index) in kept.enumerated() {
            let index = Int(index)
            let byteCount = vectors.reduce(0) { $0 + $1.bytes.count }
            if number == 0 || byteCount > SortRows.batchByteCount {
                close(&self)
                batchStarts.append(number)
                vectors = columns.map { ColumnVector(kind: $0.kind) }
            }
            references.append(other.references[index])
            for column in columns.indices {
                let code = other.columns[column].codes[index]
                columns[column].codes.append(code)
                if !columns[column].isExact(code), let (source, row) = other.location(column, index)
                {
                    vectors[column].append(source, rows: [UInt32(truncatingIfNeeded: row)])
                } else {
                    vectors[column].append(.null)
                }
            }
        }
        close(&self)
    }

    /// Returns the location of the value of a row whose code is not exact.
    func location(_ column: Int, _ index: Int) -> (vector: ColumnVector, row: Int)? {
        var low = 0
        var high = batchStarts.count
        while low < high {
            let middle = (low + high) / 2
            if batchStarts[middle] <= index { low = middle + 1 } else { high = middle }
        }
        guard let vector = columns[column].values[low - 1] else { return nil }
        return (vector, index - batchStarts[low - 1])
    }
}

extension SortRows.KeyColumn {
    /// Appends the codes of a batch, and its values if some codes are not exact.
    fileprivate mutating func append(_ vector: ColumnVector) {
        let start = codes.count
        SortCode.append(vector, to: &codes)
        var needsValues = false
        if key.descending {
            for row in start..<codes.count { codes[row] = ~codes[row] }
        }
        for row in start..<codes.count where !isExact(codes[row]) {
            needsValues = true
            break
        }
        values.append(needsValues ? vector : nil)
    }
}
