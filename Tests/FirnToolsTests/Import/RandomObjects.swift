import FirnEngine
import FirnTesting
import FirnValues

/// Fills a database with objects of classes that have every type and every collection.
///
/// Classes: `Keyed` (Int key), `Named` (String key), `Plain` (no key, so that `$id` matters), all
/// of which link to each other and to themselves, and `Part` and `Piece`, embedded in two levels.
struct RandomObjects {
    static let scalars: [PropertyType] =
        [.bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid, .any]
        .map { PropertyType($0) }
        + [IntegerWidth.bits8, .bits16, .bits32].map { PropertyType(.int, integerWidth: $0) }

    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    static var definitions: [ClassDefinition] {
        var properties: [ClassDefinition.Property] = []
        for type in scalars {
            let name = type.name(ofTarget: "").lowercased().replacing("?", with: "")
            for isOptional in [false, true] {
                func property(_ suffix: String, _ container: PropertyType.Container)
                    -> ClassDefinition.Property
                {
                    .init(
                        name: name + (isOptional ? "OrNil" : "") + suffix,
                        type: PropertyType(
                            type.base, isOptional: isOptional, container: container,
                            integerWidth: type.integerWidth))
                }
                properties.append(property("", .single))
                properties.append(property("List", .list))
                properties.append(property("Set", .set))
                properties.append(property("Map", .map))
            }
        }
        func links(to target: String, _ prefix: String, isEmbedded: Bool = false)
            -> [ClassDefinition.Property]
        {
            let containers: [(String, PropertyType.Container)] =
                [("", .single), ("List", .list), ("Map", .map)]
                + (isEmbedded ? [] : [("Set", .set)])
            return containers.map { suffix, container in
                .init(
                    name: prefix + suffix, type: PropertyType(.link, container: container),
                    targetName: target)
            }
        }
        let int = ClassDefinition.Property(name: "id", type: PropertyType(.int))
        let text = ClassDefinition.Property(
            name: "name with \"quotes\"", type: PropertyType(.string))
        return [
            ClassDefinition(
                name: "Keyed",
                properties: [int] + properties + links(to: "Named", "named")
                    + links(to: "Part", "part", isEmbedded: true), keyName: "id"),
            ClassDefinition(
                name: "Named", properties: [text] + links(to: "Plain", "plain"),
                keyName: text.name),
            ClassDefinition(
                name: "Plain",
                properties: links(to: "Plain", "other") + links(to: "Keyed", "keyed")
                    + [.init(name: "note", type: PropertyType(.any))]),
            ClassDefinition(
                name: "Part",
                properties: [.init(name: "size", type: PropertyType(.double))]
                    + links(to: "Piece", "piece", isEmbedded: true)
                    + links(to: "Keyed", "back"), isEmbedded: true),
            ClassDefinition(
                name: "Piece", properties: [.init(name: "tag", type: PropertyType(.string))],
                isEmbedded: true),
        ]
    }

    /// Fills in random objects; links are set when all objects exist.
    mutating func fill(_ transaction: WriteTransaction, count: Int) throws {
        let classes = try transaction.addClasses(RandomObjects.definitions)
        var objects: [ClassID: [RowID]] = [:]
        for schema in classes where !schema.isEmbedded {
            for number in 0..<count {
                let values = schema.properties.map { property in
                    property.id == schema.key
                        ? key(property, number) : value(property.type)
                }
                let row = try transaction.create(in: schema.id, values)
                objects[schema.id, default: []].append(row)
            }
        }
        // Gaps in the row ids of objects without a key.
        for row in objects[classes[2].id] ?? [] where random.next() % 4 == 0 {
            try transaction.delete(row, in: classes[2].id)
            objects[classes[2].id]?.removeAll { $0 == row }
        }
        for schema in classes where !schema.isEmbedded {
            for property in schema.properties where property.type.base == .link {
                for row in objects[schema.id] ?? [] where random.next() % 3 > 0 {
                    let links = try linkValue(property.type, objects, transaction)
                    try transaction.set(property.id, of: row, in: schema.id, to: links)
                }
            }
            for property in schema.properties
            where property.type.base == .any && property.type.container == .single {
                for row in objects[schema.id] ?? [] where random.next() % 5 == 0 {
                    let link = target(classes[Int(random.next() % 3)].id, objects)
                    try transaction.set(
                        property.id, of: row, in: schema.id,
                        to: random.next() % 2 == 0 ? link : .list([link, .int(1), link]))
                }
            }
        }
    }

    private mutating func key(_ property: PropertySchema, _ number: Int) -> Value {
        property.type.base == .int
            ? .int(number == 0 ? .min : Int64(number) &* 7919 % 1000 - 500)
            : .string(number == 0 ? "" : "n-\(number &* 31 % 97)-\"\u{1F600}")
    }

    // MARK: Links

    private mutating func target(_ id: ClassID, _ objects: [ClassID: [RowID]]) -> Value {
        guard let rows = objects[id], !rows.isEmpty else { return .null }
        return .link(
            ObjectReference(classID: id, rowID: rows[Int(random.next() % UInt64(rows.count))]))
    }

    private mutating func linkValue(
        _ type: PropertyType, _ objects: [ClassID: [RowID]], _ transaction: WriteTransaction
    ) throws -> Value {
        guard let id = type.target, let schema = transaction.schema[id] else { return .null }
        func one(_ random: inout RandomObjects) throws -> Value {
            guard schema.isEmbedded else { return random.target(id, objects) }
            let values = try schema.properties.map { property -> Value in
                property.type.base == .link
                    ? try random.linkValue(property.type, objects, transaction)
                    : random.value(property.type)
            }
            return .link(
                ObjectReference(classID: id, rowID: try transaction.create(in: id, values)))
        }
        let count = Int(random.next() % 4)
        switch type.container {
        case .single: return try one(&self)
        case .list, .set:
            let links = try (0..<count).map { _ in try one(&self) }.filter { !$0.isNull }
            return type.container == .list ? .list(links) : .set(links)
        case .map:
            var entries: TextMap<Value> = [:]
            for index in 0..<count { entries["key \(index)"] = try one(&self) }
            return .map(entries)
        }
    }

    // MARK: Values

    /// A random value; links are added later.
    mutating func value(_ type: PropertyType) -> Value {
        guard type.base != .link else { return type.emptyCollection }
        let count = random.next() % 8 == 0 ? 0 : Int(random.next() % 5)
        switch type.container {
        case .single: return scalar(type)
        case .list: return .list((0..<count).map { _ in scalar(type) })
        case .set: return .set((0..<count).map { _ in scalar(type) })
        case .map:
            return .map(
                TextMap((0..<count).map { ("k\($0) \u{e9}\"\\", scalar(type)) }) { first, _ in
                    first
                })
        }
    }

    private mutating func scalar(_ type: PropertyType, depth: Int = 0) -> Value {
        if type.mayBeNull, random.next() % 5 == 0 { return .null }
        switch type.base {
        case .bool: return .bool(random.next() % 2 == 0)
        case .int:
            let range = type.integerWidth.range
            return .int(
                pick([range.lowerBound, range.upperBound, 0, -1, Int64(random.next() % 100)]))
        case .float:
            return .float(
                pick([
                    0, -0.0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
                    -.infinity, .nan, 16_777_216,
                ]))
        case .double:
            return .double(
                pick([
                    0, -0.0, 0.1, 1e300, -1e-300, .leastNonzeroMagnitude, .infinity, .nan, 12.5,
                    9_007_199_254_740_992,
                ]))
        case .string:
            return .string(
                pick([
                    "", " ", "null", "a,b\n\"c\"", "\u{0}\u{1F}", "\u{1F468}\u{200D}\u{1F469}",
                    "e\u{301}", String(repeating: "x", count: 300), "-5", "2013-01-01",
                ]))
        case .data:
            return .data(pick([[], [0], [255, 254, 253], Array(0...255)]))
        case .date:
            return .date(
                pick([
                    Timestamp(seconds: 0), Timestamp(seconds: -1, nanoseconds: 1),
                    Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789),
                    Timestamp(seconds: .min), Timestamp(seconds: .max, nanoseconds: 999_999_999),
                ]))
        case .decimal128:
            let texts = [
                "0", "-0", "1.50", "NaN", "Infinity", "-Infinity", "1E+6111",
                "9.999999999999999999999999999999999E+6144", "-1E-6176",
            ]
            return .decimal128(Decimal128(pick(texts)) ?? Decimal128(0))
        case .objectID:
            return .objectID(ObjectID(high: pick([0, .max, random.next()]), low: 7))
        case .uuid: return .uuid(UUID(high: pick([0, .max, random.next()]), low: random.next()))
        case .any: return any(depth: depth)
        case .null, .link, .list, .set, .map: return .null
        }
    }

    private mutating func any(depth: Int) -> Value {
        let kinds: [ValueTag] = [
            .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
        ]
        let kind = random.next() % UInt64(kinds.count + (depth < 3 ? 4 : 0))
        guard kind >= kinds.count else { return scalar(PropertyType(kinds[Int(kind)])) }
        let values = (0..<Int(random.next() % 4)).map { _ in any(depth: depth + 1) }
        guard kind % 2 == 0 else { return .list(values) }
        return .map(
            TextMap(values.enumerated().map { ("type \($0)", $1) }) { first, _ in first })
    }

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int(random.next() % UInt64(values.count))]
    }
}
