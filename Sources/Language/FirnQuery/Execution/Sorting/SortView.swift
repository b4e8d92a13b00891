import FirnCodec
import FirnEngine
import FirnValues

/// The keys of rows that are being sorted, which several threads read without reference counting.
///
/// It is valid during the call of ``SortRows/withView(_:)`` that makes it.
struct SortView: @unchecked Sendable {
    typealias Entries = UnsafeMutableBufferPointer<SortEntry>

    /// One key of all rows.
    struct Key {
        /// The codes, complemented if the key is descending.
        let codes: UnsafeBufferPointer<UInt64>
        let texts: UnsafeBufferPointer<SortTextBatches.Batch>
        let kind: ValueTag
        let isDescending: Bool
        /// Whether the values are ordered by their bytes, which are the texts.
        let hasTexts: Bool
    }

    let keys: [Key]
    let references: UnsafeBufferPointer<RowReference>
    /// Whether ties keep the order in which the rows were appended, instead of the table order.
    let tiesByArrival: Bool
    private let batchStarts: UnsafeBufferPointer<Int>
    /// The values of rows whose codes are not exact, if they have no texts.
    private let rows: SortRows

    fileprivate init(
        _ rows: SortRows, _ keys: [Key], _ batchStarts: UnsafeBufferPointer<Int>,
        _ references: UnsafeBufferPointer<RowReference>
    ) {
        self.rows = rows
        self.keys = keys
        self.batchStarts = batchStarts
        self.references = references
        tiesByArrival = rows.tiesByArrival
    }

    // MARK: Codes

    /// Reads the codes of entries.
    func load(_ level: SortLevel, into entries: Entries) {
        let key = keys[level.column]
        guard level.depth > 0 else {
            for position in entries.indices {
                entries[position].code = key.codes[Int(entries[position].index)]
            }
            return
        }
        for position in entries.indices {
            entries[position].code = textCode(key, Int(entries[position].index), level.depth)
        }
    }

    /// Returns the code of a row.
    func code(_ level: SortLevel, _ index: Int) -> UInt64 {
        let key = keys[level.column]
        return level.depth == 0 ? key.codes[index] : textCode(key, index, level.depth)
    }

    private func textCode(_ key: Key, _ index: Int, _ depth: Int) -> UInt64 {
        let text = text(key, index)
        // Rows with equal stored codes have the same first bytes, those of UUIDs and object ids, too.
        let start = SortCode.textByteCount * depth
        let code = SortCode.code(
            UnsafeBufferPointer(rebasing: text[min(start, text.count)...]))
        return key.isDescending ? ~code : code
    }

    /// Returns whether only rows with equal values have a code.
    func isExact(_ code: UInt64, at level: SortLevel) -> Bool {
        let key = keys[level.column]
        return SortCode.isExact(
            key.isDescending ? ~code : code, level.depth == 0 ? key.kind : .string)
    }

    /// Returns the level that decides between rows with a code; `nil` if their values have to be
    /// compared.
    func next(after level: SortLevel, code: UInt64) -> SortLevel? {
        if isExact(code, at: level) { return SortLevel(column: level.column + 1) }
        guard keys[level.column].hasTexts, level.depth < SortLevel.depthMax else { return nil }
        return SortLevel(column: level.column, depth: level.depth + 1)
    }

    // MARK: Values

    /// Returns the order of the values of two rows, whose codes are not exact.
    func valueOrder(_ column: Int, _ left: UInt32, _ right: UInt32) -> Ordering {
        rows.value(column, Int(left)).order(relativeTo: rows.value(column, Int(right)))
    }

    /// Returns the bytes of the value of a row, whose code is not exact.
    func text(_ key: Key, _ index: Int) -> UnsafeBufferPointer<UInt8> {
        let batch = batchStarts.partitioningIndex { $0 > index } - 1
        return key.texts[batch].text(index - batchStarts[batch])
    }
}

extension SortRows {
    /// Calls `body` with the keys of all rows.
    func withView<Result>(
        _ body: (SortView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withKeys([]) { keys throws(StoreError) in
            try batchStarts.withUnsafeBufferPointer { starts throws(StoreError) in
                try references.withUnsafeBufferPointer { references throws(StoreError) in
                    try body(SortView(self, keys, starts, references))
                }
            }
        }
    }

    /// Calls `body` with the first keys, and all keys after them.
    private func withKeys<Result>(
        _ keys: [SortView.Key], _ body: ([SortView.Key]) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard keys.count < columns.count else { return try body(keys) }
        let column = columns[keys.count]
        return try column.codes.withUnsafeBufferPointer { codes throws(StoreError) in
            try column.texts.withUnsafeBatches { texts throws(StoreError) in
                let key = SortView.Key(
                    codes: codes, texts: texts, kind: column.kind,
                    isDescending: column.key.descending,
                    hasTexts: column.kind.isOrderedByBytes)
                return try withKeys(keys + [key], body)
            }
        }
    }
}
