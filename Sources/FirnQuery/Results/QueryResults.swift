package import FirnCodec
package import FirnEngine
package import FirnValues

/// One column of a result.
///
/// The vectors of its batches are of the kind of its type; links are row ids in vectors of
/// integers, collections are nested vectors.
package struct ResultColumn: Hashable, Sendable {
    /// The property, alias or expression text.
    package let name: String
    package let type: PropertyType
    package let display: DisplayForm?
    /// The class that links lead to.
    package let target: ClassSchema?
    /// Whether it only draws what other columns say, for people.
    package let isDrawing: Bool

    package init(
        name: String, type: PropertyType, display: DisplayForm?, target: ClassSchema? = nil,
        isDrawing: Bool = false
    ) {
        self.isDrawing = isDrawing
        self.name = name
        self.type = type
        self.display = display
        self.target = target
    }
}

/// Up to a few thousand rows of a result, column by column.
package struct ResultBatch: Sendable {
    package let rowCount: Int
    /// One vector per column of the result, each of `rowCount` values.
    package let vectors: [ColumnVector]

    package init(rowCount: Int, vectors: [ColumnVector]) {
        self.rowCount = rowCount
        self.vectors = vectors
    }
}

/// The rows of a query, produced batch by batch so that memory does not grow with the result.
package protocol ResultRows: AnyObject {
    var columns: [ResultColumn] { get }
    /// The next rows, or `nil` after the last.
    func next() throws(QueryFailure) -> ResultBatch?
    /// What was read and skipped so far.
    var statistics: QueryStatistics { get }
    /// Whether they are the lines of a plan.
    var isPlan: Bool { get }
}

extension ResultRows {
    package var isPlan: Bool { false }
}

/// What a query cost.
package struct QueryStatistics: Hashable, Sendable {
    /// Pages of the columns and row groups that the query names.
    package var pagesTotal = 0
    /// Pages that were looked at.
    package var pagesRead = 0
    /// Raw bytes decoded from disk.
    package var bytesDecoded: UInt64 = 0

    package init() {}
}

/// Why a query did not run to its end.
package enum QueryFailure: Error, Sendable {
    /// The text of the query is wrong.
    case query(QueryError)
    /// The store could not deliver.
    case store(StoreError)
}
