import FirnValues

/// The cost of one operator of a query that was run to measure its cost.
package struct OperatorCost: Hashable, Sendable {
    /// The operator, such as `sort`.
    package let name: String
    /// The number of rows that it delivered.
    package let rowCount: UInt64
    /// The number of pages that it read.
    package let pagesRead: Int
    /// The number of raw bytes that it decoded from disk.
    package let bytesDecoded: UInt64
    /// The time that it took, without the operators before it.
    package let nanoseconds: UInt64
    /// The number of threads that worked on it.
    package let threadCount: Int

    package init(
        name: String, rowCount: UInt64, pagesRead: Int, bytesDecoded: UInt64, nanoseconds: UInt64,
        threadCount: Int
    ) {
        self.name = name
        self.rowCount = rowCount
        self.pagesRead = pagesRead
        self.bytesDecoded = bytesDecoded
        self.nanoseconds = nanoseconds
        self.threadCount = threadCount
    }
}
