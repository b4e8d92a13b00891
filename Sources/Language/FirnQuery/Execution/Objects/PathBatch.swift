import FirnCodec
import FirnEngine
import FirnValues

/// The objects that a path has reached, each with the row of the batch that it started from.
struct PathBatch {
    let source: any RowSource
    /// The owner of each object, parallel to `rows`.
    ///
    /// Ascending, except after `@links`.
    let owners: [UInt32]
    let rows: BatchRows

    init(source: any RowSource, owners: [UInt32], rows: BatchRows) {
        self.source = source
        self.owners = owners
        self.rows = rows
    }

    /// Creates a batch with the given rows themselves, before the first step.
    init(_ source: any RowSource, _ rows: BatchRows) {
        let owners = (0..<UInt32(truncatingIfNeeded: rows.count)).map { $0 }
        self.init(source: source, owners: owners, rows: rows)
    }

    /// Creates a batch with the objects that row ids refer to.
    ///
    /// Ids without an object are dropped.
    ///
    /// - Parameters:
    ///   - ids: row ids as integers; null means no link.
    ///   - owners: the owner of each id.
    init(
        following ids: ColumnVector, _ owners: [UInt32], to target: ClassSchema,
        _ classes: OpenedClasses
    ) throws(StoreError) {
        let locator = try classes.locator(of: target)
        let located = try locator.locate(ids)
        let isWhole = located.positions.count == owners.count
        self.init(
            source: locator.objects,
            owners: isWhole ? owners : located.positions.map { owners[Int($0)] },
            rows: BatchRows(located.references))
    }
}
