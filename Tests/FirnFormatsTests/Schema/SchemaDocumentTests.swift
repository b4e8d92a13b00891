import FirnEngine
import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats

@Suite("Schema documents")
struct SchemaDocumentTests {
    @Test("The schema document in the manual is parsed")
    func manual() throws {
        let text = """
            {"v":1,"classes":[{"name":"Person","key":"id","properties":[{"name":"id","type":"Int"},
            {"name":"name","type":"String","indexed":true},{"name":"age","type":"Int","optional":true},
            {"name":"dogs","type":"List<Dog>"}]},
            {"name":"Dog","embedded":false,"properties":[{"name":"best","type":"Person"},
            {"name":"owners","type":"LinkingObjects<Person>","origin":"dogs"}]}]}
            """
        let definitions = try read(text)
        #expect(
            definitions == [
                ClassDefinition(
                    name: "Person",
                    properties: [
                        .init(name: "id", type: PropertyType(.int)),
                        .init(name: "name", type: PropertyType(.string), isIndexed: true),
                        .init(name: "age", type: PropertyType(.int, isOptional: true)),
                        .init(
                            name: "dogs", type: PropertyType(.link, container: .list),
                            targetName: "Dog"),
                    ], keyName: "id"),
                ClassDefinition(
                    name: "Dog",
                    properties: [
                        .init(
                            name: "best", type: PropertyType(.link, isOptional: true),
                            targetName: "Person")
                    ],
                    inverses: [
                        .init(name: "owners", sourceClassName: "Person", sourcePropertyName: "dogs")
                    ]),
            ])
    }

    @Test("Random classes round-trip")
    func roundTrips() throws {
        let seed: UInt64 = 0x5C4E
        var generator = SplitMix64(seed: seed)
        for round in 0..<100 {
            let definitions = RandomSchema.definitions(&generator)
            let json = SchemaDocument.json(definitions)
            let read = try read(json)
            #expect(read == definitions, "seed \(seed), round \(round)")
            #expect(SchemaDocument.json(read) == json)
        }
    }

    @Test(
        "An error is reported with its position",
        arguments: [
            ("5", "in.json:1: a schema must be an object"), ("{}", "array \"classes\""),
            ("{\"v\":2,\"classes\":[]}", "unknown schema version"),
            ("{\"clases\":[]}", "a schema cannot have \"clases\""),
            ("{\"classes\":[{\"name\":\"A\"}]}", "a class needs an array \"properties\""),
            ("{\"classes\":[{\"properties\":[]}]}", "a class without \"name\""),
            (document("{\"name\":\"A\",\"keys\":\"a\",\"properties\":[]}"), "cannot have \"keys\""),
            (
                document("{\"name\":\"A\",\"key\":[\"a\"],\"properties\":[]}"),
                "\"key\" of a class must be a string"
            ),
            (
                document("{\"name\":\"A\",\"key\":\"a\",\"properties\":[]}"),
                "A: the key \"a\" is not a property"
            ),
            (
                document("{\"name\":\"A\",\"key\":\"a\",\"key\":\"b\",\"properties\":[]}"),
                "\"key\" twice"
            ),
            (
                document("{\"name\":\"A\",\"properties\":[]},\n{\"name\":\"A\",\"properties\":[]}"),
                "in.json:2: a class \"A\" already exists"
            ),
            (property("{\"name\":\"a\"}"), "A: a property without \"type\""),
            (
                property("{\"name\":\"a\",\"type\":\"Itn\"}"),
                "A.a: there is no type or class \"Itn\""
            ),
            (property("{\"name\":\"a\",\"type\":\"int\"}"), "no type or class \"int\""),
            (property("{\"name\":\"a\",\"type\":\"List<B>\"}"), "no type or class \"B\""),
            (property("{\"name\":\"a\",\"type\":\"List<A?>\"}"), "cannot be null"),
            (property("{\"name\":\"a\",\"type\":\"List<Int>\",\"optional\":true}"), "List<Int?>"),
            (property("{\"name\":\"a\",\"type\":\"A\",\"optional\":false}"), "is always optional"),
            (property("{\"name\":\"a\",\"type\":\"Int\",\"indexd\":true}"), "have \"indexd\""),
            (property("{\"name\":\"a\",\"type\":\"Int\",\"indexed\":1}"), "true or false"),
            (property("{\"name\":\"a\",\"type\":\"Int\",\"dateOnly\":true}"), "only a Date"),
            (property("{\"name\":\"a\",\"type\":\"Double\",\"decimalPlaces\":16}"), "1 to 15"),
            (property("{\"name\":\"a\",\"type\":\"Int\",\"origin\":\"x\"}"), "only an inverse"),
            (property("{\"name\":\"a\",\"type\":\"LinkingObjects<A>\"}"), "without \"origin\""),
            (
                property("{\"name\":\"a\",\"type\":\"LinkingObjects<A>\",\"origin\":\"x\"}"),
                "no property \"x\""
            ),
            (
                property("{\"name\":\"a\",\"type\":\"Int\"},{\"name\":\"a\",\"type\":\"Int\"}"),
                "a second property"
            ),
            (
                property(
                    "{\"name\":\"a\",\"type\":\"Int\"},{\"name\":\"b\",\"type\":\"Int\",\"column\":\"a\"}"
                ), "a second column"
            ),
            (
                document(
                    "{\"name\":\"A\",\"key\":\"a\",\"properties\":[{\"name\":\"a\",\"type\":\"Double\"}]}"
                ),
                "not Double"
            ),
            (
                document(
                    "{\"name\":\"A\",\"embedded\":true,\"properties\":[{\"name\":\"b\",\"type\":\"B\"}]},"
                        + "{\"name\":\"B\",\"embedded\":true,\"properties\":[{\"name\":\"a\",\"type\":\"List<A>\"}]}"
                ),
                "endlessly: A, B"
            ),
            (
                document("{\"name\":\"A\",\"embedded\":true,\"key\":\"a\",\"properties\":[]}"),
                "embedded class cannot have a key"
            ),
        ])
    func mistakes(text: String, message: String) throws {
        let error = try #require(#expect(throws: InputError.self) { try read(text) })
        let diagnostic = Diagnostic(error)
        #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
        #expect(error.line != nil)
        #expect(diagnostic.status == .data)
    }

    @Test("Links may lead to existing classes")
    func knownClasses() throws {
        let text = property("{\"name\":\"a\",\"type\":\"Map<Dog?>\"}")
        let definitions = try SchemaDocument.read(
            MemorySource(Array(text.utf8), name: "in.json"), knownClasses: ["Dog"])
        #expect(definitions[0].properties[0].targetName == "Dog")
        #expect(definitions[0].properties[0].typeName == "Map<Dog?>")
    }
}

@Suite("Schemas as text and as Swift")
struct SchemaTextTests {
    private static let definitions = [
        ClassDefinition(
            name: "Flight",
            properties: [
                .init(name: "id", type: PropertyType(.int)),
                .init(name: "day", type: PropertyType(.date), display: .dateOnly, isIndexed: true),
                .init(
                    name: "plane", type: PropertyType(.link, isOptional: true), targetName: "Plane"),
                .init(name: "dogs", type: PropertyType(.link, container: .list), targetName: "Dog"),
                .init(name: "tags", type: PropertyType(.string, container: .set)),
                .init(
                    name: "n",
                    type: PropertyType(
                        .int, isOptional: true, container: .map, integerWidth: .bits8)),
                .init(name: "extra", type: PropertyType(.any, isOptional: true)),
                .init(name: "class", type: PropertyType(.decimal128, isOptional: true)),
                .init(name: "dep delay", type: PropertyType(.objectID), columnName: "d\"x"),
                .init(name: "dep_delay", type: PropertyType(.uuid)),
            ], keyName: "id",
            inverses: [
                .init(name: "seats", sourceClassName: "2nd seat", sourcePropertyName: "flight")
            ]),
        ClassDefinition(name: "2nd seat", properties: [], isEmbedded: true),
    ]

    @Test("Model classes use the types and names of Swift")
    func swift() {
        #expect(
            SwiftModels.source(Self.definitions) == #"""
                import Firn
                import Foundation

                class Flight: Object {
                    @Persisted(primaryKey: true) var id: Int
                    @Persisted(indexed: true) var day: Date
                    @Persisted var plane: Plane?
                    @Persisted var dogs: List<Dog>
                    @Persisted var tags: MutableSet<String>
                    @Persisted var n: Map<String, Int8?>
                    @Persisted var extra: AnyRealmValue
                    @Persisted var `class`: Decimal128?
                    @Persisted var dep_delay: ObjectId
                    @Persisted var dep_delay_2: UUID
                    @Persisted(originProperty: "flight") var seats: LinkingObjects<_2nd_seat>

                    override class func propertiesMapping() -> [String: String] {
                        [
                            "dep_delay": "d\"x",
                            "dep_delay_2": "dep_delay",
                        ]
                    }
                }

                class _2nd_seat: EmbeddedObject {

                    override class func className() -> String { "2nd seat" }
                }

                """#)
    }

    @Test("The printed text is aligned")
    func text() {
        #expect(
            SchemaText.text(Self.definitions) == """
                Flight
                  id         Int, key
                  day        Date, dates only, indexed
                  plane      Plane?
                  dogs       List<Dog>
                  tags       Set<String>
                  n          Map<Int8?>
                  extra      Any
                  class      Decimal128?
                  dep delay  ObjectId, column d"x
                  dep_delay  UUID
                  seats      LinkingObjects<2nd seat>, from flight

                2nd seat (embedded)

                """)
    }
}

private func read(_ text: String) throws -> [ClassDefinition] {
    try SchemaDocument.read(MemorySource(Array(text.utf8), name: "in.json"))
}

private func document(_ classes: String) -> String { "{\"v\":1,\"classes\":[" + classes + "]}" }

private func property(_ properties: String) -> String {
    document("{\"name\":\"A\",\"properties\":[" + properties + "]}")
}

private enum RandomSchema {
    static func definitions(_ generator: inout SplitMix64) -> [ClassDefinition] {
        let names = ["Person", "Dog", "Hüt te", "a\"b"]
        return names.enumerated().map { index, name in
            var properties = (0..<Int.random(in: 1...8, using: &generator)).map { number in
                property("p\(number) \(name)", names, &generator)
            }
            let hasKey = Bool.random(using: &generator)
            if hasKey { properties.append(.init(name: "key", type: PropertyType(.uuid))) }
            properties.append(
                .init(
                    name: "next", type: PropertyType(.link, isOptional: true),
                    targetName: names[(index + 1) % names.count]))
            let previous = names[(index + names.count - 1) % names.count]
            return ClassDefinition(
                name: name, properties: properties, keyName: hasKey ? "key" : nil,
                isEmbedded: !hasKey
                    && properties.allSatisfy { $0.targetName == nil || $0.name == "next" }
                    && index == 0 && Bool.random(using: &generator),
                inverses: [
                    .init(name: "in", sourceClassName: previous, sourcePropertyName: "next")
                ])
        }
    }

    private static func property(
        _ name: String, _ names: [String], _ generator: inout SplitMix64
    ) -> ClassDefinition.Property {
        let bases: [ValueTag] = [
            .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
            .any,
            .link,
        ]
        let containers: [PropertyType.Container] = [.single, .single, .list, .set, .map]
        let base = bases.randomElement(using: &generator) ?? .int
        let container = containers.randomElement(using: &generator) ?? .single
        var isOptional = Bool.random(using: &generator)
        if base == .any { isOptional = true }
        if base == .link, container != .map { isOptional = container == .single }
        let width = IntegerWidth.allCases.randomElement(using: &generator) ?? .bits64
        let type = PropertyType(
            base, isOptional: isOptional, container: container,
            integerWidth: base == .int ? width : .bits64)
        let display: DisplayForm? =
            switch (base, Bool.random(using: &generator)) {
            case (.date, true): .dateOnly
            case (.double, true): .decimalPlaces(Int.random(in: 1...15, using: &generator))
            default: nil
            }
        return ClassDefinition.Property(
            name: name, type: type, display: display,
            targetName: base == .link ? names.randomElement(using: &generator) : nil,
            isIndexed: Bool.random(using: &generator),
            columnName: Bool.random(using: &generator) ? "c " + name : nil)
    }
}
