import FirnEngine
import FirnTesting
import FirnValues

/// The objects of the database with every type of property.
///
/// They are fixed forever: a file made by an earlier build has exactly these objects.
enum GoldenContent {
    /// Three values of each scalar type, including extremes, in ascending order.
    static let samples: [(name: String, values: [Value])] = [
        ("Bool", [.bool(false), .bool(true), .bool(true)]),
        ("Int", [.int(.min), .int(-1), .int(.max)]),
        ("Int8", [.int(-128), .int(0), .int(127)]),
        ("Int16", [.int(-32_768), .int(12), .int(32_767)]),
        ("Int32", [.int(-2_147_483_648), .int(3), .int(2_147_483_647)]),
        ("Float", [.float(-0.5), .float(0.1), .float(.greatestFiniteMagnitude)]),
        ("Double", [.double(-.infinity), .double(2.718281828459045), .double(1e300)]),
        ("String", [.string(""), .string("e\u{301}\u{0}"), .string("\u{10FFFF}")]),
        ("Data", [.data([]), .data([0, 255]), .data(Array(0...99))]),
        (
            "Date",
            [
                .date(Timestamp(seconds: -62_135_596_800, nanoseconds: 0)),
                .date(Timestamp(seconds: 0, nanoseconds: 1)),
                .date(Timestamp(seconds: 4_102_444_800, nanoseconds: 999_999_999)),
            ]
        ),
        (
            "Decimal128",
            ["-1E+6144", "2.718281828459045235360287471352662", "Infinity"].map { text in
                .decimal128(Decimal128(text) ?? .nan)
            }
        ),
        (
            "ObjectId",
            [
                .objectID(ObjectID(high: 0, low: 0)),
                .objectID(ObjectID(high: 0x0123_4567_89AB_CDEF, low: 1)),
                .objectID(ObjectID(high: .max, low: .max)),
            ]
        ),
        (
            "UUID",
            [
                .uuid(UUID(high: 0, low: 0)), .uuid(UUID(high: 1, low: 2)),
                .uuid(UUID(high: .max, low: .max)),
            ]
        ),
    ]

    /// The values of a property in the three objects: full, minimal, and mixed.
    typealias Column = (definition: ClassDefinition.Property, values: [Value])

    static func scalarColumns() -> [Column] {
        samples.flatMap { name, values -> [Column] in
            let set = Set(values)
            let unique = values.enumerated().filter { values.firstIndex(of: $1) == $0 }.map(\.1)
            precondition(set.count == unique.count)
            let map = TextMap(
                uniqueKeysWithValues: values.enumerated().map { ("k\($0)", $1) })
            let one = values[1]
            return [
                column(name, [values[2], values[0], one]),
                column("\(name)?", [values[2], .null, one]),
                column("List<\(name)>", [.list(values), .list([]), .list([one, one])]),
                column("List<\(name)?>", [.list(values), .list([.null]), .list([one, .null])]),
                column("Set<\(name)>", [.set(unique), .set([]), .set([one])]),
                column("Set<\(name)?>", [.set([.null] + unique), .set([.null]), .set([one])]),
                column("Map<\(name)>", [.map(map), .map([:]), .map(["": one])]),
                column("Map<\(name)?>", [.map(map), .map(["n": .null]), .map(["\u{E9}": one])]),
            ]
        }
    }

    static func anyColumns(_ person: ClassID) -> [Column] {
        let all = samples.map { $0.values[1] }
        let link = Value.link(ObjectReference(classID: person, rowID: RowID(1)))
        let nested = Value.map(["list": .list([.null, link, .map(["deep": .int(1)])])])
        return [
            column("Any", [nested, .null, link]),
            column("List<Any>", [.list(all + [nested]), .list([]), .list([.null, link])]),
            column("Set<Any>", [.set([.null, .int(7), link]), .set([]), .set([.null])]),
            column("Map<Any>", [.map(["a": nested, "b": link]), .map([:]), .map(["n": .null])]),
        ]
    }

    /// - Parameters:
    ///   - name: the name of the target class.
    ///   - target: the identity of the target class.
    ///   - rows: the targets that the single link, the list and the map of the three objects hold.
    static func linkColumns(
        _ name: String, _ target: ClassID, _ rows: [(UInt64?, [UInt64], [UInt64])],
        hasSet: Bool
    ) -> [Column] {
        func link(_ row: UInt64) -> Value {
            .link(ObjectReference(classID: target, rowID: RowID(row)))
        }
        func column(
            _ what: String, _ container: PropertyType.Container, _ values: [Value]
        ) -> Column {
            (
                .init(
                    name: "\(what)\(name)",
                    type: PropertyType(
                        .link, isOptional: container == .single || container == .map,
                        container: container), targetName: name), values
            )
        }
        var columns = [
            column("one", .single, rows.map { $0.0.map(link) ?? .null }),
            column("list", .list, rows.map { .list($0.1.map(link)) }),
            column(
                "map", .map,
                rows.map { row in
                    .map(TextMap(uniqueKeysWithValues: row.2.map { ("k\($0)", link($0)) }))
                }),
        ]
        if hasSet { columns.append(column("set", .set, rows.map { .set($0.1.map(link)) })) }
        return columns
    }

    private static func column(_ type: String, _ values: [Value]) -> Column {
        guard let made = PropertyType(named: type) else { preconditionFailure(type) }
        let name = type.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return (.init(name: "p\(String(name))", type: made), values)
    }

    // MARK: The database

    /// Two people, and nine parts that are in the three objects with all types.
    static let personRows: [[Value]] = [[.string("Ada")], [.string("Bo")]]
    static let partRows: [[Value]] = (0..<9).map { [.int(Int64($0 * $0))] }

    private static let personLinks: [(UInt64?, [UInt64], [UInt64])] = [
        (1, [0, 1], [0, 1]), (nil, [], []), (0, [1], [1]),
    ]
    private static let partLinks: [(UInt64?, [UInt64], [UInt64])] = [
        (0, [1, 2], [3, 4]), (nil, [], []), (5, [6], [7, 8]),
    ]

    static func columns(person: ClassID, part: ClassID) -> [Column] {
        scalarColumns() + anyColumns(person)
            + linkColumns("Person", person, personLinks, hasSet: true)
            + linkColumns("Part", part, partLinks, hasSet: false)
    }

    /// An index of three properties of different types.
    static func compoundIndex(of columns: [Column]) -> ClassDefinition.Index {
        let names = columns.map(\.definition)
            .filter { $0.type.container == .single && $0.type.base != .any }.map(\.name)
        return ClassDefinition.Index([names[2], names[names.count / 2], names[names.count - 1]])
    }

    /// Keys out of order, so that there is an index, and a list that is too long for its row.
    static func manyRow(_ number: Int) -> [Value] {
        let count = number == 3 ? 1500 : number % 4
        return [
            .string("key-\(number * 7919 % 1000)"),
            .list((0..<count).map { .int(Int64($0 * number)) }),
        ]
    }

    static let manyCount = 60
    /// The objects that were deleted again.
    static let manyDeleted: Set<Int> = [0, 5, 17, 18, 59]
}
