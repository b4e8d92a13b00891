import FirnValues

/// The values of a leaf: the values of a column for the objects of a cluster, or a part of a
/// collection.
package enum LeafValues {
    case integers(IntegerLeaf)
    case booleans([Int64])
    /// The bits, because arithmetic can change the bits of a NaN.
    case floats([UInt32])
    case doubles([UInt64])
    case texts(TextLeaf)
    case data(TextLeaf)
    case dates(seconds: IntegerLeaf, nanoseconds: [Int64])
    case objectIDs(FixedLeaf)
    case uuids(FixedLeaf)
    case decimals(DecimalLeaf)
    case mixed(MixedLeaf)
    /// The keys of objects of a class: -1 is null, and a lower key is unresolved.
    case links([Int64], target: Int)
    /// The keys of tables and objects alternately, each increased by 1.
    case typedLinks([Int64])

    /// - Parameters:
    ///   - isCollection: whether the leaf is a part of a collection.
    ///   - texts: the distinct texts of an enumerated column.
    init(
        _ node: ArrayNode, _ element: ElementType, isCollection: Bool, texts: TextLeaf? = nil,
        _ nodes: NodeReader
    ) throws(RealmFileError) {
        switch element.type {
        case .int: self = .integers(try IntegerLeaf(node, isNullable: element.isNullable))
        case .bool: self = .booleans(try node.integers())
        case .float: self = .floats(try node.bits(as: UInt32.self))
        case .double: self = .doubles(try node.bits(as: UInt64.self))
        case .string: self = .texts(try TextLeaf(node, isText: true, texts: texts, nodes))
        case .data: self = .data(try TextLeaf(node, isText: false, nodes))
        case .date:
            let parts = try LeafValues.dates(node, nodes)
            self = .dates(seconds: parts.seconds, nanoseconds: parts.nanoseconds)
        case .objectID: self = .objectIDs(try FixedLeaf(node, width: 12))
        case .uuid: self = .uuids(try FixedLeaf(node, width: 16))
        case .decimal: self = .decimals(try DecimalLeaf(node))
        case .mixed: self = .mixed(try MixedLeaf(node, nodes))
        case .link:
            guard let target = element.target else {
                throw .damaged("a link has no class", at: node.position)
            }
            // Single links are stored with 1 added, so that 0 is null.
            let keys = try node.integers()
            self = .links(isCollection ? keys : keys.map { $0 &- 1 }, target: target)
        case .typedLink: self = .typedLinks(try node.integers())
        }
    }

    private static func dates(
        _ node: ArrayNode, _ nodes: NodeReader
    ) throws(RealmFileError) -> (seconds: IntegerLeaf, nanoseconds: [Int64]) {
        guard node.hasRefs, node.widthType == .bits else {
            throw .damaged("dates have an unknown form", at: node.position)
        }
        let seconds = try IntegerLeaf(
            try nodes.node(at: try nodes.requiredPosition(in: node, 0)), isNullable: true)
        let nanoseconds = try nodes.node(at: try nodes.requiredPosition(in: node, 1)).integers()
        guard seconds.values.count == nanoseconds.count else {
            throw .damaged(
                "there are \(seconds.values.count) seconds and \(nanoseconds.count) nanoseconds",
                at: node.position)
        }
        return (seconds, nanoseconds)
    }

    /// The number of values.
    package var count: Int {
        switch self {
        case .integers(let leaf): leaf.values.count
        case .booleans(let values): values.count
        case .floats(let bits): bits.count
        case .doubles(let bits): bits.count
        case .texts(let leaf), .data(let leaf): leaf.count
        case .dates(_, let nanoseconds): nanoseconds.count
        case .objectIDs(let leaf), .uuids(let leaf): leaf.count
        case .decimals(let leaf): leaf.count
        case .mixed(let leaf): leaf.count
        case .links(let keys, _): keys.count
        case .typedLinks(let keys): keys.count / 2
        }
    }
}

extension ArrayNode {
    /// Returns floating-point numbers as bits: one bit pattern of NaN is null.
    func bits<Bits: FixedWidthInteger>(as type: Bits.Type) throws(RealmFileError) -> [Bits] {
        let stride = MemoryLayout<Bits>.size
        guard widthType == .bytes, !hasRefs, width == stride || size == 0 else {
            throw .damaged("an array of numbers has another kind of elements", at: position)
        }
        guard size <= ReadLimits.integersMax else {
            throw .damaged("an array has \(size) elements", at: position)
        }
        return (0..<size).map { payload.integer($0 * stride, as: type) }
    }
}

/// The bits of the NaN that is null.
package enum NullNumber {
    package static let float: UInt32 = 0x7FC0_00AA
    package static let double: UInt64 = 0x7FF8_0000_0000_00AA
}
