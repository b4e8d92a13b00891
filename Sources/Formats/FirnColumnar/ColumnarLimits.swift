import FirnValues

/// The limits that keep memory bounded while a file of unknown origin is read.
package struct ColumnarLimits: Sendable {
    /// The bytes of the description of a file.
    package var metadataBytesMax = 64 << 20
    /// The bytes of one page or buffer, compressed or not.
    package var pageBytesMax = 256 << 20
    /// The bytes of all pages, dictionaries and buffers in memory at one time.
    package var memoryBytesMax = 2 << 30
    /// The columns that have no parts.
    package var columnCountMax = 10_000
    /// The levels of nested types.
    package var nestingMax = 32
    /// The values of one page of an encoding that must be decoded as a whole.
    package var pageValuesMax = 16 << 20
    /// The rows of one batch.
    package var batchRowsMax = 8192
    /// The elements of one column in one batch.
    package var batchValuesMax = 32 << 20
    /// The bytes of the texts of one column in one batch.
    package var batchBytesMax = 512 << 20

    package init() {}
}

/// The memory that the pages of one reader occupy.
final class MemoryBudget {
    private let limit: Int
    private var used = 0

    init(_ limit: Int) { self.limit = limit }

    func take(_ byteCount: Int) throws(ColumnarError) {
        guard byteCount >= 0, byteCount <= limit - used else {
            throw ColumnarError(
                .tooLarge,
                "the pages need \(used) and \(byteCount) bytes of memory; at most \(limit) are used"
            )
        }
        used += byteCount
    }

    func give(back byteCount: Int) { used -= byteCount }
}
