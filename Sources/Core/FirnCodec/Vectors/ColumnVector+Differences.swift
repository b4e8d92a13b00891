import FirnValues

extension ColumnVector {
    /// Whether equal values of the kind always have equal bytes, so that vectors are compared by them.
    package var isComparedByBytes: Bool {
        switch kind {
        case .bool, .int, .float, .double, .date, .string, .data, .uuid, .objectID: true
        case .decimal128, .any, .list, .set, .map, .null, .link: false
        }
    }

    /// Returns the rows whose values differ from those of another vector, as `Value` compares them.
    ///
    /// Floating point is compared by bits, so that NaN equals itself and -0.0 differs from 0.0.
    ///
    /// - Parameter other: A vector of the same kind, with as many rows; ``isComparedByBytes`` holds.
    package func differences(from other: ColumnVector) -> [UInt32] {
        precondition(kind == other.kind && count == other.count && isComparedByBytes)
        var rows: [UInt32] = []
        switch kind {
        case .double, .float:
            append(to: &rows, other) { doubles[$0].bitPattern != other.doubles[$0].bitPattern }
        case .date:
            append(to: &rows, other) {
                ints[$0] != other.ints[$0] || nanoseconds[$0] != other.nanoseconds[$0]
            }
        case _ where kind.isStoredAsBytes:
            append(to: &rows, other) { row in
                let (own, others) = (range(row), other.range(row))
                return own.count != others.count
                    || !bytes[own].elementsEqual(other.bytes[others])
            }
        default: append(to: &rows, other) { ints[$0] != other.ints[$0] }
        }
        return rows
    }

    /// A null differs from every value, even from the one in its storage.
    @inline(__always)
    private func append(
        to rows: inout [UInt32], _ other: ColumnVector, _ differs: (Int) -> Bool
    ) {
        let mayBeNull = !nulls.isEmpty || !other.nulls.isEmpty
        for row in 0..<count {
            let isDifferent =
                mayBeNull && isNull(row) != other.isNull(row)
                || differs(row) && !(mayBeNull && isNull(row))
            if isDifferent { rows.append(UInt32(truncatingIfNeeded: row)) }
        }
    }

    /// The length of the longest text or data.
    package var longestByteCount: Int {
        zip(offsets, offsets.dropFirst()).reduce(0) { max($0, Int($1.1 - $1.0)) }
    }
}
