import FirnValues

extension ColumnVector {
    /// Appends rows of another vector of the same kind.
    ///
    /// Collections are appended with all their elements.
    package mutating func append(_ other: ColumnVector, rows: ArraySlice<UInt32>) {
        precondition(other.kind == kind)
        rows.withUnsafeBufferPointer { rows in
            switch kind {
            case .double, .float: Self.append(rows, of: other.doubles, to: &doubles)
            case .string, .data, .uuid, .objectID, .decimal128, .any:
                appendBytes(rows, of: other)
            case .list, .set, .map: appendCollections(rows, of: other)
            case .date:
                Self.append(rows, of: other.ints, to: &ints)
                Self.append(rows, of: other.nanoseconds, to: &nanoseconds)
            case .bool, .int, .null, .link: Self.append(rows, of: other.ints, to: &ints)
            }
            if !other.nulls.isEmpty {
                for index in 0..<rows.count where other.isNull(Int(rows[index])) {
                    insertNull(count + index)
                }
            }
            count += rows.count
        }
    }

    private static func append<T: BitwiseCopyable>(
        _ rows: UnsafeBufferPointer<UInt32>, of source: [T], to target: inout [T]
    ) {
        // The initializer would write the count of the storage that all empty arrays share.
        guard !rows.isEmpty else { return }
        let gathered = source.withUnsafeBufferPointer { source in
            [T](unsafeUninitializedCapacity: rows.count) { values, count in
                for (index, row) in rows.enumerated() { values[index] = source[Int(row)] }
                count = rows.count
            }
        }
        if target.isEmpty { target = gathered } else { target += gathered }
    }

    private mutating func appendBytes(
        _ rows: UnsafeBufferPointer<UInt32>, of other: ColumnVector
    ) {
        let start = (offset: offsets.count, byte: bytes.count)
        offsets += repeatElement(0, count: rows.count)
        other.offsets.withUnsafeBufferPointer { ends in
            // Callers keep the size of a vector well below 4 GiB.
            var end = UInt32(start.byte)
            offsets.withUnsafeMutableBufferPointer { offsets in
                for (index, row) in rows.enumerated() {
                    end += ends[Int(row) + 1] - ends[Int(row)]
                    offsets[start.offset + index] = end
                }
            }
            bytes += repeatElement(0, count: Int(end) - start.byte)
            other.bytes.withUnsafeBytes { text in
                bytes.withUnsafeMutableBytes { bytes in
                    var place = start.byte
                    for row in rows {
                        let range = Int(ends[Int(row)])..<Int(ends[Int(row) + 1])
                        UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: text[range]))
                        place += range.count
                    }
                }
            }
        }
    }

    /// Gathers the elements of all rows at once.
    private mutating func appendCollections(
        _ rows: UnsafeBufferPointer<UInt32>, of other: ColumnVector
    ) {
        var elements: [UInt32] = []
        var end = offsets[count]
        offsets.reserveCapacity(offsets.count + rows.count)
        for row in rows {
            let range = other.offsets[Int(row)]..<other.offsets[Int(row) + 1]
            elements.append(contentsOf: range)
            end += UInt32(range.count)
            offsets.append(end)
        }
        for index in children.indices {
            children[index].append(other.children[index], rows: elements[...])
        }
    }
}
