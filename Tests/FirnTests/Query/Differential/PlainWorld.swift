import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// A value of the naive evaluator; a decimal is its digits.
indirect enum PlainValue: Equatable {
    case null
    case int(Int64)
    case double(Double)
    case decimal(String)
    case text(String)
    case data([UInt8])
    case object(PlainReference)
    case list([PlainValue])
    /// By ascending keys.
    case map([(key: String, value: PlainValue)])

    static func == (left: PlainValue, right: PlainValue) -> Bool { left.stored == right.stored }

    /// The value passed to the store.
    var stored: Value {
        switch self {
        case .null: .null
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .decimal(let digits): .decimal128(Decimal128(digits) ?? .nan)
        case .text(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .object(let reference):
            .link(
                ObjectReference(
                    classID: ClassID(UInt32(reference.classIndex + 1)),
                    rowID: RowID(UInt64(reference.index))))
        case .list(let elements): .list(elements.map(\.stored))
        case .map(let entries):
            .map(TextMap(entries.map { ($0.key, $0.value.stored) }) { first, _ in first })
        }
    }
}

/// An object, by its class and its index in the class.
struct PlainReference: Hashable {
    let classIndex: Int
    let index: Int
}

/// The kinds of properties.
enum PlainKind: Equatable {
    case int, double, decimal, text, data, any
    case ints, decimals, texts, anys, anyMap
    case link(Int)
    case links(Int)
    case linkMap(Int)

    /// The target class.
    var target: Int? {
        switch self {
        case .link(let target), .links(let target), .linkMap(let target): target
        default: nil
        }
    }

    var isCollection: Bool {
        switch self {
        case .int, .double, .decimal, .text, .data, .any, .link: false
        case .ints, .decimals, .texts, .anys, .anyMap, .links, .linkMap: true
        }
    }

    var type: PropertyType {
        switch self {
        case .int: PropertyType(.int, isOptional: true)
        case .double: PropertyType(.double, isOptional: true)
        case .decimal: PropertyType(.decimal128, isOptional: true)
        case .text: PropertyType(.string, isOptional: true)
        case .data: PropertyType(.data, isOptional: true)
        case .any: PropertyType(.any, isOptional: true)
        case .ints: PropertyType(.int, container: .list)
        case .decimals: PropertyType(.decimal128, container: .list)
        case .texts: PropertyType(.string, container: .list)
        case .anys: PropertyType(.any, isOptional: true, container: .list)
        case .anyMap: PropertyType(.any, isOptional: true, container: .map)
        case .link: PropertyType(.link, isOptional: true)
        case .links: PropertyType(.link, container: .list)
        case .linkMap: PropertyType(.link, isOptional: true, container: .map)
        }
    }
}

struct PlainProperty {
    let name: String
    let kind: PlainKind
}

/// A random schema with random objects, all in memory.
///
/// The classes have the same kinds of properties under the same names in different orders, so that
/// a column looked up in the wrong class exists there, and is another one.
struct PlainWorld {
    static let objectCount = 7

    private(set) var classes: [[PlainProperty]] = []
    /// The values by class, object and property.
    private(set) var values: [[[PlainValue]]] = []
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        let classCount = Int.random(in: 2...3, using: &generator)
        for _ in 0..<classCount { classes.append(makeProperties(classCount)) }
        for properties in classes {
            values.append(
                (0..<Self.objectCount).map { index in
                    properties.map { property in
                        property.name == "serial" ? .int(Int64(index)) : makeValue(property.kind)
                    }
                })
        }
    }

    static func className(_ index: Int) -> String { ["Ash", "Birch", "Cedar"][index] }

    func property(_ name: String, of classIndex: Int) -> PlainProperty? {
        classes[classIndex].first { $0.name == name }
    }

    func value(_ name: String, of object: PlainReference) -> PlainValue? {
        classes[object.classIndex].firstIndex { $0.name == name }
            .map { values[object.classIndex][object.index][$0] }
    }

    // MARK: Making

    private mutating func makeProperties(_ classCount: Int) -> [PlainProperty] {
        let kinds: [(String, PlainKind)] = [
            ("serial", .int), ("n", .int), ("x", .double), ("d", .decimal), ("t", .text),
            ("b", .data), ("any", .any), ("ints", .ints), ("ds", .decimals), ("ts", .texts),
            ("anys", .anys), ("map", .anyMap),
            ("one", .link(Int.random(in: 0..<classCount, using: &generator))),
            ("two", .link(Int.random(in: 0..<classCount, using: &generator))),
            ("many", .links(Int.random(in: 0..<classCount, using: &generator))),
            ("keyed", .linkMap(Int.random(in: 0..<classCount, using: &generator))),
        ]
        return kinds.shuffled(using: &generator).map { PlainProperty(name: $0.0, kind: $0.1) }
    }

    private mutating func makeValue(_ kind: PlainKind) -> PlainValue {
        switch kind {
        case .int, .double, .decimal, .text, .data:
            return generator.happens(oneIn: 5) ? .null : scalar(kind)
        case .any: return any(depth: 0)
        case .ints: return .list(many { $0.scalar(.int) })
        case .decimals: return .list(many { $0.scalar(.decimal) })
        case .texts: return .list(many { $0.scalar(.text) })
        case .anys: return .list(many { $0.any(depth: 1) })
        case .anyMap: return .map(entries { $0.any(depth: 1) })
        case .link(let target):
            return generator.happens(oneIn: 4) ? .null : object(target)
        case .links(let target): return .list(many { $0.object(target) })
        case .linkMap(let target):
            return .map(entries { $0.generator.happens(oneIn: 3) ? .null : $0.object(target) })
        }
    }

    private mutating func many(_ make: (inout PlainWorld) -> PlainValue) -> [PlainValue] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
    }

    private mutating func entries(
        _ make: (inout PlainWorld) -> PlainValue
    ) -> [(key: String, value: PlainValue)] {
        ["n", "one", "k"].sorted().compactMap { key in
            generator.happens(oneIn: 2) ? (key, make(&self)) : nil
        }
    }

    private mutating func object(_ classIndex: Int) -> PlainValue {
        .object(
            PlainReference(
                classIndex: classIndex,
                index: Int.random(in: 0..<Self.objectCount, using: &generator)))
    }

    private mutating func any(depth: Int) -> PlainValue {
        switch Int.random(in: 0..<(depth < 2 ? 9 : 6), using: &generator) {
        case 0: .null
        case 1: scalar(.int)
        case 2: scalar(.double)
        case 3: scalar(.decimal)
        case 4: scalar(generator.happens(oneIn: 3) ? .data : .text)
        case 5, 6: object(Int.random(in: 0..<classes.count, using: &generator))
        case 7: .list(many { $0.any(depth: depth + 1) })
        default: .map(entries { $0.any(depth: depth + 1) })
        }
    }

    private mutating func scalar(_ kind: PlainKind) -> PlainValue {
        switch kind {
        case .double: .double(Double(PlainWorld.digits.randomElement(using: &generator) ?? "") ?? 0)
        case .decimal: .decimal(PlainWorld.digits.randomElement(using: &generator) ?? "0")
        case .text: .text(PlainWorld.texts.randomElement(using: &generator) ?? "")
        case .data: .data(Array((PlainWorld.texts.randomElement(using: &generator) ?? "").utf8))
        default: .int(Int64.random(in: 0...4, using: &generator))
        }
    }

    static let texts = ["", "a", "A", "ab", "Ab", "b", "ÁB", "áb"]

    /// Decimals of up to 34 digits: some close to Doubles, some that differ only in their last
    /// digit.
    static let digits = [
        "0.1", "0.5", "1", "2", "0.7", "3.141592653589793238", "3.141592653589793239",
        "3.141592653589793", "2.718281828459045235360287471352662", "12345678901234567890",
        "12345678901234567891", "0.1000000000000000000000000000000001",
    ]
}

extension PlainWorld {
    /// Writes the classes and objects to a new file.
    func store(at path: String) throws {
        let creation = try Store.create(path, services: .real)
        let transaction = try creation.store.beginWrite()
        let schemas = try transaction.addClasses(
            classes.enumerated().map { index, properties in
                ClassDefinition(
                    name: Self.className(index),
                    properties: properties.map { property in
                        ClassDefinition.Property(
                            name: property.name, type: property.kind.type,
                            targetName: property.kind.target.map(Self.className),
                            // Every second one, so that all queries have indexes and scans.
                            isIndexed: property.name.utf8.reduce(0) { $0 &+ Int($1) } % 2 == 0)
                    }, keyName: nil)
            })
        // Links lead to existing objects.
        for (schema, objects) in zip(schemas, values) {
            for _ in objects {
                try transaction.create(
                    in: schema.id,
                    schema.properties.map { property in
                        switch property.type.container {
                        case .single: .null
                        case .list: .list([])
                        case .set: .set([])
                        case .map: .map([:])
                        }
                    })
            }
        }
        for (schema, objects) in zip(schemas, values) {
            for (index, object) in objects.enumerated() {
                for (property, value) in zip(schema.properties, object) {
                    try transaction.set(
                        property.id, of: RowID(UInt64(index)), in: schema.id, to: value.stored)
                }
            }
        }
        _ = try transaction.commit()
        try creation.publish()
    }
}
