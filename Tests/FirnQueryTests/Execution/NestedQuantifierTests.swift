import FirnEngine
import FirnQuery
import FirnValues
import Testing

/// Two quantifiers were once swapped where they must not be.
///
/// `ANY {1, 2} == ALL ints` matched ints = [1, 2], because it was taken for `ALL ints IN {1, 2}`;
/// `ANY ints == NONE {1}` was taken for `NONE ints == ANY {1}`. The quantifier on the left is the
/// outer one.
@Suite("Two quantifiers in one comparison")
struct NestedQuantifierTests {
    private static func store() throws -> LinkedStore {
        func ints(_ values: Int64...) -> Value { .list(values.map { .int($0) }) }
        func names(_ values: String...) -> Value { .list(values.map { .string($0) }) }
        return try LinkedStore(
            [
                ClassDefinition(
                    name: "P",
                    properties: [
                        LinkedStore.property("ints", .int, .list),
                        LinkedStore.property("names", .string, .list),
                    ], keyName: nil)
            ],
            [
                "P": [
                    [ints(1, 2), names("Ann", "Bob")], [ints(1), names("Cyd")],
                    [ints(), names()], [ints(1, 5), names("ann", "Cyd")],
                ]
            ])
    }

    @Test(
        "The right quantifier is nested in the left one",
        arguments: [
            ("ANY {1, 2} == ALL ints", [1, 2]), ("ALL ints == ANY {1, 2}", [0, 1, 2]),
            ("{1, 2} == ALL ints", [1, 2]), ("ALL {1, 2} == ANY ints", [0]),
            ("ANY ints == ALL {1, 2}", []), ("ANY ints == ALL {1}", [0, 1, 3]),
            ("ANY ints == NONE {1}", [0, 3]), ("NONE ints == ANY {2, 5}", [1, 2]),
            ("NONE ints == ALL {1}", [2]), ("ALL ints < ANY {1, 3}", [0, 1, 2]),
            ("ANY ints > ALL {1, 3}", [3]), ("ALL ints != ANY {1, 2}", [0, 1, 2, 3]),
            ("ANY ints != ALL {1}", [0, 3]), ("NONE ints != NONE {1, 2}", [0, 1, 2, 3]),
            ("NONE {1, 9} == ANY ints", [2]), ("ALL names CONTAINS[c] NONE {\"a\"}", [1, 2]),
            ("ANY names CONTAINS[c] ALL {\"a\", \"n\"}", [0, 3]),
            ("ANY names CONTAINS NONE {\"n\"}", [0, 1, 3]),
            ("ALL names BEGINSWITH ANY {\"A\", \"B\"}", [0, 2]),
            ("ALL names IN[c] {\"ann\", \"bob\"}", [0, 2]),
            ("ALL names ==[c] ANY {\"ANN\", \"cyd\"}", [1, 2, 3]),
            ("ALL ints == ANY {}", [2]), ("ANY ints == ALL {}", [0, 1, 3]),
        ] as [(String, [UInt64])])
    func nesting(condition: String, expected: [UInt64]) throws {
        #expect(try Self.store().ids("P \(condition)") == expected)
    }
}
