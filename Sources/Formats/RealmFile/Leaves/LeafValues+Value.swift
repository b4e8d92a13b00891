import FirnValues

extension LeafValues {
    /// Returns the value at an index, which is less than ``count``.
    ///
    /// - Parameters:
    ///   - isNullable: whether null is a value of the column; an unexpected null becomes 0 or empty.
    ///   - depth: the number of collections around the value.
    func value(
        _ index: Int, isNullable: Bool, depth: Int = 0, _ context: LeafContext
    ) throws(RealmFileError) -> RealmValue {
        switch self {
        case .integers(let leaf): return leaf.value(index).map { .int($0) } ?? .null
        case .booleans(let values):
            return isNullable && values[index] == 3 ? .null : .bool(values[index] != 0)
        case .floats(let values):
            let bits = values[index]
            return isNullable && bits == NullNumber.float ? .null : .float(bits)
        case .doubles(let values):
            let bits = values[index]
            return isNullable && bits == NullNumber.double ? .null : .double(bits)
        case .texts(let leaf):
            guard let bytes = try leaf.bytes(index, context.nodes) else {
                return isNullable ? .null : .string("")
            }
            return .text(bytes)
        case .data(let leaf):
            guard let bytes = try leaf.bytes(index, context.nodes) else {
                return isNullable ? .null : .data([])
            }
            return .data(bytes.array)
        case .dates(let seconds, let nanoseconds):
            guard let second = seconds.value(index) else {
                return isNullable ? .null : .date(RealmDate(seconds: 0, nanoseconds: 0))
            }
            return .date(RealmDate(seconds: second, nanoseconds: nanoseconds[index]))
        case .objectIDs(let leaf):
            guard let id = leaf.objectID(index) else {
                return isNullable ? .null : .objectID(ObjectID(high: 0, low: 0))
            }
            return .objectID(id)
        case .uuids(let leaf):
            guard let id = leaf.uuid(index) else {
                return isNullable ? .null : .uuid(UUID(high: 0, low: 0))
            }
            return .uuid(id)
        case .decimals(let leaf):
            guard let number = try leaf.value(index) else {
                return isNullable ? .null : .decimal(Decimal128(0))
            }
            return .decimal(number)
        case .mixed(let leaf): return try leaf.value(index, depth: depth, context)
        case .links(let keys, let target): return LeafValues.link(keys[index], target)
        case .typedLinks(let keys):
            guard keys[index * 2] != 0 else { return .null }
            return try context.link(
                tableKey: keys[index * 2] &- 1, key: keys[index * 2 + 1] &- 1, at: 0)
        }
    }

    /// Returns all values in their order.
    func values(
        isNullable: Bool, depth: Int, _ context: LeafContext
    ) throws(RealmFileError) -> [RealmValue] {
        // The most common kinds of elements do not look at the kind of the leaf for each value.
        switch self {
        case .integers(let leaf):
            return leaf.values.map { $0 == leaf.null ? .null : .int($0) }
        case .links(let keys, let target):
            return keys.map { LeafValues.link($0, target) }
        case .texts(let leaf):
            var values: [RealmValue] = []
            values.reserveCapacity(leaf.count)
            let areShort = try leaf.forEachShort(in: 0..<leaf.count) { bytes in
                values.append(bytes.map { .text($0) } ?? (isNullable ? .null : .string("")))
            }
            if areShort { return values }
            for index in 0..<leaf.count {
                let bytes = try leaf.bytes(index, context.nodes)
                values.append(bytes.map { .text($0) } ?? (isNullable ? .null : .string("")))
            }
            return values
        default:
            var values: [RealmValue] = []
            values.reserveCapacity(count)
            for index in 0..<count {
                values.append(try value(index, isNullable: isNullable, depth: depth, context))
            }
            return values
        }
    }

    private static func link(_ key: Int64, _ target: Int) -> RealmValue {
        switch key {
        case 0...: .link(RealmLink(classIndex: target, key: UInt64(key)))
        case -1: .null
        default: .unresolvedLink
        }
    }
}
