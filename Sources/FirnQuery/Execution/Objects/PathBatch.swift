import FirnCodec
import FirnEngine
import FirnValues

/// Objects that a path has reached, and for each the row of the batch that it started from.
struct PathBatch {
    let source: any RowSource
    /// Parallel to the rows; ascending but behind `@links`.
    let owners: [UInt32]
    let rows: BatchRows

    init(source: any RowSource, owners: [UInt32], rows: BatchRows) {
        self.source = source
        self.owners = owners
        self.rows = rows
    }

    /// The rows of a batch themselves.
    init(_ source: any RowSource, _ rows: BatchRows) {
        let owners = (0..<UInt32(truncatingIfNeeded: rows.count)).map { $0 }
        self.init(source: source, owners: owners, rows: rows)
    }

    /// The objects that row ids lead to; those without an object fall out.
    ///
    /// - Parameters:
    ///   - ids: integers, null for no link.
    ///   - owners: of each id.
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
