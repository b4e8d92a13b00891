import FirnCodec
import FirnEngine
package import FirnText
import FirnValues

/// Consecutive texts in one buffer.
package final class TextColumn {
    package var buffer = TextBuffer(capacity: 4096)
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }

    /// Ends the text that was appended to the buffer.
    package func endText() { ends.append(buffer.count) }

    /// Returns a text, which is valid until more is appended.
    package func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = index > 0 ? ends[index - 1] : 0
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<ends[index]])
        return bytes.bindMemory(to: UInt8.self)
    }

    /// Appends a text of another column, without ending it.
    func append(_ index: Int, of other: TextColumn) {
        let text = other.text(index)
        if let base = text.baseAddress { buffer.append(base, count: text.count) }
    }

    /// Returns the texts as a vector, with the nulls of the vector from which they were made.
    func vector(nullsOf source: borrowing ColumnVector) throws(StoreError) -> ColumnVector {
        guard let total = UInt32(exactly: buffer.count) else {
            throw StoreError(
                .limitExceeded, path: "",
                detail: "a batch of objects exceeds 4 GiB of text",
                remedy: "write fewer levels with --depth")
        }
        var vector = ColumnVector(kind: .string)
        vector.count = ends.count
        vector.nulls = source.nulls
        vector.offsets.reserveCapacity(ends.count + 1)
        for end in ends { vector.offsets.append(UInt32(truncatingIfNeeded: end)) }
        vector.bytes.reserveCapacity(Int(total))
        vector.bytes.append(contentsOf: buffer.bytes)
        return vector
    }
}
