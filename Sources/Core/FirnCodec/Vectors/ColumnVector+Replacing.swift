import FirnValues

extension ColumnVector {
    /// Replaces the values of some rows with consecutive rows of another vector.
    ///
    /// - Parameters:
    ///   - rows: The rows to replace, each once.
    ///   - other: A vector of the same kind, which is not stored as bytes and has no collections.
    ///   - start: The row of `other` for the first of them.
    package mutating func replace(
        _ rows: [UInt32], by other: ColumnVector, from start: Int
    ) {
        precondition(kind == other.kind && kind.isColumnKind && !kind.isStoredAsBytes)
        precondition(start + rows.count <= other.count)
        switch kind {
        case .double, .float: Self.replace(rows, in: &doubles, by: other.doubles, from: start)
        case .date:
            Self.replace(rows, in: &ints, by: other.ints, from: start)
            Self.replace(rows, in: &nanoseconds, by: other.nanoseconds, from: start)
        default: Self.replace(rows, in: &ints, by: other.ints, from: start)
        }
        guard !nulls.isEmpty || !other.nulls.isEmpty else { return }
        for (index, row) in rows.enumerated() {
            let row = Int(row)
            if other.isNull(start + index) {
                insertNull(row)
            } else if row >> 6 < nulls.count {
                nulls[row >> 6] &= ~(1 << UInt64(row & 63))
            }
        }
    }

    /// Appends zeros up to a number of rows, to be replaced.
    package mutating func extend(to count: Int) {
        precondition(kind.isColumnKind && !kind.isStoredAsBytes)
        let added = max(0, count - self.count)
        if kind.isStoredAsDoubles {
            doubles.append(contentsOf: repeatElement(0, count: added))
        } else {
            ints.append(contentsOf: repeatElement(0, count: added))
            if kind == .date { nanoseconds.append(contentsOf: repeatElement(0, count: added)) }
        }
        self.count += added
    }

    private static func replace<Element: BitwiseCopyable>(
        _ rows: [UInt32], in target: inout [Element], by source: [Element], from start: Int
    ) {
        for (index, row) in rows.enumerated() { target[Int(row)] = source[start + index] }
    }
}
