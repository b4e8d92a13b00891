import FirnCodec
import FirnEngine
import FirnValues

/// A lookup of at most one object by one value of its key or of an indexed property.
///
///     conditions and stages             index
///     email == "a@b.example"            unique
///     name == "Ada" LIMIT(1)            of the property alone
///
/// Programs look up single objects all the time. For each, setting up an execution takes longer than
/// the descent in the tree.
struct PointLookup {
    private let property: PropertySchema
    private let value: Value

    /// - Returns: `nil` if the query does more, or may find more.
    init?(_ query: BoundQuery) {
        guard query.stages.count <= 2, case .filter(let condition)? = query.stages.first,
            let (column, test) = condition.columnTest, case .property(let property) = column,
            case .compare(.equal, let value) = test,
            property.isEqualByBytes, value.tag == property.type.base
        else { return nil }
        switch query.stages.dropFirst().first {
        case nil: guard query.classSchema.isUnique(property) else { return nil }
        case .limit(1): break
        default: return nil
        }
        self.property = property
        self.value = value
    }

    /// Returns the row id of the first object that is found; `nil` if no index has the objects of a
    /// value in their order.
    ///
    /// - Complexity: O(log objects)
    func rows(in table: Table) throws(StoreError) -> [RowID]? {
        guard let lookup = try ValueLookup(table, on: [property.id]), lookup.ascends else {
            return nil
        }
        return Array(try lookup.rows(with: [value], isFirstEnough: true).prefix(1))
    }
}

extension PropertySchema {
    /// Whether values are equal for conditions, for DISTINCT and for aggregates exactly if their keys
    /// in an index are.
    var isEqualByBytes: Bool {
        type.container == .single
            && [.bool, .int, .string, .data, .date, .uuid, .objectID].contains(type.base)
    }
}
