import FirnCodec
import FirnValues

/// The starts of the collections of a row group, derived from their lengths.
///
/// They are computed once for each page, because the change of one collection must not cost time in
/// proportion to the rows.
final class CollectionLengths: CachedObject {
    /// The starts: the inline elements of row i begin at `starts[i]` and end before `starts[i +
    /// 1]`.
    let starts: [UInt32]
    /// The rows whose elements are in the collection tree.
    let outOfLine: Set<UInt32>

    /// The number of inline elements of all rows.
    var elementCount: Int { Int(starts.last ?? 0) }
    var memoryByteCount: Int { starts.count * 4 + outOfLine.count * 8 + 64 }

    /// - Returns: `nil` if the page does not contain lengths.
    init?(_ page: ColumnPage) {
        guard page.nullCount == 0 else { return nil }
        var vector = ColumnVector(kind: .int)
        page.decode(0..<page.rowCount, into: &vector)
        var starts: [UInt32] = [0]
        starts.reserveCapacity(vector.count + 1)
        var outOfLine: Set<UInt32> = []
        var end: Int64 = 0
        for (row, length) in vector.ints.enumerated() {
            if length == ColumnPart.outOfLine {
                outOfLine.insert(UInt32(row))
            } else {
                guard length >= 0, length <= Int64(CollectionLimits.elementCountMaximum) - end
                else { return nil }
                end += length
            }
            starts.append(UInt32(end))
        }
        self.starts = starts
        self.outOfLine = outOfLine
    }
}

/// One collection of a row group without an overlay.
enum BaseCollection {
    case inline(Value)
    case large(LargeCollection)
}
