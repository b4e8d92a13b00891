import FirnEngine
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues
import Testing

/// Numbers in query text were once parsed as Doubles, whatever they were compared with.
///
/// `price == 3.141592653589793238` found nothing, and `set price = 2.718281828459045235` stored
/// 2.718281828459045 in a Decimal128. A literal keeps its digits until its target type is known.
@Suite("Exact numbers in query text")
struct ExactNumberTests {
    private static let long = "3.141592653589793238"

    private static func store() throws -> LinkedStore {
        func decimal(_ text: String) -> Value { .decimal128(Decimal128(text) ?? .nan) }
        return try LinkedStore(
            [
                ClassDefinition(
                    name: "P",
                    properties: [
                        LinkedStore.property("d", .decimal128), LinkedStore.property("x", .double),
                        LinkedStore.property("n", .int), LinkedStore.property("any", .any),
                        LinkedStore.property("ds", .decimal128, .list),
                    ], keyName: nil)
            ],
            [
                "P": [
                    [
                        decimal(long), .double(3.141592653589793), .int(3), decimal(long),
                        .list([decimal(long), decimal("0.1")]),
                    ],
                    [
                        decimal("3.141592653589793"), .double(0.1), .int(.max), .double(0.1),
                        .list([]),
                    ],
                    [
                        decimal("12345678901234567891"), .double(12_345_678_901_234_567_168),
                        .int(-1),
                        decimal("0.1"), .list([decimal("12345678901234567890")]),
                    ],
                ]
            ])
    }

    @Test(
        "Numbers keep their digits in comparisons, lists, ranges and arithmetic",
        arguments: [
            ("d == \(long)", [0]), ("d != \(long)", [1, 2]), ("d < \(long)", [1]),
            ("\(long) == d", [0]), ("d IN {\(long), 2}", [0]), ("d BETWEEN {\(long), 4}", [0]),
            ("d + 0.000000000000000001 == 3.141592653589793239", [0]),
            ("d == 3.141592653589793 + 0.000000000000000238", [0]),
            ("d * 2 == 6.283185307179586476", [0]), ("d == -(-\(long))", [0]),
            ("coalesce(d, 0.12345678901234567890123) == \(long)", [0]),
            ("ANY ds == \(long)", [0]), ("ALL ds IN {\(long), 0.1}", [0, 1]),
            ("ds == {\(long), 0.1}", [0]), ("d == 12345678901234567891", [2]),
            ("ANY ds == 12345678901234567890", [2]), ("d < 1e400", [0, 1, 2]),
            // A Double is compared with the nearest Double, as before.
            ("x == \(long)", [0]), ("x == 12345678901234567890", [2]), ("n > 2.5", [0, 1]),
            // An Int is compared with numbers beyond its range, which was refused.
            ("n == 9223372036854775808", []), ("n != 9223372036854775808", [0, 1, 2]),
            ("n < 9223372036854775808", [0, 1, 2]), ("n >= 9223372036854775808", []),
            ("n < -9223372036854775809", []), ("n > -99999999999999999999", [0, 1, 2]),
            ("n IN {3, 99999999999999999999}", [0]), ("n < 1e400", [0, 1, 2]),
            ("n BETWEEN {0, 99999999999999999999}", [0, 1]),
            ("n + 0 < 99999999999999999999", [0, 1, 2]),
            // Each value of an Any decides how many digits matter.
            ("any == \(long)", [0]), ("any == 0.1", [1, 2]), ("any > 0.1", [0]),
            ("any >= 0.1", [0, 1, 2]), ("any <= 0.1", [1, 2]), ("any < 0.1", []),
            ("any != 0.1", [0]), ("any BETWEEN {0.1, 0.1}", [1, 2]),
        ] as [(String, [UInt64])])
    func comparisons(condition: String, expected: [UInt64]) throws {
        #expect(try Self.store().ids("P \(condition)") == expected)
    }

    @Test(
        "Arguments of a command keep digits that a Double would lose",
        arguments: [
            (Value.decimal128(Decimal128(long) ?? .nan), "d", [0]),
            (.decimal128(Decimal128(long) ?? .nan), "x", [0]), (.double(0.1), "any", [1, 2]),
        ] as [(Value, String, [UInt64])])
    func arguments(value: Value, property: String, expected: [UInt64]) throws {
        let store = try Self.store()
        let snapshot = DatabaseSnapshot(try store.store.snapshot(), now: Timestamp(seconds: 0))
        let query = try BoundQuery(
            "P \(property) == $v", entry: .pipeline,
            in: BindingContext(
                schema: snapshot.schema, arguments: ["v": value], now: Timestamp(seconds: 0)))
        #expect(try snapshot.rowIDs(query).map(\.rawValue) == expected)
    }

    @Test(
        "A number that no type can hold is an error with its position",
        arguments: [
            ("x == 1e400", 7..<12, "is too large for a Double"),
            (
                "d == 0.12345678901234567890123456789012345", 7..<44,
                "has more digits or a larger exponent than a Decimal128"
            ),
        ])
    func errors(condition: String, range: Range<Int>, message: String) throws {
        let store = try Self.store()
        do {
            _ = try store.ids("P \(condition)")
            Issue.record("\(condition) was understood")
        } catch let error as QueryError {
            #expect(error.message.contains(message), "\(error.message)")
            #expect(error.range == range)
        }
    }
}
