extension Value {
    /// Returns the order of two values in the total order of sorting.
    ///
    /// The order is null, Bool, numbers, String, Data, Date, ObjectId, UUID, links, then
    /// collections. Numbers of different kinds compare by their exact mathematical value, without
    /// rounding to a common type. NaN comes after every other number. Strings compare by code
    /// point, which is the order of their UTF-8 bytes.
    ///
    /// - Complexity: O(1) for scalars, O(length) for strings, data and collections.
    public func order(relativeTo other: Value) -> Ordering {
        let ranks = (rank, other.rank)
        guard ranks.0 == ranks.1 else { return Ordering(ranks.0, ranks.1) }
        switch (self, other) {
        case (.bool(let left), .bool(let right)): return Ordering(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)): return Value.order(left, right)
        case (.data(let left), .data(let right)): return Value.lexicographic(left, right)
        case (.date(let left), .date(let right)): return Ordering(left, right)
        case (.objectID(let left), .objectID(let right)): return Ordering(left, right)
        case (.uuid(let left), .uuid(let right)): return Ordering(left, right)
        case (.link(let left), .link(let right)):
            let classes = Ordering(left.classID, right.classID)
            return classes == .equal ? Ordering(left.rowID, right.rowID) : classes
        case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
            return Value.order(left, right)
        case (.map(let left), .map(let right)): return Value.order(left, right)
        default: return Value.numericOrder(self, other)
        }
    }

    /// The rank of this kind of value in the order, 0 to 11.
    package var rank: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .objectID: 6
        case .uuid: 7
        case .link: 8
        case .list: 9
        case .set: 10
        case .map: 11
        }
    }

    private static func order(_ left: String, _ right: String) -> Ordering {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { right in lexicographic(left, right) } }
    }

    /// Compares bytes in order.
    ///
    /// A prefix comes before any extension of it.
    private static func lexicographic(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Ordering {
        for (leftByte, rightByte) in zip(left, right) where leftByte != rightByte {
            return Ordering(leftByte, rightByte)
        }
        return Ordering(left.count, right.count)
    }

    private static func order(_ left: [Value], _ right: [Value]) -> Ordering {
        for (leftValue, rightValue) in zip(left, right) {
            let order = leftValue.order(relativeTo: rightValue)
            if order != .equal { return order }
        }
        return Ordering(left.count, right.count)
    }

    private static func order(_ left: TextMap<Value>, _ right: TextMap<Value>) -> Ordering {
        func list(_ map: TextMap<Value>) -> [Value] {
            pairs(map).flatMap { [.string($0.key), $0.value] }
        }
        return order(list(left), list(right))
    }

    /// Returns the entries of a map, ordered by the code points of their keys.
    static func pairs(_ map: TextMap<Value>) -> [(key: String, value: Value)] {
        map.sorted { order($0.key, $1.key) == .less }
    }
}
