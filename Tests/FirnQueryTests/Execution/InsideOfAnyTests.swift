import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

/// Paths into an Any that once ended in nothing, without an error.
///
/// A path over a link inside an Any was followed as if the link were a value; `map["k"] == {0,
/// 100}` only looked for the list itself; `map["@keys"]` looked for a key of that name; `[c]` was
/// ignored for bytes; a map of links with a nil value was reported never to hold nil.
@Suite("Values inside an Any, and of maps")
struct InsideOfAnyTests {
    private static func store() throws -> LinkedStore {
        try LinkedStore(
            [
                ClassDefinition(
                    name: "Dog",
                    properties: [
                        LinkedStore.property("name", .string), LinkedStore.property("age", .int),
                        LinkedStore.property("extra", .any),
                    ], keyName: nil),
                ClassDefinition(
                    name: "P",
                    properties: [
                        LinkedStore.property("any", .any),
                        LinkedStore.property("map", .any, .map),
                        LinkedStore.property("dogs", .link, .map, target: "Dog"),
                    ], keyName: nil),
            ],
            [
                "Dog": [
                    [.string("Rex"), .int(3), .null],
                    [.string("Fido"), .int(9), LinkedStore.link(1, 0)],
                ],
                "P": [
                    [
                        LinkedStore.link(1, 0), .map(["k": .int(0)]),
                        .map(["a": LinkedStore.link(1, 0)]),
                    ],
                    [
                        .list([LinkedStore.link(1, 1), .int(1)]),
                        .map(["k": .list([.int(0), .int(100)])]), .map(["b": .null]),
                    ],
                    [.map(["dog": LinkedStore.link(1, 1)]), .map([:]), .map([:])],
                    [.data([65]), .map(["age": .int(9)]), .map([:])],
                ],
            ])
    }

    @Test(
        "Values inside an Any and inside maps are found",
        arguments: [
            ("any.name == \"Rex\"", [0]), ("any[0].age == 9", [1]),
            ("ANY any[*].age == 9", [1, 2]),
            ("any.dog.name BEGINSWITH \"F\"", [2]), ("any.dog.extra.age == 3", [2]),
            ("any[\"name\"] == \"Rex\"", [0]), ("any.missing == nil", [0, 1, 2, 3]),
            ("map[\"k\"] == {0, 100}", [0, 1]), ("map[\"k\"] == {0, 7}", [0]),
            ("map[\"k\"] != {0, 7}", [1, 2, 3]), ("map[\"@keys\"] == \"k\"", [0, 1]),
            ("map[\"@values\"] == 9", [3]), ("any[\"@keys\"] == \"dog\"", [2]),
            ("ANY dogs == nil", [1]), ("ALL dogs != nil", [0, 2, 3]),
            ("dogs.name == \"Rex\"", [0]),
        ] as [(String, [UInt64])])
    func found(condition: String, expected: [UInt64]) throws {
        #expect(try Self.store().ids("P \(condition)") == expected)
    }

    @Test(
        "A meaningless comparison is refused with a reason",
        arguments: [
            ("any <[c] \"a\"", "< has no [c] or [d]"), ("any IN 5", "IN needs a list on its right"),
            ("map == {1}", "a map has no order to be compared in"),
        ])
    func refused(condition: String, message: String) throws {
        let store = try Self.store()
        #expect(throws: QueryError.self, "\(condition)") {
            do { _ = try store.ids("P \(condition)") } catch let error as QueryError {
                #expect(error.message == message)
                throw error
            }
        }
    }
}
