import FirnValues

/// Values of any type.
///
/// Each element has the type, and either the value or an index into one of the arrays beside it.
///
///      63                       8 7       5 4         0
///     | value or index, signed   | payload | type + 1  |       0: null
package struct MixedLeaf {
    /// The slots of the leaf.
    private enum Slot {
        static let elements = 0
        static let integers = 1
        static let pairs = 2
        static let texts = 3
        static let collections = 4
    }

    private static let list: Int64 = 19
    private static let dictionary: Int64 = 21

    private let elements: [Int64]
    private let integers: [Int64]
    private let pairs: [Int64]
    private let texts: TextLeaf?
    private let collections: ArrayNode?
    private let position: UInt64
    package var count: Int { elements.count }

    init(_ node: ArrayNode, _ nodes: NodeReader) throws(RealmFileError) {
        guard node.hasRefs, node.widthType == .bits else {
            throw .damaged("a Mixed column has an unknown encoding", at: node.position)
        }
        position = node.position
        func array(_ slot: Int) throws(RealmFileError) -> [Int64] {
            guard let place = try nodes.position(in: node, slot) else { return [] }
            return try nodes.node(at: place).integers()
        }
        elements = try array(Slot.elements)
        integers = try array(Slot.integers)
        pairs = try array(Slot.pairs)
        if let place = try nodes.position(in: node, Slot.texts) {
            texts = try TextLeaf(try nodes.node(at: place), isText: true, nodes)
        } else {
            texts = nil
        }
        if let place = try nodes.position(in: node, Slot.collections) {
            collections = try nodes.references(at: place)
        } else {
            collections = nil
        }
    }

    /// Returns the value at an index.
    func value(
        _ index: Int, depth: Int, _ context: LeafContext
    ) throws(RealmFileError) -> RealmValue {
        let element = elements[index]
        guard element != 0 else { return .null }
        let number = (element & 31) - 1
        let data = element >> 8
        if number == MixedLeaf.list || number == MixedLeaf.dictionary {
            return try collection(number, data, depth: depth)
        }
        guard let type = UInt8(exactly: number).flatMap(RealmType.init(rawValue:)) else {
            throw .damaged("a value has the unknown type \(number)", at: position)
        }
        switch type {
        case .int: return .int(element >> 5 & 7 == 0 ? data : try integer(data))
        case .bool: return .bool(data != 0)
        case .float: return .float(UInt32(truncatingIfNeeded: try integer(data)))
        case .double: return .double(UInt64(bitPattern: try integer(data)))
        case .date:
            let pair = try self.pair(data)
            return .date(RealmDate(seconds: pair.0, nanoseconds: pair.1))
        case .decimal:
            let pair = try self.pair(data)
            return .decimal(
                Decimal128(high: UInt64(bitPattern: pair.1), low: UInt64(bitPattern: pair.0)))
        case .typedLink:
            let pair = try self.pair(data)
            return try context.link(tableKey: pair.0, key: pair.1, at: position)
        case .string, .data, .objectID, .uuid: return try text(type, data, context)
        case .mixed, .link:
            throw .damaged("a value of any type has the type \(number)", at: position)
        }
    }

    // MARK: Payloads

    private func integer(_ index: Int64) throws(RealmFileError) -> Int64 {
        guard index >= 0, index < integers.count else { throw missing }
        return integers[Int(index)]
    }

    private func pair(_ index: Int64) throws(RealmFileError) -> (Int64, Int64) {
        guard index >= 0, index < pairs.count / 2 else { throw missing }
        return (pairs[Int(index) * 2], pairs[Int(index) * 2 + 1])
    }

    private func text(
        _ type: RealmType, _ index: Int64, _ context: LeafContext
    ) throws(RealmFileError) -> RealmValue {
        guard let texts, index >= 0, index < texts.count else { throw missing }
        guard let bytes = try texts.bytes(Int(index), context.nodes) else { return .null }
        switch type {
        case .data: return .data(bytes.array)
        case .objectID where bytes.count == 12: return .objectID(ObjectID(bytes))
        case .uuid where bytes.count == 16: return .uuid(UUID(bytes))
        case .string: return .text(bytes)
        default: throw .damaged("an id has \(bytes.count) bytes", at: position)
        }
    }

    private func collection(
        _ number: Int64, _ index: Int64, depth: Int
    ) throws(RealmFileError) -> RealmValue {
        guard let collections, index >= 0, index < collections.size else { throw missing }
        guard depth < ReadLimits.nestingMax else {
            throw .damaged(
                "collections contain each other more than \(ReadLimits.nestingMax) times",
                at: position)
        }
        let place = collections.slot(Int(index))
        guard place & 1 == 0 else {
            throw .damaged("a collection has a number in place of a position", at: position)
        }
        return .collection(
            StoredCollection(
                kind: number == MixedLeaf.list ? .list : .dictionary(hasIntegerKeys: false),
                element: .mixed, position: place, depth: depth + 1))
    }

    private var missing: RealmFileError {
        .damaged("a value of any type refers to a missing element", at: position)
    }
}
