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
        /// The values of each batch; empty if all of its codes are exact, or they are texts.
        var values: [ColumnVector] = []
        /// The values of each batch if they are ordered by their bytes.
        var texts = SortTextBatches()
        /// Whether all codes are exact.
        var areExact = true
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
        count * Self.rowByteCount(keyCount: columns.count) + valueByteCount
    }

    /// Returns the approximate memory of a row and of its sort, without the values of its keys.
    static func rowByteCount(keyCount: Int) -> Int {
        let sorting = 2 * MemoryLayout<SortEntry>.stride + MemoryLayout<UInt32>.stride
        return MemoryLayout<RowReference>.stride + MemoryLayout<UInt64>.stride * keyCount + sorting
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
        try checkCount(adding: added.count, path: path)
        batchStarts.append(references.count)
        references.append(contentsOf: added)
        for (index, vector) in vectors.enumerated() {
            if columns[index].append(vector) { valueByteCount += vector.byteSize }
        }
    }

    /// Returns the rows in order, at most `limit` of them.
    ///
    /// - Parameter reader: the reader of the calling thread, if other threads may help.
    /// - Throws: `cancelled` if the query was cancelled.
    func sorted(
        limit: Int = .max, path: String, on reader: SnapshotReader? = nil
    ) throws(StoreError) -> [RowReference] {
        try order(path: path, on: reader).prefix(limit).map { references[Int($0)] }
    }

    /// Discards all rows except the first `limit` in order.
    ///
    /// - Returns: the first code of the last row that is kept, if `limit` rows are kept.
    /// - Parameter reader: the reader of the calling thread, if other threads may help.
    /// - Throws: `cancelled` if the query was cancelled.
    mutating func keepFirst(
        _ limit: Int, path: String, on reader: SnapshotReader? = nil
    ) throws(StoreError) -> UInt64? {
        let kept = try order(path: path, on: reader).prefix(limit).sorted()
        var smaller = SortRows(
            keys: columns.map(\.key), tiesByArrival: tiesByArrival, progress: progress,
            isStopped: isStopped)
        smaller.adopt(kept, of: self)
        self = smaller
        return count == limit ? columns[0].codes.max() : nil
    }

    /// Appends the rows of another collection with the same keys.
    mutating func append(_ other: SortRows, path: String) throws(StoreError) {
        try checkCount(adding: other.count, path: path)
        batchStarts += other.batchStarts.map { $0 + count }
        references += other.references
        for index in columns.indices { columns[index].append(other.columns[index]) }
        valueByteCount += other.valueByteCount
    }

    /// Checks that the rows can be numbered with 32 bits.
    private func checkCount(adding count: Int, path: String) throws(StoreError) {
        guard references.count + count <= Int(UInt32.max) else {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "a sort of more than \(UInt32.max) objects",
                remedy: "put a condition or a LIMIT before the SORT")
        }
    }

    /// Copies rows of another collection in its order of arrival, so that ties remain the same.
    private mutating func adopt(_ kept: [UInt32], of other: SortRows) {
        var vectors: [ColumnVector] = []
        func close(_ rows: inout SortRows) {
            for (index, vector) in vectors.enumerated() where vector.count > 0 {
                rows.columns[index].keep(vector)
            }
        }
        for (number, index) in kept.enumerated() {
            let index = Int(index)
            let byteCount = vectors.reduce(0) { $0 + $1.bytes.count }
            if number == 0 || byteCount > SortRows.batchByteCount {
                close(&self)
                batchStarts.append(references.count)
                vectors = columns.map { ColumnVector(kind: $0.kind) }
            }
            references.append(other.references[index])
            for column in columns.indices {
                let code = other.columns[column].codes[index]
                columns[column].codes.append(code)
                if columns[column].isExact(code) {
                    vectors[column].append(.null)
                } else {
                    let (batch, row) = other.location(index)
                    other.columns[column].append(batch, row, to: &vectors[column])
                }
            }
        }
        close(&self)
    }

    /// Returns the rows in parts, each with about a number of bytes and at most twice that number,
    /// but at least one batch.
    ///
    /// A part takes memory of its own while it is in use.
    func parts(of byteCount: Int) -> some Sequence<SortRows> {
        let partCount = max(1, self.byteCount / max(1, byteCount))
        let batchCount = max(1, (batchStarts.count + partCount - 1) / partCount)
        return stride(from: 0, to: batchStarts.count, by: batchCount).lazy.map { first in
            part(first..<min(batchStarts.count, first + batchCount))
        }
    }

    private func part(_ batches: Range<Int>) -> SortRows {
        let start = batchStarts[batches.lowerBound]
        let end = batches.upperBound < batchStarts.count ? batchStarts[batches.upperBound] : count
        var part = SortRows(
            keys: columns.map(\.key), tiesByArrival: tiesByArrival, progress: progress,
            isStopped: isStopped)
        part.references = Array(references[start..<end])
        part.batchStarts = batchStarts[batches].map { $0 - start }
        for index in columns.indices {
            part.columns[index].codes = Array(columns[index].codes[start..<end])
            part.columns[index].values = Array(columns[index].values[batches])
            part.columns[index].texts = columns[index].texts.part(batches)
            part.columns[index].areExact = columns[index].areExact
        }
        return part
    }

    /// Returns the value of a row whose code is not exact.
    func value(_ column: Int, _ index: Int) -> Value {
        let (batch, row) = location(index)
        return columns[column].values[batch].value(at: row)
    }

    /// Returns the bytes of the value of a row, whose code is not exact.
    ///
    /// They are valid as long as this instance.
    func text(_ column: Int, _ index: Int) -> UnsafeBufferPointer<UInt8> {
        let (batch, row) = location(index)
        return columns[column].texts.text(batch, row)
    }

    /// Returns the batch of a row, and its index there.
    private func location(_ index: Int) -> (batch: Int, row: Int) {
        let batch = batchStarts.partitioningIndex { $0 > index } - 1
        return (batch, index - batchStarts[batch])
    }
}

extension SortRows.KeyColumn {
    /// Appends the codes of a batch, and its values if some codes are not exact.
    ///
    /// - Returns: whether the values were appended.
    fileprivate mutating func append(_ vector: ColumnVector) -> Bool {
        let start = codes.count
        SortCode.append(vector, isDescending: key.descending, to: &codes)
        guard codes[start...].allSatisfy({ isExact($0) }) else {
            keep(vector)
            return true
        }
        values.append(ColumnVector(kind: kind))
        texts.append(nil)
        return false
    }

    /// Appends the batches of other rows.
    fileprivate mutating func append(_ other: SortRows.KeyColumn) {
        codes += other.codes
        values += other.values
        texts.append(other.texts)
        areExact = areExact && other.areExact
    }

    /// Keeps the values of a batch.
    fileprivate mutating func keep(_ vector: ColumnVector) {
        areExact = false
        values.append(kind.isOrderedByBytes ? ColumnVector(kind: kind) : vector)
        texts.append(kind.isOrderedByBytes ? vector : nil)
    }

    /// Appends a value that was kept to a vector.
    fileprivate func append(_ batch: Int, _ row: Int, to vector: inout ColumnVector) {
        if kind.isOrderedByBytes {
            vector.bytes.append(contentsOf: texts.text(batch, row))
            vector.offsets.append(UInt32(truncatingIfNeeded: vector.bytes.count))
            vector.count += 1
        } else {
            vector.append(values[batch], rows: [UInt32(truncatingIfNeeded: row)])
        }
    }
}
