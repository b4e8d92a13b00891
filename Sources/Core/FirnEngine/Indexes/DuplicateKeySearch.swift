import FirnCodec
import FirnValues

/// A search for two objects with the same primary key, in bounded memory.
///
/// If the keys ascend with the row ids, one pass over them is the proof. Otherwise the keys are
/// hashed and each pass sorts the hashes of one part of the hash range, as many as fit into the
/// budget; equal hashes are compared by their values.
struct DuplicateKeySearch {
    struct Duplicate {
        let first: RowID
        let second: RowID
        let value: Value
    }

    private struct HashedRow: Comparable {
        let hash: UInt64
        let group: UInt32
        let row: UInt32

        static func < (left: HashedRow, right: HashedRow) -> Bool {
            left.hash != right.hash
                ? left.hash < right.hash : left.precedes(right)
        }

        /// Whether the row is before another.
        func precedes(_ other: HashedRow) -> Bool {
            (group, row) < (other.group, other.row)
        }
    }

    let groups: [RowGroupView]
    let key: PropertySchema
    /// The maximum number of hashes in memory, 16 bytes each.
    var hashesPerPass = 4_000_000

    /// Returns the first row with the same key as an earlier row, and the earlier row.
    ///
    /// - Parameter progress: called for each row group, with the number of rows before it and their
    ///   total.
    func firstDuplicate(
        _ progress: (_ done: Int, _ total: Int) throws(StoreError) -> Void = { _, _ in }
    ) throws(StoreError) -> Duplicate? {
        if try isAscending() { return nil }
        let rowCount = groups.reduce(0) { $0 + $1.rowCount }
        let passCount = UInt64(rowCount / max(1, hashesPerPass) + 1)
        var found: (first: HashedRow, second: HashedRow)?
        for pass in 0..<passCount {
            var rows = try hashes { index throws(StoreError) in
                let before = groups[..<index].reduce(0) { $0 + $1.rowCount }
                try progress(
                    Int((UInt64(rowCount) * pass + UInt64(before)) / passCount), rowCount)
            } where: { hash in
                hash.multipliedFullWidth(by: passCount).high == pass
            }
            rows.sort()
            try find(&found, in: rows)
        }
        guard let found else { return nil }
        return Duplicate(
            first: try rowID(of: found.first), second: try rowID(of: found.second),
            value: try value(of: found.second))
    }

    /// Returns whether every key of an existing row is greater than the previous one.
    func isAscending() throws(StoreError) -> Bool {
        var last: Value?
        for group in groups {
            let vector = try keys(of: group)
            let live = try group.liveRows()
            if vector.kind == .int, live == nil, vector.nulls.isEmpty {
                // The common case needs no Value per row. The first number has no predecessor, or
                // nil.
                var previous: Int64?
                if case .int(let number)? = last { previous = number }
                for number in vector.ints {
                    if let previous, number <= previous { return false }
                    previous = number
                }
                if let previous { last = .int(previous) }
                continue
            }
            for row in 0..<vector.count where live.map({ $0[row] }) ?? true {
                let value = vector.value(at: row)
                if let last, value.order(relativeTo: last) != .greater { return false }
                last = value
            }
        }
        return true
    }

    /// Returns whether the rows can serve as their own index.
    ///
    /// Every row must have a key greater than the previous one, including deleted rows, because
    /// they keep their indices. Only the first key may be nil, if keys may.
    func isAscendingIncludingDeleted() throws(StoreError) -> Bool {
        var last: Value?
        for group in groups {
            let vector = try keys(of: group)
            for row in 0..<vector.count {
                let value = vector.value(at: row)
                if value.isNull, !key.type.isOptional { return false }
                if let last, value.order(relativeTo: last) != .greater { return false }
                last = value
            }
        }
        return true
    }

    /// - Parameter willRead: called with the index of each row group.
    private func hashes(
        willRead: (Int) throws(StoreError) -> Void, where isWanted: (UInt64) -> Bool
    ) throws(StoreError) -> [HashedRow] {
        var rows: [HashedRow] = []
        for (index, group) in groups.enumerated() {
            try willRead(index)
            let vector = try keys(of: group)
            let live = try group.liveRows()
            for row in 0..<vector.count where live.map({ $0[row] }) ?? true {
                let hash = DuplicateKeySearch.hash(of: vector, at: row)
                guard isWanted(hash) else { continue }
                rows.append(HashedRow(hash: hash, group: UInt32(index), row: UInt32(row)))
            }
        }
        return rows
    }

    private static func hash(of vector: ColumnVector, at row: Int) -> UInt64 {
        if vector.isNull(row) { return 0 }
        if vector.kind.isStoredAsBytes {
            let range = Int(vector.offsets[row])..<Int(vector.offsets[row + 1])
            return vector.bytes.withUnsafeBytes { bytes in
                Checksum.xxh64(UnsafeRawBufferPointer(rebasing: bytes[range]), seed: 0)
            }
        }
        var number = vector.ints[row]
        return withUnsafeBytes(of: &number) { Checksum.xxh64($0, seed: 0) }
    }

    /// Finds two rows with the same key, the second of which is before the one found so far.
    ///
    /// - Parameter rows: The rows, ascending by hash.
    private func find(
        _ found: inout (first: HashedRow, second: HashedRow)?, in rows: [HashedRow]
    ) throws(StoreError) {
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].hash == rows[start].hash { end += 1 }
            defer { start = end }
            guard end - start > 1 else { continue }
            if let found, !rows[start + 1].precedes(found.second) { continue }
            guard let pair = try duplicate(among: rows[start..<end]) else { continue }
            if found.map({ pair.second.precedes($0.second) }) ?? true { found = pair }
        }
    }

    private func duplicate(
        among rows: ArraySlice<HashedRow>
    ) throws(StoreError) -> (first: HashedRow, second: HashedRow)? {
        var seen: [Value: HashedRow] = [:]
        for row in rows {
            let value = try value(of: row)
            if let other = seen[value] { return (other, row) }
            seen[value] = row
        }
        return nil
    }

    private func value(of row: HashedRow) throws(StoreError) -> Value {
        try groups[Int(row.group)].column(key).value(at: Int(row.row))
    }

    private func rowID(of row: HashedRow) throws(StoreError) -> RowID {
        try groups[Int(row.group)].rowID(at: Int(row.row))
    }

    private func keys(of group: RowGroupView) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(kind: key.type.base)
        try group.column(key).decode(0..<group.rowCount, into: &vector)
        return vector
    }
}
