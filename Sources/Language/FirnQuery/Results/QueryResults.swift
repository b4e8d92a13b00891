package import FirnCodec
package import FirnEngine
package import FirnSyntax
package import FirnValues

/// One column of a result.
///
/// The kind of its vectors corresponds to its type. Links are row ids in vectors of integers, and
/// collections are nested vectors.
package struct ResultColumn: Hashable, Sendable {
    /// The property, alias or expression text.
    package let name: String
    package let type: PropertyType
    package let display: DisplayForm?
    /// The class that links lead to.
    package let target: ClassSchema?

    package init(
        name: String, type: PropertyType, display: DisplayForm?, target: ClassSchema? = nil
    ) {
        self.name = name
        self.type = type
        self.display = display
        self.target = target
    }
}

/// A batch of a result: up to a few thousand rows, column by column.
package struct ResultBatch: Sendable {
    package let rowCount: Int
    /// One vector per column of the result, each with `rowCount` values.
    package let vectors: [ColumnVector]

    package init(rowCount: Int, vectors: [ColumnVector]) {
        self.rowCount = rowCount
        self.vectors = vectors
    }
}

/// The rows of a query, produced batch by batch so that memory does not grow with the result.
package protocol ResultRows: AnyObject {
    var columns: [ResultColumn] { get }
    /// Returns the next rows, or `nil` after the last.
    func next() throws(QueryFailure) -> ResultBatch?
    /// The numbers of pages and bytes read so far.
    var statistics: QueryStatistics { get }
    /// The work done so far for the next rows; `nil` if it is unknown.
    var progress: QueryProgress? { get }
    /// Whether the rows are the lines of a plan.
    var isPlan: Bool { get }
    /// The chart whose numbers the last column has; `nil` if the rows are not a chart.
    var chart: ResultChart? { get }
}

extension ResultRows {
    package var progress: QueryProgress? { nil }
    package var isPlan: Bool { false }
    package var chart: ResultChart? { nil }
}

/// The numbers of a chart in the last column, for a caller that draws them.
package enum ResultChart: Hashable, Sendable {
    /// The share of the greatest value in each row, from 0 to 1.
    ///
    /// A value that is not above 0 has the share 0, and any other value a share above 0.
    case bars
    /// The means of consecutive parts of the values, as a list in the only row.
    case line
}

/// The work that a query does before it delivers rows, or that a statement does on its objects.
package struct QueryProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case reading
        case sorting
        case changing
    }

    package let step: Step
    package let doneRowCount: UInt64
    package let totalRowCount: UInt64
}

/// The cost of a query.
package struct QueryStatistics: Hashable, Sendable {
    /// The number of pages in the columns and row groups that the query refers to.
    package var pagesTotal = 0
    /// The number of pages that were read.
    package var pagesRead = 0
    /// The number of raw bytes decoded from disk.
    package var bytesDecoded: UInt64 = 0
    /// The costs of the operators in their order, if the query is run to measure them.
    package var operators: [OperatorCost] = []

    package init() {}
}

/// The reason why a query failed.
package enum QueryFailure: Error, Sendable {
    /// The text of the query is invalid.
    case query(QueryError)
    /// The store failed.
    case store(StoreError)
}

extension QueryFailure {
    /// Returns a result of the store, whose errors become failures of the query.
    static func converting<Result>(
        _ result: @autoclosure () throws(StoreError) -> Result
    ) throws(QueryFailure) -> Result {
        do { return try result() } catch { throw .store(error) }
    }

    /// Returns a tree or a value of the query language, whose errors become failures of the query.
    package static func binding<Result>(
        _ result: @autoclosure () throws(QueryError) -> Result
    ) throws(QueryFailure) -> Result {
        do { return try result() } catch { throw .query(error) }
    }

    /// Runs several operations of the store, whose errors become failures of the query.
    static func converting<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(QueryFailure) -> Result {
        do { return try body() } catch { throw .store(error) }
    }
}
