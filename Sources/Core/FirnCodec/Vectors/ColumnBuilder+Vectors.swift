import FirnValues

extension ColumnBuilder {
    /// Appends rows of a vector of the same kind, which must not be a kind of collection.
    package func append(_ vector: ColumnVector, rows: Range<Int>) {
        precondition(vector.kind == kind && rows.upperBound <= vector.count)
        let mayBeNull = !vector.nulls.isEmpty
        if kind.isStoredAsBytes {
            vector.bytes.withUnsafeBufferPointer { bytes in
                each(of: rows, vector, mayBeNull) { row in
                    strings.append(UnsafeBufferPointer(rebasing: bytes[vector.range(row)]))
                }
            }
            return
        }
        switch kind {
        case .double, .float:
            each(of: rows, vector, mayBeNull) { doubles.append(vector.doubles[$0]) }
        case .date:
            each(of: rows, vector, mayBeNull) { row in
                let rest = vector.nanoseconds[row]
                if rest != 0, nanoseconds.isEmpty {
                    nanoseconds = Array(repeating: 0, count: count)
                }
                appendInt(vector.ints[row], nanoseconds: rest)
            }
        default: each(of: rows, vector, mayBeNull) { ints.append(vector.ints[$0]) }
        }
    }

    @inline(__always)
    private func each(
        of rows: Range<Int>, _ vector: ColumnVector, _ mayBeNull: Bool, _ append: (Int) -> Void
    ) {
        for row in rows {
            if mayBeNull, vector.isNull(row) {
                appendNull()
            } else {
                append(row)
                count += 1
            }
        }
    }
}
