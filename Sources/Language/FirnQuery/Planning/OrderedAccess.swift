import FirnEngine
import FirnValues

/// The first rows of a sort, read from an index that has their order.
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

    /// Returns the rows of a plan that sorts objects and keeps few of them.
    ///
    /// The objects are all of the class, or those of one range of the index:
    ///
    ///     index             conditions and sort
    ///     (day)             SORT(day) LIMIT(5)    day > 3 SORT(day DESC) LIMIT(5)
    ///     (origin, day)     origin == "OSL" SORT(day) LIMIT(5)
    static func best(for plan: QueryPlan, of table: Table) throws(StoreError) -> OrderedAccess? {
        guard case .sort(let keys, let limit?)? = plan.steps.first, !table.schema.indexes.isEmpty,
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
        for index in table.schema.indexes
        where !index.options.contains(.caseInsensitive) && index.properties.ends(with: properties) {
            let others = index.properties.count - properties.count
            guard let range = range(of: index, after: others, plan, table.schema),
                let reader = try table.reader(of: index),
                let rows = try reader.orderedRows(
                    of: range, descending: first.descending, skipping: skipped, limit: count)
            else { continue }
            return OrderedAccess(index: index, rows: rows, stepCount: skipped > 0 ? 2 : 1)
        }
        return nil
    }

    /// Returns the range of an index that has the objects of a plan, in the order of the properties
    /// after the first ones; `nil` if there is no such range.
    private static func range(
        of index: IndexSchema, after others: Int, _ plan: QueryPlan, _ schema: ClassSchema
    ) -> IndexRange? {
        guard plan.scan != .always(true) else { return others == 0 ? .all : nil }
        guard let lookup = IndexLookup(index, of: schema, plan.conditions), lookup.isExact,
            lookup.isDistinct, lookup.used.count == plan.conditions.count,
            lookup.ranges.count == 1, lookup.valueCount >= others
        else { return nil }
        return lookup.ranges.first
    }
}

extension [PropertyID] {
    fileprivate func ends(with others: [PropertyID]) -> Bool {
        count >= others.count && suffix(others.count).elementsEqual(others)
    }
}
