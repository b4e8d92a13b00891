import Firn
import FirnTesting
import Foundation
import Testing

/// Migrations between random pairs of models, compared with plain values.
@Suite("Migrations between any two models")
struct MigrationPairTests {
    private static let types: [Object.Type] = [
        Pairs.First.Sample.self, Pairs.Second.Sample.self, Pairs.Third.Sample.self,
        Pairs.Fourth.Sample.self, Pairs.Fifth.Sample.self,
    ]

    @Test("Objects keep their values or get the initial values", arguments: 0..<4)
    func pairs(part: Int) throws {
        for round in 0..<TestScale.scaled(20) {
            let seed = UInt64(part * 100_000 + round) &+ TestScale.firstSeed
            var generator = SplitMix64(seed: seed)
            let file = MigratedFile()
            var expected: [[String: String]] = []
            // Several migrations, one after the other.
            for version in 1...UInt64.random(in: 2...4, using: &generator) {
                let index = Int.random(in: 0..<Self.types.count, using: &generator)
                let realm = try file.open([Self.types[index]], version) { migration, _ in
                    migration.enumerateObjects(ofType: "Sample") { _, _ in }
                }
                let schema = try #require(realm.schema["Sample"])
                let found = realm.dynamicObjects("Sample").map { Self.values($0, schema) }
                #expect(found == Self.migrated(expected, realm, schema), "seed \(seed)")
                try realm.write {
                    for _ in 0..<Int.random(in: 0...5, using: &generator) {
                        Self.fill(realm.dynamicCreate("Sample"), schema, &generator)
                    }
                }
                expected = realm.dynamicObjects("Sample").map { Self.values($0, schema) }
            }
            try file.verify()
        }
    }

    /// Returns the plain values after a migration; the names tell the types of the values.
    private static func migrated(
        _ old: [[String: String]], _ realm: Realm, _ schema: ObjectSchema
    ) -> [[String: String]] {
        old.map { values in
            var new: [String: String] = [:]
            for property in schema.properties {
                let key = key(property)
                let kept = values[key] ?? values[key + "?"] ?? values[String(key.dropLast())]
                new[key] = kept.map { text in
                    property.isOptional ? text : filled(text, property)
                }
                if kept == nil || kept.flatMap({ _ in new[key] }) == nil {
                    new[key] = initial(property)
                }
            }
            return new
        }
    }

    private static func key(_ property: Property) -> String {
        let container =
            property.isArray ? "list" : property.isSet ? "set" : property.isMap ? "map" : "one"
        return "\(property.name) \(property.type) \(container)" + (property.isOptional ? "?" : "")
    }

    private static func filled(_ text: String, _ property: Property) -> String {
        if property.isArray { return text.replacingOccurrences(of: "nil", with: "0") }
        return text == "nil" ? initial(property) : text
    }

    private static func initial(_ property: Property) -> String {
        if property.isArray || property.isSet || property.isMap { return "[]" }
        if property.isOptional { return "nil" }
        switch property.type {
        case .int: return "7"
        case .double: return "1.5"
        default: return "s"
        }
    }

    private static func values(_ object: DynamicObject, _ schema: ObjectSchema) -> [String: String]
    {
        var values: [String: String] = [:]
        for property in schema.properties {
            values[key(property)] = text(object[property.name], property)
        }
        return values
    }

    private static func text(_ value: Any?, _ property: Property) -> String {
        func plain(_ element: Any) -> String {
            "\(element)".replacingOccurrences(of: "Optional(", with: "")
                .replacingOccurrences(of: ")", with: "")
        }
        guard property.isArray || property.isSet || property.isMap,
            let elements = value as? any Sequence
        else { return value.map(plain) ?? "nil" }
        var texts = elements.map { plain($0) }
        if !property.isArray { texts.sort() }
        return "[\(texts.joined(separator: " "))]"
    }

    private static func fill(
        _ object: DynamicObject, _ schema: ObjectSchema, _ generator: inout SplitMix64
    ) {
        for property in schema.properties {
            let number = Int.random(in: 1...100, using: &generator)
            if property.isOptional, number % 3 == 0, !property.isArray {
                object[property.name] = nil
            } else if property.isMap {
                object[property.name] = ["k": number, "l": number + 1]
            } else if property.isArray, property.isOptional {
                object[property.name] = [number, nil, number]
            } else if property.isArray || property.isSet {
                object[property.name] = [number, number + 1]
            } else {
                switch property.type {
                case .int: object[property.name] = number
                case .double: object[property.name] = Double(number) / 4
                default: object[property.name] = "text \(number)"
                }
            }
        }
    }
}

private enum Pairs {
    enum First {
        class Sample: MigratedObject {
            @Persisted var a = 7
            @Persisted var b = "s"
            @Persisted var c: List<Int>
        }
    }

    enum Second {
        class Sample: MigratedObject {
            @Persisted var a: Int?
            @Persisted var b: String?
            @Persisted var c: List<Int?>
        }
    }

    enum Third {
        class Sample: MigratedObject {
            @Persisted var a = "s"
            @Persisted var b = 7
            @Persisted var c: MutableSet<Int>
        }
    }

    enum Fourth {
        class Sample: MigratedObject {
            @Persisted var a: Int8 = 7
            @Persisted var c: Map<String, Int>
            @Persisted var d = 1.5
        }
    }

    enum Fifth {
        class Sample: MigratedObject {
            @Persisted var a: List<Int>
            @Persisted var b = "s"
            @Persisted var d: Double?
        }
    }
}
