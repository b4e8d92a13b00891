import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues

/// Two classes with every kind of property that link to each other, with a random history.
struct GraphStore {
    private(set) var generator: SplitMix64
    let store: Store
    let flight: ClassSchema
    let plane: ClassSchema

    /// Row groups of eight rows make many groups with few rows.
    init(
        seed: UInt64, planes: Int = 14, flights: Int = 30,
        logging: StoreOptions.Logging = .automatic
    ) throws {
        generator = SplitMix64(seed: seed)
        var options = StoreOptions()
        options.rowsPerGroup = 8
        options.logging = logging
        let creation = try Store.create(
            "/g.firn", services: SimulatedFileSystem().services(entropySeed: seed),
            options: options)
        store = creation.store
        let transaction = try store.beginWrite()
        let classes = try transaction.addClasses(Self.definitions)
        plane = classes[0]
        flight = classes[1]
        try fill(transaction, planes: planes, flights: flights)
        _ = try transaction.commit()
        try creation.publish()
    }

    private static let definitions: [ClassDefinition] = {
        func property(
            _ name: String, _ base: ValueTag, optional: Bool = false,
            _ container: PropertyType.Container = .single, target: String? = nil
        ) -> ClassDefinition.Property {
            let isOptional = optional || base == .any || (base == .link && container == .single)
            return .init(
                name: name,
                type: PropertyType(base, isOptional: isOptional, container: container),
                targetName: target)
        }
        return [
            ClassDefinition(
                name: "Plane",
                properties: [
                    property("code", .string), property("seats", .int, optional: true),
                    property("weight", .double, optional: true),
                    property("price", .decimal128, optional: true),
                    property("name", .string, optional: true), property("heavy", .bool),
                    property("tags", .string, .list), property("marks", .int, .set),
                    property("limits", .double, optional: true, .map),
                    property("mate", .link, target: "Plane"), property("extra", .any),
                ], keyName: "code"),
            ClassDefinition(
                name: "Flight",
                properties: [
                    property("number", .int), property("delay", .int, optional: true),
                    property("gate", .string, optional: true),
                    property("when", .date, optional: true),
                    property("ratio", .float, optional: true),
                    property("plane", .link, target: "Plane"),
                    property("stops", .link, .list, target: "Plane"),
                    property("spares", .link, .set, target: "Plane"),
                    property("crew", .link, optional: true, .map, target: "Plane"),
                    property("scores", .int, optional: true, .list),
                    property("blob", .data, optional: true), property("extras", .any, .list),
                ], keyName: nil),
        ]
    }()

    func snapshot() throws -> Snapshot { try store.snapshot() }

    /// Commits random changes.
    mutating func change() throws {
        let transaction = try store.beginWrite()
        try change(transaction)
        _ = try transaction.commit()
    }

    /// Random changes in a transaction that stays open.
    mutating func beginChanges() throws -> WriteTransaction {
        let transaction = try store.beginWrite()
        try change(transaction)
        return transaction
    }

    mutating func change(_ transaction: WriteTransaction) throws {
        let data = try GraphData(transaction.snapshot())
        for (schema, share) in [(plane, 5), (flight, 3)] {
            for row in data.rows(of: schema) {
                if generator.happens(oneIn: UInt64(share * 2)) {
                    try transaction.delete(row, in: schema.id)
                } else if generator.happens(oneIn: UInt64(share)) {
                    let index = Int.random(in: 1..<schema.properties.count, using: &generator)
                    let property = schema.properties[index]
                    let planes = try GraphData(transaction.snapshot()).rows(of: plane)
                    try transaction.set(
                        property.id, of: row, in: schema.id, to: value(of: property, planes))
                }
            }
        }
        try fill(transaction, planes: 2, flights: 4)
    }

    private mutating func fill(
        _ transaction: WriteTransaction, planes: Int, flights: Int
    ) throws {
        var targets = try GraphData(transaction.snapshot()).rows(of: plane)
        for _ in 0..<planes {
            var values: [Value] = []
            for property in plane.properties { values.append(value(of: property, targets)) }
            values[0] = .string("P\(transaction.schema.classes.count)-\(generator.next())")
            targets.append(try transaction.create(in: plane.id, values))
        }
        for _ in 0..<flights {
            var values: [Value] = []
            for property in flight.properties { values.append(value(of: property, targets)) }
            try transaction.create(in: flight.id, values)
        }
    }

    private mutating func value(of property: PropertySchema, _ planes: [RowID]) -> Value {
        let type = property.type
        let isLarge = generator.happens(oneIn: 200) && type.base != .any
        let count = isLarge ? 1_200 : Int.random(in: 0...4, using: &generator)
        switch type.container {
        case .single: return single(type, planes)
        case .list:
            return .list((0..<count).map { _ in single(type, planes) }.filter(isElement(type)))
        case .set:
            let values = (0..<count).map { _ in single(type, planes) }.filter(isElement(type))
            return .set(Array(Set(values)).sorted { $0.order(relativeTo: $1) == .less })
        case .map:
            var entries: TextMap<Value> = [:]
            for key in ["a", "b", "c", "é"] where generator.happens(oneIn: 2) {
                entries[key] = single(type, planes)
            }
            return .map(entries)
        }
    }

    /// Lists and sets of links do not contain nil.
    private func isElement(_ type: PropertyType) -> (Value) -> Bool {
        { $0 != .null || type.isOptional && type.base != .link }
    }

    private mutating func single(_ type: PropertyType, _ planes: [RowID]) -> Value {
        if type.isOptional, generator.happens(oneIn: 4) { return .null }
        switch type.base {
        case .link:
            return planes.randomElement(using: &generator).map {
                .link(ObjectReference(classID: plane.id, rowID: $0))
            } ?? .null
        case .any: return any(depth: 0, planes)
        default: return GraphValues.any(type.base, &generator)
        }
    }

    private mutating func any(depth: Int, _ planes: [RowID]) -> Value {
        switch Int.random(in: 0..<(depth < 2 ? 7 : 5), using: &generator) {
        case 0: return GraphValues.any(.int, &generator)
        case 1: return GraphValues.any(.string, &generator)
        case 2: return GraphValues.any(.decimal128, &generator)
        case 3: return GraphValues.any(.double, &generator)
        case 4: return single(PropertyType(.link), planes)
        case 5: return .list((0..<2).map { _ in any(depth: depth + 1, planes) })
        default: return .map(["a": any(depth: depth + 1, planes), "b": .null])
        }
    }
}

/// Few values, so that they are often equal.
enum GraphValues {
    static func any(_ kind: ValueTag, _ generator: inout SplitMix64) -> Value {
        let number = Int64.random(in: -3...6, using: &generator)
        switch kind {
        case .bool: return .bool(number > 1)
        case .int:
            return .int(generator.happens(oneIn: 30) ? .max - number.magnitude.asInt : number)
        case .double: return .double(generator.happens(oneIn: 20) ? .nan : Double(number) / 2)
        case .float: return .float(Float(number) / 4)
        case .decimal128:
            return .decimal128(
                Decimal128(["1.0", "1.00", "-2.5", "0", "3", "1e2"][abs(Int(number)) % 6]) ?? .nan)
        case .string:
            return .string(["", "a", "ab", "Ábc", "abcdefghij", "é", "b a"][abs(Int(number)) % 7])
        case .date: return .date(Timestamp(seconds: number * 40_000_000, nanoseconds: number * 7))
        case .data: return .data([[], [1], [1, 2], [255]][abs(Int(number)) % 4])
        default: return .null
        }
    }
}

extension UInt64 {
    fileprivate var asInt: Int64 { Int64(clamping: self) }
}
