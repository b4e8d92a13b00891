import FirnEngine
import FirnValues

/// The rows of a sort or of a DISTINCT, and the extremes of a property, read from an index with the
/// required order.
struct OrderedAccess {
    let index: IndexSchema
    /// The rows in the order of the sort.
    let rows: [RowID]
    /// The number of steps of the plan that these rows have passed.
    let stepCount: Int

    /// The number of rows up to which reading them one by one is worthwhile.
    private static let rowCountMin = 64
    /// The number of objects that a sort reads in the time that the index takes for one row.
    private static let objectsPerRow = 64
    /// The number of values up to which jumping to each is always worthwhile.
    private static let valueCountMin = 16
    /// The number of objects that a scan for distinct values reads in the time of jumping to one
    /// value and reading its object.
    private static let objectsPerValue = 4_096

    /// Returns the rows of a plan that sorts objects and keeps few of them.
    ///
    /// The objects are all of the class, or those of one range of the index:
    ///
    ///     index             conditions and sort
    ///     (day)             SORT(day) LIMIT(5)    day > 3 SORT(day DESC) LIMIT(5)
    ///     (origin, day)     origin == "OSL" SORT(day) LIMIT(5)
    static func best(for plan: QueryPlan, of table: Table) throws(StoreError) -> OrderedAccess? {
        if let distinct = try distinct(for: plan, of: table) { return distinct }
        guard case .sort(let keys, let limit?)? = plan.steps.first, !table.schema.indexes.isEmpty,
            let (properties, descending) = order(of: keys)
        else { return nil }
        var skipped = 0
        if plan.steps.count > 1, case .skip(let count) = plan.steps[1] { skipped = count }
        let count = limit - skipped
        guard count <= max(rowCountMin, table.liveRowCount / objectsPerRow) else { return nil }
        for index in table.schema.indexes
        where !index.options.contains(.caseInsensitive) && index.properties.ends(with: properties) {
            let others = index.properties.count - properties.count
            guard let range = range(of: index, after: others, plan, table.schema),
                let reader = try table.reader(of: index),
                let rows = try reader.orderedRows(
                    of: range, descending: descending, skipping: skipped, limit: count)
            else { continue }
            return OrderedAccess(index: index, rows: rows, stepCount: skipped > 0 ? 2 : 1)
        }
        return nil
    }

    /// Returns the position of an object among all objects of its class in the order of a sort;
    /// `nil` if no index has that order.
    static func position(
        of row: RowID, sortedBy keys: [BoundSortKey], in table: Table
    ) throws(StoreError) -> Int? {
        guard let (properties, descending) = order(of: keys) else { return nil }
        for index in table.schema.indexes
        where index.properties == properties && !index.options.contains(.caseInsensitive) {
            if let position = try table.position(of: row, in: index, descending: descending) {
                return position
            }
        }
        return nil
    }

    /// Returns the properties by which an index would have to be ordered; `nil` if no index can
    /// have the order of a sort, in which ties keep the order of the objects.
    private static func order(
        of keys: [BoundSortKey]
    ) -> (properties: [PropertyID], descending: Bool)? {
        guard let first = keys.first, keys.allSatisfy({ $0.descending == first.descending }),
            !first.descending || keys.count == 1
        else { return nil }
        var properties: [PropertyID] = []
        for key in keys {
            guard case .column(.property(let property)) = key.expression else { return nil }
            properties.append(property.id)
        }
        return (properties, first.descending)
    }

    /// Returns the first object of each value, if the plan begins with a DISTINCT of few values.
    ///
    /// They are found by jumping from value to value, and are in the order of the objects.
    private static func distinct(
        for plan: QueryPlan, of table: Table
    ) throws(StoreError) -> OrderedAccess? {
        guard case .distinct(let keys)? = plan.steps.first, plan.scan == .always(true),
            keys.count == 1, case .column(.property(let property))? = keys.first,
            property.isEqualByBytes
        else { return nil }
        // A scan for the first of them ends early.
        if plan.steps.count > 1, case .limit = plan.steps[1] { return nil }
        for index in table.schema.indexes
        where index.properties == [property.id] && !index.options.contains(.caseInsensitive) {
            guard let reader = try table.reader(of: index),
                let rows = try reader.firstRows(
                    limit: max(valueCountMin, table.liveRowCount / objectsPerValue))
            else { continue }
            return OrderedAccess(index: index, rows: rows, stepCount: 1)
        }
        return nil
    }

    /// Returns the values of aggregates, if each is the minimum or maximum of an indexed property.
    ///
    /// - Returns: `nil` if an index does not have one of them.
    static func extremes(
        _ aggregates: [BoundAggregate], of plan: QueryPlan, _ table: Table
    ) throws(StoreError) -> [Value]? {
        guard plan.steps.isEmpty, !table.schema.indexes.isEmpty else { return nil }
        var values: [Value] = []
        for aggregate in aggregates {
            guard [.minimum, .maximum].contains(aggregate.function),
                case .column(.property(let property))? = aggregate.expression,
                property.isEqualByBytes,
                let value = try extreme(
                    property, isGreatest: aggregate.function == .maximum, plan, table)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private static func extreme(
        _ property: PropertySchema, isGreatest: Bool, _ plan: QueryPlan, _ table: Table
    ) throws(StoreError) -> Value? {
        for index in table.schema.indexes
        where index.properties.last == property.id && !index.options.contains(.caseInsensitive) {
            let others = index.properties.count - 1
            guard let range = range(of: index, after: others, plan, table.schema),
                let reader = try table.reader(of: index)
            else { continue }
            // A condition on the property itself leaves out nil, or is for nothing but nil.
            let lookup = IndexLookup(index, of: table.schema, plan.conditions)
            let mayBeNil = lookup.map { $0.valueCount == others && $0.used.count == others } ?? true
            guard
                let rows = try reader.extremeRow(
                    of: range, isGreatest: isGreatest, mayBeNil: mayBeNil)
            else { continue }
            guard let row = rows.first, let (view, position) = try table.locate(row) else {
                return .null
            }
            return try view.value(of: property, at: position)
        }
        return nil
    }

    /// Returns the range of an index that contains the objects of a plan, in the order of the
    /// properties after the leading ones; `nil` if there is no such range.
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
