import FirnValues

/// A fixed number of bits, one per row of a row group.
///
///     words[0]: row 63 ... row 1 row 0     words[1]: row 127 ... row 64     ...
///
/// Invariant: the bits after the last row are 0, so that set bits can be counted by whole words.
package struct Bitmap: Hashable, Sendable {
    package let count: Int
    package private(set) var words: [UInt64]

    /// Creates a bitmap in which every bit has the same value.
    package init(count: Int, isSet: Bool = false) {
        self.count = count
        words = Array(repeating: isSet ? ~0 : 0, count: (count + 63) / 64)
        clearTail()
    }

    package subscript(row: Int) -> Bool {
        @inlinable get { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
        set {
            let bit = UInt64(1) << UInt64(row & 63)
            if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
        }
    }

    /// The number of set bits.
    package var population: Int {
        var sum = 0
        for word in words { sum &+= word.nonzeroBitCount }
        return sum
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package mutating func setAll(_ isSet: Bool) {
        words.withUnsafeMutableBufferPointer { $0.update(repeating: isSet ? ~0 : 0) }
        clearTail()
    }

    package mutating func invert() {
        for index in words.indices { words[index] = ~words[index] }
        clearTail()
    }

    /// Keeps only the rows that `other` also contains.
    package mutating func formIntersection(_ other: Bitmap) {
        precondition(count == other.count)
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// Adds the rows of `other`.
    package mutating func formUnion(_ other: Bitmap) {
        precondition(count == other.count)
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Removes the rows of `other`.
    package mutating func subtract(_ other: Bitmap) {
        precondition(count == other.count)
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// Calls `body` with the words, for direct writes.
    ///
    /// The caller must keep the bits after the last row at 0, or call ``clearTail()``.
    package mutating func withUnsafeMutableWords<R, E: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt64>) throws(E) -> R
    ) throws(E) -> R {
        let result: Result<R, E> = words.withUnsafeMutableBufferPointer { buffer in
            do throws(E) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Clears the bits after the last row.
    package mutating func clearTail() {
        guard count & 63 != 0, let last = words.indices.last else { return }
        words[last] &= (UInt64(1) << UInt64(count & 63)) &- 1
    }

    /// Appends the indices of the set bits in ascending order.
    package func appendRows(to rows: inout [UInt32]) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                rows.append(UInt32(truncatingIfNeeded: index << 6 &+ rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
    }
}
