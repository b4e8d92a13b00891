import FirnValues

/// Values that are ordered by their bytes, stored contiguously for comparison.
struct SortTexts {
    private struct Text {
        let start: Int
        let count: Int
        let index: UInt32
    }

    private var bytes: [UInt8] = []
    private var texts: [Text] = []

    init(capacity: Int) { texts.reserveCapacity(capacity) }

    /// Appends the value of a row.
    mutating func append(_ index: UInt32, _ value: UnsafeBufferPointer<UInt8>) {
        texts.append(Text(start: bytes.count, count: value.count, index: index))
        bytes.append(contentsOf: value)
    }

    /// The indices of the rows; in order after ``sort(isDescending:_:)``.
    var indices: some Collection<UInt32> { texts.lazy.map(\.index) }

    /// Sorts the values, and equal values by index.
    mutating func sort(isDescending: Bool, _ cancellation: inout CancellationCheck) {
        // A merge sort of n values makes about n log n comparisons.
        let levels = Int.bitWidth - max(1, texts.count).leadingZeroBitCount
        cancellation.expect(texts.count * levels)
        bytes.withUnsafeBytes { bytes in
            texts.sort { left, right in
                guard !cancellation.isOver(after: 1) else { return false }
                let difference = SortTexts.difference(bytes, left, right)
                return difference == 0
                    ? left.index < right.index : (difference < 0) != isDescending
            }
        }
    }

    func isEqual(_ left: Int, _ right: Int) -> Bool {
        bytes.withUnsafeBytes { SortTexts.difference($0, texts[left], texts[right]) == 0 }
    }

    /// Returns a number below, equal to or above 0 if the left value sorts before, like or after
    /// the right.
    private static func difference(
        _ bytes: UnsafeRawBufferPointer, _ left: Text, _ right: Text
    ) -> Int {
        let common = min(left.count, right.count)
        var offset = 0
        while offset + 8 <= common {
            let leftWord = bytes.loadUnaligned(
                fromByteOffset: left.start + offset, as: UInt64.self)
            let rightWord = bytes.loadUnaligned(
                fromByteOffset: right.start + offset, as: UInt64.self)
            if leftWord != rightWord {
                return UInt64(bigEndian: leftWord) < UInt64(bigEndian: rightWord) ? -1 : 1
            }
            offset += 8
        }
        while offset < common {
            let difference =
                Int(bytes[left.start + offset]) - Int(bytes[right.start + offset])
            if difference != 0 { return difference }
            offset += 1
        }
        return left.count - right.count
    }
}
