import FirnEngine
import FirnValues

/// The first rows of a sort, read from an index that has this order.
struct OrderedAccess {
    let index: IndexSchema
    /// The rows in the order of the sort.
    let rows: [RowID]
    /// The number of steps of the plan that these rows have passed.
    let stepCount: Int

    /// The number of rows up to which reading them one by one is worthwhile.
    private static let rowCountMin = 64
    /// The objects that a sort reads in the time of a row of the index.
    private static let objectsPerRow = 64

    /// Returns the rows of a plan that begins with a sort of all objects, of which few are kept.
    static func best(for plan: QueryPlan, of table: Table) throws(StoreError) -> OrderedAccess? {
        guard plan.scan == .always(true), case .sort(let keys, let limit?)? = plan.steps.first,
            let first = keys.first, keys.allSatisfy({ $0.descending == first.descending }),
            !first.descending || keys.count == 1
        else { return nil }
        var skipped = 0
        if plan.steps.count > 1, case .skip(let count) = plan.steps[1] { skipped = count }
        let count = limit - skipped
        guard count <= max(rowCountMin, table.liveRowCount / objectsPerRow) else { return nil }
        var properties: [PropertyID] = []
        for key in keys {
            guard case .column(.property(let property)) = key.expression else { return nil }
            properties.append(property.id)
        }
        for options in [[], .unique] as [IndexSchema.Options] {
            guard let index = table.schema.index(on: properties, options: options),
                let reader = try table.reader(of: index),
                let rows = try reader.orderedRows(
                    descending: first.descending, skipping: skipped, limit: count)
            else { continue }
            return OrderedAccess(index: index, rows: rows, stepCount: skipped > 0 ? 2 : 1)
        }
        return nil
    }
}
