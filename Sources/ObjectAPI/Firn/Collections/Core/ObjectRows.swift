import FirnValues

/// The row ids of the objects of a collection, in its order.
///
/// Consecutive ids, such as those of a class without deleted objects, take no memory.
///
/// It is not an enumeration: binding the array of a case would count its references for each
/// element of a loop.
struct ObjectRows: RandomAccessCollection {
    private let first: RowID
    let count: Int
    /// All ids; empty if they are consecutive.
    private let list: [RowID]

    init(_ rows: [RowID]) {
        first = rows.first ?? RowID(0)
        count = rows.count
        list = ObjectRows.areConsecutive(rows) ? [] : rows
    }

    /// Creates the ids of the objects to which values link; other values have none.
    init(targetsOf values: [Value]) {
        self.init(
            values.compactMap { value in
                if case .link(let reference) = value { reference.rowID } else { nil }
            })
    }

    private static func areConsecutive(_ rows: [RowID]) -> Bool {
        guard let first = rows.first, let last = rows.last,
            last.rawValue &- first.rawValue == UInt64(rows.count - 1)
        else { return rows.isEmpty }
        return zip(rows, rows.dropFirst()).allSatisfy { $1.rawValue &- $0.rawValue == 1 }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> RowID {
        precondition(position >= 0 && position < count, "an index beyond the rows")
        return list.isEmpty ? RowID(first.rawValue &+ UInt64(position)) : list[position]
    }
}
