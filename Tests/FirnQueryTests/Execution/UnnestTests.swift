import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// The rows of `each`, compared with those of a loop over whole collections.
@Suite("A row for each element")
struct UnnestTests {
    private static let count = 700
    private let store: Store

    init() throws {
        var options = StoreOptions()
        options.rowsPerGroup = 128
        options.checkpointsInBackground = false
        let creation = try Store.create(
            "/e.firn", services: SimulatedFileSystem().services(), options: options)
        let transaction = try creation.store.beginWrite()
        let item = try transaction.addClass(
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(name: "n", type: PropertyType(.int)),
                    .init(name: "tags", type: PropertyType(.string, container: .list)),
                    .init(
                        name: "nums",
                        type: PropertyType(.int, isOptional: true, container: .list)),
                    .init(name: "marks", type: PropertyType(.int, container: .set)),
                    .init(name: "labels", type: PropertyType(.string, container: .map)),
                    .init(name: "any", type: PropertyType(.any, isOptional: true)),
                    .init(
                        name: "friends", type: PropertyType(.link, container: .list),
                        targetName: "Item"),
                ]))
        for number in 0..<Self.count {
            try transaction.create(in: item.id, Self.values(number, in: item))
        }
        _ = try transaction.commit()
        try creation.publish()
        store = creation.store
    }

    private static func values(_ number: Int, in item: ClassSchema) -> [Value] {
        func list(_ count: Int, _ make: (Int) -> Value) -> [Value] { (0..<count).map(make) }
        var labels: TextMap<Value> = [:]
        for label in 0..<number % 3 { labels["k\(number % 5 + label)"] = .string("v\(label)") }
        return [
            .int(Int64(number)), .list(list(number % 4) { .string("t\((number + $0) % 9)") }),
            .list(list(number % 5) { $0 == 2 ? .null : .int(Int64(number * $0)) }),
            .set(list(number % 3) { .int(Int64($0 * 10)) }.asSet),
            .map(labels),
            .list(list(number % 2) { .int(Int64($0)) }),
            .list(
                list(number % 3) {
                    .link(
                        ObjectReference(
                            classID: item.id, rowID: RowID(UInt64(number / (2 + $0)))))
                }),
        ]
    }

    private func rows(_ text: String) throws -> [[Value]] {
        try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0)).rows(text)
    }

    /// Returns the elements of a value, as the stage sees them.
    private func elements(_ value: Value) -> [Value] {
        switch value {
        case .list(let values), .set(let values): values
        default: []
        }
    }

    /// Expands the last columns of rows by a loop.
    private func expanded(_ rows: [[Value]], _ kept: Int, keepsEmpty: Bool) -> [[Value]] {
        var result: [[Value]] = []
        for row in rows {
            let lists = row[kept...].map { elements($0) }
            let count = max(lists.map(\.count).max() ?? 0, keepsEmpty ? 1 : 0)
            for index in 0..<count {
                result.append(
                    row[..<kept]
                        + lists.map { $0.indices.contains(index) ? $0[index] : .null })
            }
        }
        return result
    }

    private func check() throws {
        for columns in [
            ["tags"], ["nums"], ["marks"], ["tags", "nums"], ["nums", "marks", "tags"],
            ["friends.n"], ["friends.n", "tags"], ["labels.@keys", "labels.@values"], ["any[*]"],
        ] {
            for (condition, order) in [("", ""), ("n % 3 != 1 |", "SORT(n DESC) |")] {
                let named = columns.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", ")
                let whole = try rows(
                    "Item | \(condition) \(order) select(n, \(columns.joined(separator: ", ")))")
                for stage in ["each", "eachOrNil"] {
                    let text =
                        "Item | \(condition) \(order) \(stage)(\(named)) | select(n, "
                        + "\(columns.indices.map { "c\($0)" }.joined(separator: ", ")))"
                    let expected = expanded(whole, 1, keepsEmpty: stage == "eachOrNil")
                    let found = try rows(text)
                    #expect(found == expected, "\(text)")
                    #expect(!found.isEmpty)
                    let counted = text + " | count"
                    #expect(try rows(counted) == [[.int(Int64(expected.count))]], "\(counted)")
                }
            }
        }
    }

    @Test("Each element has a row, from pages, from the log, and after a checkpoint")
    func forms() throws {
        try check()
        let transaction = try store.beginWrite()
        let item = try #require(transaction.schema.classNamed("Item"))
        for number in stride(from: 0, to: Self.count, by: 11) {
            let row = RowID(UInt64(number))
            if number % 2 == 0 {
                try transaction.delete(row, in: item.id)
            } else {
                let changed = Self.values(number * 3 + 1, in: item)
                for property in item.properties[1...5] {
                    let index = try #require(item.index(of: property.id))
                    try transaction.set(property.id, of: row, in: item.id, to: changed[index])
                }
            }
        }
        _ = try transaction.commit()
        try check()
        try store.checkpoint()
        try check()
    }

    @Test("Later stages work on the elements")
    func stages() throws {
        let tags = expanded(try rows("Item | select(n, tags)"), 1, keepsEmpty: false)
        let groups = try rows(
            "Item | each(tags) | group(tags; c = @count, s = @sum.n) | SORT(tags)")
        let names = Set(tags.map { $0[1] }).sorted { $0.order(relativeTo: $1) == .less }
        #expect(groups.map { $0[0] } == names)
        for group in groups {
            let rows = tags.filter { $0[1] == group[0] }
            #expect(group[1] == .int(Int64(rows.count)))
        }
        let positions = try rows("Item n == 7 | each(tags, at = @index) | select(at, tags)")
        #expect(positions.map { $0[0] } == [.int(0), .int(1), .int(2)])
        #expect(
            try rows("Item | each(tags) | tags == 't3' AND n > 600 | SORT(n DESC) LIMIT(2)")
                .map { $0[0] }
                == tags.filter { $0[1] == .string("t3") }.suffix(2).reversed()
                .map { $0[0] })
        #expect(
            try rows("Item | each(nums) | project(@max.nums, @count)")[0][1]
                == .int(
                    Int64(expanded(try rows("Item | select(n, nums)"), 1, keepsEmpty: false).count))
        )
        #expect(try rows("Item | select(n, tags) | each(tags) | LIMIT(1)")[0].count == 2)
        #expect(try rows("Item | each(tags AS n) | LIMIT(1) | select(n)") == [[.string("t1")]])
    }

    @Test("Listed values of an object become elements, and replace their columns")
    func listed() throws {
        let columns = try rows("Item | select(n, h = n / 2, x = n * 1.5)")
        let expected = columns.flatMap { row in
            [[row[0], .string("h"), row[1].asDouble], [row[0], .string("x"), row[2]]]
        }
        for text in [
            "Item | select(n, h = n / 2, x = n * 1.5) | unpivot(h, x)",
            "Item | select(n, h = n / 2, x = n * 1.5) | unpivot(name, value; h, x)",
            "Item | unpivot(h = n / 2, x = n * 1.5) | select(n, name, value)",
            "Item | each({'h', 'x'} AS name, {n / 2, n * 1.5} AS value) | select(n, name, value)",
        ] { #expect(try rows(text) == expected, "\(text)") }
        let sums = try rows("Item | unpivot(a = n, b = n * 2) | group(name; @sum.value)")
        let sum = Int64((0..<Self.count).reduce(0, +))
        #expect(sums == [[.string("a"), .int(sum)], [.string("b"), .int(sum * 2)]])
        // A list beside a collection: the shorter one is followed by nil.
        let mixed = try rows("Item n == 3 | each(tags, {n, n + 1} AS v) | select(tags, v)")
        #expect(mixed.map { $0[1] } == [.int(3), .int(4), .null])
        #expect(
            try rows("Item n == 3 | select(n, q = nil) | each({nil, n} AS v)")
                == [[.null, .null], [.null, .int(3)]])
        #expect(try rows("Item | each({n, n, n} AS v) | count") == [[.int(Int64(3 * Self.count))]])
    }

    @Test(
        "The canonical text of a statement with each binds to the same stages",
        arguments: [
            "Item | each(tags)", "Item | eachOrNil(tags AS t, nums, at = @index) | t == 'x'",
            "Item n > 3 | each(friends.n AS f, labels.@keys) | SORT(f) LIMIT(3)",
            "Item | each(nums) | group(n; @sum.nums) | SORT(n)",
            "Item | each(nums + 1 AS m, n * 2 AS d) | select(*, x = m + d)",
            "Item | select(n, t = tags) | each(t) | count",
            "Item | each({n, n * 2} AS v, {'a', 'b'} AS k)", "Item | unpivot(k, v; n, m = n + 1)",
            "Item | select(n, m = n + 1, t = tags) | each(t AS u) | u > 't3' | select(u, m)",
        ])
    func canonical(text: String) throws {
        let snapshot = try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0))
        let bound = try snapshot.bound(text)
        let again = try snapshot.bound("\(bound)")
        #expect(again.stages == bound.stages, "\(bound)")
        #expect(try rows("\(bound)") == rows(text))
    }

    @Test(
        "Values without elements, and stages that cannot follow, are refused with a remedy",
        arguments: [
            ("Item | each(n)", "each needs a list, a set or a map", "such as each(tags)"),
            ("Item | each(*)", "each names the collections", "such as each(tags)"),
            ("Item | each(tags, nums AS tags)", "two columns have the name", "AS"),
            ("Item | group(n; @count) | each(n)", "each needs objects", "before the stage"),
            ("Item | each(tags) | each(nums)", "each needs objects", "each(a, b)"),
            ("Item | each(tags) | nope == 1", "no column \"nope\" in the rows of each", ""),
            ("Item | each(3)", "each needs values of the objects", ""),
            ("Item | each()", "expected", ""),
            ("Item | each({})", "a list of each has 1 to 1000 values", "each({jan, feb} AS sales)"),
            ("Item | each({n, 'x'} AS v)", "different types: Int and String", "text('x')"),
            // The type of nil is that of the others: two others after it were not compared, and the
            // vector of one type was given a value of the other.
            ("Item | each({nil, 'x', n} AS v)", "different types: String and Int", "text(n)"),
            ("Item | select(x = coalesce(nil, 'x', n))", "one type, not String and Int", ""),
            ("Item | select(x = min(nil, n, 'x'))", "one type, not Int and String", ""),
            ("Item | each({n, tags} AS v)", "a single value is needed here", ""),
            ("Item | unpivot(n, tags)", "a single value is needed here", ""),
            ("Item | unpivot(*)", "unpivot names the columns", "unpivot(jan, feb)"),
            ("Item | unpivot(k; n)", "expected \",\" between the two names", ""),
            ("Item | unpivot(k, v; )", "expected", ""),
        ])
    func refused(text: String, message: String, hint: String) throws {
        let snapshot = try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0))
        let failure = #expect(throws: QueryFailure.self) { _ = try snapshot.bound(text) }
        guard case .query(let error)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.message.contains(message), "\(error)")
        #expect(error.hint?.contains(hint) ?? hint.isEmpty, "\(error)")
    }
}

extension Value {
    fileprivate var asDouble: Value {
        if case .int(let number) = self { .double(Double(number)) } else { self }
    }
}
