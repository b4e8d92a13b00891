import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

/// The forms of conditions of the Realm query language that go beyond a property and a constant.
///
/// Of the queries of its reference implementation, a fifth was once rejected: collections on both
/// sides, quantifiers on the right, arithmetic on collections, and everything over an Any.
@Suite("Forms of the Realm query language")
struct ReferenceFormsTests {
    /// Four objects.
    ///
    ///     i     s     d       ints   more   strs      datas   any            anys          map
    ///     1     Ann   Ann     1 2    1 2    Ann Bob   Abc     link to Rex    1 2.5 "xyz"   k: [1 2], n: 3
    ///     2     bob   BOB     2      1 2              x YZ    [[4 5 6]       [1 2] [3]
    ///                                                         {a:7 b:8 c:[9]}]
    ///     5     Cyd   FF 00                 cyd               "Hello" bytes  "a" "bcd" nil k: 5
    ///     nil   nil   nil     5 7    7 5    Ann               nil                          z: {y: 1}
    ///
    ///     dog    dogs
    ///     Rex    Rex Fido
    ///
    ///     Fido   Bo
    ///     Bo     Fido Bo
    static let store = Result { try makeStore() }

    private static func makeStore() throws -> LinkedStore {
        func ints(_ values: Int64...) -> Value { .list(values.map { .int($0) }) }
        func texts(_ values: String...) -> Value { .list(values.map { .string($0) }) }
        func bytes(_ text: String) -> Value { .data(Array(text.utf8)) }
        func dog(_ row: UInt64) -> Value { LinkedStore.link(1, row) }
        let property = LinkedStore.property
        return try LinkedStore(
            [
                ClassDefinition(
                    name: "Dog",
                    properties: [
                        .init(
                            name: "id", type: PropertyType(.int), targetName: nil),
                        property("name", .string, .single, nil),
                        property("age", .int, .single, nil),
                        property("ints", .int, .list, nil),
                    ], keyName: "id"),
                ClassDefinition(
                    name: "P",
                    properties: [
                        property("i", .int, .single, nil), property("s", .string, .single, nil),
                        property("d", .data, .single, nil), property("ints", .int, .list, nil),
                        property("more", .int, .list, nil), property("strs", .string, .list, nil),
                        property("datas", .data, .list, nil), property("any", .any, .single, nil),
                        property("anys", .any, .list, nil), property("map", .any, .map, nil),
                        property("dog", .link, .single, "Dog"),
                        property("dogs", .link, .list, "Dog"),
                    ], keyName: nil),
            ],
            [
                "Dog": [
                    [.int(1), .string("Rex"), .int(3), ints(1, 2)],
                    [.int(2), .string("Fido"), .int(9), ints(4, 5, 6)],
                    [.int(3), .string("Bo"), .int(5), ints()],
                ],
                "P": [
                    [
                        .int(1), .string("Ann"), bytes("Ann"), ints(1, 2), ints(1, 2),
                        texts("Ann", "Bob"), .list([bytes("Abc")]), dog(0),
                        .list([.int(1), .double(2.5), .string("xyz")]),
                        .map(["k": ints(1, 2), "n": .int(3)]), dog(0), .list([dog(0), dog(1)]),
                    ],
                    [
                        .int(2), .string("bob"), bytes("BOB"), ints(2), ints(1, 2), texts(),
                        .list([bytes("x"), bytes("YZ")]),
                        .list([
                            ints(4, 5, 6),
                            .map(["a": .int(7), "b": .int(8), "c": ints(9)]),
                        ]),
                        .list([ints(1, 2), ints(3)]), .map([:]), .null, .list([]),
                    ],
                    [
                        .int(5), .string("Cyd"), .data([0xFF, 0]), ints(), ints(), texts("cyd"),
                        .list([]), bytes("Hello"), .list([.string("a"), bytes("bcd"), .null]),
                        .map(["k": .int(5)]), dog(1), .list([dog(2)]),
                    ],
                    [
                        .null, .null, .null, ints(5, 7), ints(7, 5), texts("Ann"), .list([]), .null,
                        .list([]), .map(["z": .map(["y": .int(1)])]), dog(2),
                        .list([dog(1), dog(2)]),
                    ],
                ],
            ])
    }

    static let forms: [(String, [UInt64])] = [
        // A single value beside a list.
        ("i == {1, 5}", [0, 2]), ("{1, 5} == i", [0, 2]), ("i > {1, 4}", [1, 2]),
        ("i != {1, 2}", [0, 1, 2, 3]), ("i != ALL {1, 2}", [2, 3]), ("s ==[c] {\"ANN\"}", [0]),
        ("dogs.age == {3, 9}", [0]), ("dogs.age == {9, 3}", []), ("s == {}", []),
        // Whole collections.
        ("ints == {1, 2}", [0]), ("ints == {2, 1}", []), ("ints[*] == {1, 2}", [0]),
        ("ints != {1, 2}", [1, 2, 3]), ("dog.ints == {1, 2}", [0]),
        ("dogs.ints == {4, 5, 6}", [0, 3]), ("dogs.ints == {}", [2, 3]),
        ("dogs.ints != {4, 5, 6}", [1, 2]), ("any[*][*] == {4, 5, 6}", [1]),
        ("any[0] == {4, 5, 6}", [1]), ("any[0][*] == {4, 5, 6}", [1]),
        ("anys[*][*] == {3}", [1]), ("map[\"k\"][*] == {1, 2}", [0]),
        ("map.@keys == {\"k\", \"n\"}", [0]), ("map[*] == {5}", [2]),
        ("ints == more", [0, 2]), ("ints != more", [1, 3]), ("dogs.ints == ints", [0, 2]),
        // Collections of elements.
        ("ints > {1, 4}", [0, 1, 3]), ("ANY ints == ANY more", [0, 1, 3]),
        ("ALL ints == ANY more", [0, 1, 2, 3]), ("ANY ints == ALL more", []),
        ("ALL ints == ALL more", [2]), ("NONE ints == ANY more", [2]),
        ("ALL ints <= ALL more", [2]), ("ints < more", [0, 3]), ("dogs.age > ints", [0, 3]),
        ("dogs.age IN ints", [3]), ("ints IN more", [0, 1, 3]), ("ALL ints IN more", [0, 1, 2, 3]),
        ("i IN ALL ints", [1, 2]), ("i IN NONE ints", [2, 3]), ("i IN ANY ints", [0, 1]),
        ("i IN ALL {1}", [0]), ("ALL ints IN NONE {1}", [1, 2, 3]),
        ("strs ==[c] dog.name", []), ("ANY strs CONTAINS s", [0]),
        ("s CONTAINS strs", [0]), ("s BEGINSWITH[c] ANY strs", [0, 2]),
        ("\"Annie\" BEGINSWITH strs", [0, 3]), ("ANY {\"Annie\"} BEGINSWITH s", [0]),
        ("ALL strs LIKE \"*n*\"", [1, 3]), ("strs CONTAINS[c] ALL {\"a\", \"n\"}", [0, 3]),
        // Arithmetic.
        ("ints + 1 == 3", [0, 1]), ("ALL ints * 2 > 3", [1, 2, 3]), ("ints - i == 1", [0]),
        ("NONE ints % 2 == 1", [1, 2]), ("ALL (ints * 2) > 3", [1, 2, 3]), ("(-ints) < -6", [3]),
        ("dogs.age - 1 IN {8, 4}", [0, 2, 3]),
        ("ints + 1 BETWEEN {6, 7}", [3]), ("ANY more > ints + 1", [3]),
        ("ANY ints / 2 == ANY {1}", [0, 1]), ("dogs.age + 1 == 4", [0]),
        // Aggregates.
        ("anys.@sum == 3.5", [0]), ("anys.@avg == 1.75", [0]), ("any.@sum == 15", []),
        ("any[0].@sum == 15", [1]), ("any[0].@avg == 5", [1]), ("any[0].@max == 6", [1]),
        ("any[*][*].@sum == 24", []), ("any[*][*].@sum == 15", [1]),
        ("any[*][*].@count == 3", [1]), ("ALL any[*][*].@sum >= 15", [0, 1, 2, 3]),
        ("ALL any[*][*] < 7", [0, 1, 2, 3]), ("NONE any[*][*] < 7", [0, 1, 2, 3]),
        ("ALL anys[*][*] == 3", [0, 1, 2, 3]),
        ("ALL anys[*][*] > 3", [0, 2, 3]), ("ALL anys[*][*] IN {3, 4}", [0, 1, 2, 3]),
        ("NOT ALL any[*][*] == 4.0", [1]), ("ANY {4, 9} == ALL any[*][*]", [0, 2, 3]),
        ("map.@sum == 3", [0]), ("map[\"k\"].@sum == 3", [0]),
        ("dogs.ints.@sum == 18", [0]), ("dog.@count == 0", [1]), ("dog.@count == 1", [0, 2, 3]),
        ("dog.@size == 1", [0, 2, 3]), ("dogs.@count(age > 4) == 1", [0, 2]),
        ("dogs.@sum(age WHERE name != \"Bo\") == 9", [3]), ("dogs.@avg(age * 2) == 12", [0]),
        ("dogs.@max(age WHERE id == 9) == nil", [0, 1, 2, 3]),
        ("i > @avg(i)", [2]), ("i == @max(i) OR s == \"Ann\"", [0, 2]),
        ("@count == 4 AND i == 1", [0]),
        ("NOT i < @median(i)", [1, 2, 3]),
        // Data.
        ("d CONTAINS \"n\"", [0]), ("d BEGINSWITH bin(\"A\")", [0]), ("d ==[c] bin(\"bob\")", [1]),
        ("d ==[c] \"ANN\"", [0]), ("d LIKE \"?nn\"", [0]), ("d LIKE[c] \"b*\"", [1]),
        ("d ENDSWITH B64\"AA==\"", [2]), ("d IN[c] {\"ann\", \"bob\"}", [0, 1]),
        ("d CONTAINS[c] ANY {\"o\", \"a\"}", [0, 1]), ("d LIKE nil", [3]),
        ("datas CONTAINS[c] \"BC\"", [0]), ("ALL datas LIKE[c] \"?z\"", [2, 3]),
        ("datas ==[c] \"yz\"", [1]), ("datas == bin(\"x\")", [1]),
        ("any BEGINSWITH bin(\"He\")", [2]), ("any ==[c] bin(\"hello\")", [2]),
        ("any CONTAINS[c] bin(\"LL\")", [2]), ("any LIKE bin(\"H*o\")", [2]),
        ("anys CONTAINS bin(\"bc\")", [2]), ("anys IN[c] {\"A\", bin(\"BCD\")}", [2]),
        // Values inside an Any.
        ("any.name == \"Rex\"", [0]), ("any.length == 5", [2]), ("anys.length == 3", [0, 2]),
        ("ANY anys[*].length > 2", [0, 2]), ("map.@keys.length == 1", [0, 2, 3]),
        ("any == obj(\"Dog\", 1)", [0]), ("any != obj(\"Dog\", 1)", [1, 2, 3]),
        ("any == obj(\"Dog\", 9)", []), ("any IN {obj(\"Dog\", 1), bin(\"Hello\")}", [0, 2]),
        ("any IN {obj(\"Dog\", 2), obj(\"Dog\", 1)}", [0]),
        ("SUBQUERY(dogs, $a-dog, $a-dog.age > 4).@count == 1", [0, 2]),
        // Regular expressions.
        ("s MATCHES \"[A-C].+\"", [0, 2]), ("s MATCHES[c] \"b.b|ANN\"", [0, 1]),
        ("strs MATCHES \"A.*\"", [0, 3]), ("s MATCHES ANY {\"A.*\", \"b.*\"}", [0, 1]),
        ("anys MATCHES \"x\\\\w+\"", [0]), ("NOT s MATCHES \"A.*\"", [1, 2, 3]),
        ("s MATCHES nil", []),
    ]

    @Test("A form has the same result as the reference", arguments: forms)
    func found(condition: String, expected: [UInt64]) throws {
        #expect(try Self.store.get().ids("P \(condition)") == expected)
    }

    @Test(
        "A meaningless form is refused with a reason",
        arguments: [
            ("ints + more > 1", "two collections cannot be computed with each other"),
            ("map == {1}", "a map has no order to be compared in"),
            (
                "ints ==[c] {1}", "[c] and [d] need ANY or ALL before the collection"
            ),
            (
                "ints == strs",
                "cannot compare Int values of \"ints\" with String values of \"strs\""
            ),
            (
                "s MATCHES strs",
                "MATCHES needs a constant pattern, not List<String> property \"strs\""
            ),
            ("s MATCHES \"a(b\"", "this ( has no closing ) in the pattern"),
            ("d MATCHES \"a\"", "MATCHES is for strings, not for Data property \"d\""),
            ("any > obj(\"Dog\", 1)", "objects can only be compared with == and !="),
            ("dog.@sum > 1", "@sum needs a collection, not Dog property \"dog\""),
        ])
    func refused(condition: String, message: String) throws {
        let error = #expect(throws: QueryError.self, "\(condition)") {
            _ = try Self.store.get().ids("P \(condition)")
        }
        #expect(error?.message == message)
    }
}
