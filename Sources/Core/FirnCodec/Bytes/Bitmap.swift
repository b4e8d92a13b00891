import FirnValues

/// A fixed number of bits, one per row of a row group.
///
///     words[0]: row 63 ... row 1 row 0     words[1]: row 127 ... row 64     ...
///
/// Invariant: the bits after the last row are 0, so that set bits can be counted by whole words.
///
/// It is public because the compiler inlines no package function into another module.
public struct Bitmap: Hashable, Sendable {
    package let count: Int
    @usableFromInline var bits: [UInt64]

    /// The bits, 64 in each word.
    @inlinable public var words: [UInt64] { bits }

    /// Creates a bitmap in which every bit has the same value.
    package init(count: Int, isSet: Bool = false) {
        self.count = count
        bits = Array(repeating: isSet ? ~0 : 0, count: (count + 63) / 64)
        clearTail()
    }

    /// The bit of a row.
    public subscript(row: Int) -> Bool {
        @inlinable get { bits[row >> 6] >> UInt64(row & 63) & 1 == 1 }
        @inlinable set {
            let bit = UInt64(1) << UInt64(row & 63)
            if newValue { bits[row >> 6] |= bit } else { bits[row >> 6] &= ~bit }
        }
    }

    /// The number of set bits.
    package var population: Int {
        var sum = 0
        for word in bits { sum &+= word.nonzeroBitCount }
        return sum
    }

    package var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    package mutating func setAll(_ isSet: Bool) {
        bits.withUnsafeMutableBufferPointer { $0.update(repeating: isSet ? ~0 : 0) }
        clearTail()
    }

    package mutating func invert() {
        for index in bits.indices { bits[index] = ~bits[index] }
        clearTail()
    }

    /// Keeps only the rows that `other` also contains.
    package mutating func formIntersection(_ other: Bitmap) {
        precondition(count == other.count)
        for index in bits.indices { bits[index] &= other.bits[index] }
    }

    /// Adds the rows of `other`.
    package mutating func formUnion(_ other: Bitmap) {
        precondition(count == other.count)
        for index in bits.indices { bits[index] |= other.bits[index] }
    }

    /// Removes the rows of `other`.
    package mutating func subtract(_ other: Bitmap) {
        precondition(count == other.count)
        for index in bits.indices { bits[index] &= ~other.bits[index] }
    }

    /// Calls `body` with the words, for direct writes.
    ///
    /// The caller must keep the bits after the last row at 0, or call ``clearTail()``.
    package mutating func withUnsafeMutableWords<R, E: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt64>) throws(E) -> R
    ) throws(E) -> R {
        let result: Result<R, E> = bits.withUnsafeMutableBufferPointer { buffer in
            do throws(E) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Clears the bits after the last row.
    package mutating func clearTail() {
        guard count & 63 != 0, let last = bits.indices.last else { return }
        bits[last] &= (UInt64(1) << UInt64(count & 63)) &- 1
    }

    /// Appends the indices of the set bits in ascending order.
    package func appendRows(to rows: inout [UInt32]) {
        for (index, word) in bits.enumerated() {
            var rest = word
            while rest != 0 {
                rows.append(UInt32(truncatingIfNeeded: index << 6 &+ rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
    }
}
