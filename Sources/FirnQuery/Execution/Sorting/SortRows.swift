import FirnCodec
import FirnEngine
import FirnValues

/// Rows with their sort codes, to be put in order.
struct SortRows {
    /// One sort key of all rows.
    private struct KeyColumn {
        let key: BoundSortKey
        /// Complemented if the key is descending.
        var codes: [UInt64] = []
        /// The values themselves, of the batches in which codes are not exact.
        var values: [Int: ColumnVector] = [:]
    }

    /// What is moved while sorting: the first code and the place of the rest.
    private struct Entry {
        let code: UInt64
        let index: UInt32
    }

    private var columns: [KeyColumn]
    private(set) var references: [RowReference] = []
    /// Where each appended batch begins; a batch has its own value vectors.
    private var batchStarts: [Int] = []
    /// Whether ties keep the order in which rows were appended, or the order of the table.
    private let tiesByArrival: Bool

    init(keys: [BoundSortKey], tiesByArrival: Bool) {
        columns = keys.map { KeyColumn(key: $0) }
        self.tiesByArrival = tiesByArrival
    }

    var count: Int { references.count }

    /// Adds rows of a group.
    mutating func append(
        _ rows: [UInt32], of group: Int, from scanner: TableScanner
    ) throws(StoreError) {
        batchStarts.append(references.count)
        let batch = batchStarts.count - 1
        for index in columns.indices {
            let column = columns[index].key.column
            var vector = ColumnVector(kind: column.type.base)
            try scanner.gather(column, of: group, rows: rows, into: &vector)
            let start = columns[index].codes.count
            let isExact = SortCode.append(vector, to: &columns[index].codes)
            if columns[index].key.descending {
                for row in start..<columns[index].codes.count {
                    columns[index].codes[row] = ~columns[index].codes[row]
                }
            }
            if !isExact { columns[index].values[batch] = vector }
        }
        let number = UInt32(truncatingIfNeeded: group)
        references.append(contentsOf: rows.map { RowReference(group: number, row: $0) })
    }

    /// The rows in order, at most so many.
    func sorted(limit: Int = .max) -> [RowReference] {
        order().prefix(limit).map { references[Int($0)] }
    }

    /// Forgets all but the first so many rows in order.
    ///
    /// - Returns: the first code of the last row that stays.
    mutating func keepFirst(_ limit: Int) -> UInt64? {
        let kept = Array(order().prefix(limit))
        var smaller = SortRows(keys: columns.map(\.key), tiesByArrival: tiesByArrival)
        smaller.adopt(kept, of: self)
        self = smaller
        return count == limit ? columns[0].codes.max() : nil
    }

    /// Takes over rows of another collection, in its order of arrival so that ties stay the same.
    private mutating func adopt(_ kept: [UInt32], of other: SortRows) {
        batchStarts = [0]
        for index in kept.sorted() {
            references.append(other.references[Int(index)])
            for column in columns.indices {
                columns[column].codes.append(other.columns[column].codes[Int(index)])
            }
        }
        for column in columns.indices where !other.columns[column].values.isEmpty {
            var vector = ColumnVector(kind: columns[column].key.column.type.base)
            for index in kept.sorted() {
                vector.append(other.value(column, Int(index)))
            }
            columns[column].values[0] = vector
        }
    }

    private func order() -> [UInt32] {
        var entries = columns[0].codes.enumerated().map { index, code in
            Entry(code: code, index: UInt32(truncatingIfNeeded: index))
        }
        entries.sort { left, right in
            left.code != right.code
                ? left.code < right.code : isBefore(Int(left.index), Int(right.index))
        }
        return entries.map(\.index)
    }

    /// Orders rows whose first codes are equal.
    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        for column in columns.indices {
            let codes = (columns[column].codes[left], columns[column].codes[right])
            if codes.0 != codes.1 { return codes.0 < codes.1 }
            guard !columns[column].values.isEmpty else { continue }
            let order = value(column, left).order(relativeTo: value(column, right))
            if order != .equal {
                return (order == .less) != columns[column].key.descending
            }
        }
        return tiesByArrival ? left < right : references[left] < references[right]
    }

    /// A value whose code is not exact; null if its batch has none, when codes decided already.
    private func value(_ column: Int, _ index: Int) -> Value {
        var low = 0
        var high = batchStarts.count
        while low < high {
            let middle = (low + high) / 2
            if batchStarts[middle] <= index { low = middle + 1 } else { high = middle }
        }
        guard let vector = columns[column].values[low - 1] else { return .null }
        return vector.value(at: index - batchStarts[low - 1])
    }
}
