import FirnCodec
import FirnEngine
import FirnValues

/// A lookup of a few objects by one value of the key or of an indexed property.
///
///     email == "a@b.example"
///     name == "Ada" LIMIT(1)
///     name == "Ada" | select(name, age)
///
/// Programs and sessions look up single objects all the time. For each, a plan and its execution take
/// longer than the descent in the tree.
struct PointLookup {
    /// The number of objects up to which they are read one by one.
    static let rowCountMax = 8

    private let classSchema: ClassSchema
    private let property: PropertySchema
    private let value: Value
    /// The number of objects that the query keeps; `nil` for all.
    private let limit: Int?
    /// The stages that deliver properties of the objects.
    let rest: ArraySlice<BoundStage>

    /// - Returns: `nil` if the query begins with more than one condition, or with a different one.
    init?(_ query: BoundQuery) {
        guard case .filter(let condition)? = query.stages.first,
            let (column, test) = condition.columnTest, case .property(let property) = column,
            case .compare(.equal, let value) = test,
            property.isEqualByBytes, value.tag == property.type.base
        else { return nil }
        classSchema = query.classSchema
        self.property = property
        self.value = value
        let rest = query.stages.dropFirst()
        if case .limit(let count)? = rest.first, count > 0 {
            limit = count
            self.rest = rest.dropFirst()
        } else {
            limit = nil
            self.rest = rest
        }
    }

    /// Returns the row ids of the objects, ascending; `nil` if there are many, or if no index has
    /// the objects of a value in their order.
    ///
    /// - Complexity: O(log objects)
    func rows(in snapshot: Snapshot) throws(StoreError) -> [RowID]? {
        guard let table = snapshot.table(classSchema.id),
            let lookup = try ValueLookup(table, on: [property.id]), lookup.ascends
        else { return nil }
        let rows = try lookup.rows(
            with: [value], limit: min(limit ?? .max, PointLookup.rowCountMax + 1))
        if let limit, limit <= rows.count { return Array(rows.prefix(limit)) }
        return rows.count <= PointLookup.rowCountMax ? rows : nil
    }
}

extension PropertySchema {
    /// Whether, for conditions, DISTINCT and aggregates, values are equal exactly if their keys in
    /// an index are equal.
    var isEqualByBytes: Bool {
        type.container == .single
            && [.bool, .int, .string, .data, .date, .uuid, .objectID].contains(type.base)
    }
}
