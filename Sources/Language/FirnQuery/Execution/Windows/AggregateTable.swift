import FirnCodec
import FirnValues

/// The aggregates of each group of rows, as computed by ``AggregateWindows``.
struct AggregateTable: Sendable {
    /// The aggregates that have the same keys.
    struct Part: Sendable {
        let keys: [BoundExpression]
        /// One vector per key, with a value for each group.
        let keyValues: [ColumnVector]
        /// The indices of the columns of the aggregates.
        let windows: [Int]
        /// One vector per aggregate, with a value for each group.
        let values: [ColumnVector]
    }

    let columns: [BoundWindowColumn]
    let parts: [Part]

    /// The maximum number of groups with the same keys.
    var groupCount: Int { parts.map { $0.keyValues.first?.count ?? 1 }.max() ?? 0 }
}
