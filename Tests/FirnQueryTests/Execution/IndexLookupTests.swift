import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

/// Conditions, counts and sorts that indexes answer, each with the answer of a scan of the same data.
@Suite("Lookups in indexes")
struct IndexLookupTests {
    private static let count = 4_000
    private let indexed: Store
    private let plain: Store

    /// Two databases with the same objects; the second one has no index.
    init() throws {
        indexed = try Self.make(isIndexed: true)
        plain = try Self.make(isIndexed: false)
    }

    private static func make(isIndexed: Bool) throws -> Store {
        var options = StoreOptions()
        options.rowsPerGroup = 256
        options.checkpointsInBackground = false
        let creation = try Store.create(
            "/i.firn", services: SimulatedFileSystem().services(), options: options)
        let transaction = try creation.store.beginWrite()
        let item = try transaction.addClass(
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(
                        name: "name", type: PropertyType(.string, isOptional: true),
                        isIndexed: isIndexed),
                    .init(
                        name: "n", type: PropertyType(.int, isOptional: true),
                        isIndexed: isIndexed),
                    .init(
                        name: "tags", type: PropertyType(.string, container: .list),
                        isIndexed: isIndexed),
                    .init(name: "kind", type: PropertyType(.string)),
                    .init(
                        name: "few", type: PropertyType(.string, isOptional: true),
                        isIndexed: isIndexed),
                ],
                indexes: isIndexed
                    ? [.init(["name"], options: .caseInsensitive), .init(["kind", "n"])] : []))
        for number in 0..<count { try transaction.create(in: item.id, values(number)) }
        _ = try transaction.commit()
        try creation.publish()
        return creation.store
    }

    private static func values(_ number: Int) -> [Value] {
        let tags = (0..<number % 4).map { Value.string("t\(number * ($0 + 3) % 900)") }
        return [
            number % 50 == 0 ? .null : .string("Name \(number * 7 % 1_300)"),
            number % 40 == 0 ? .null : .int(Int64(number * 31 % 1_000) - 20), .list(tags),
            .string("k\(number % 200)"),
            number % 7 == 3 ? .null : .string("few \(number % 5)"),
        ]
    }

    /// Changes both databases in the same way; the second commit of a store is in its log.
    private func change(_ body: (WriteTransaction, ClassSchema) throws -> Void) throws {
        for store in [indexed, plain] {
            let transaction = try store.beginWrite()
            try body(transaction, try #require(transaction.schema.classNamed("Item")))
            _ = try transaction.commit()
        }
    }

    private func rows(_ text: String, of store: Store) throws -> [[Value]] {
        try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0)).rows(text)
    }

    private func plan(_ text: String) throws -> String {
        try rows(text + " | explain", of: indexed).map { "\($0[0])" }.joined(separator: "\n")
    }

    private func expectSame(_ text: String, uses use: String? = nil) throws {
        let found = try rows(text, of: indexed)
        #expect(try found == rows(text, of: plain), "\(text)")
        guard let use else { return }
        let plan = try plan(text)
        #expect(plan.contains(use), "\(text): \(plan)")
    }

    private static let texts: [(text: String, use: String?)] = [
        ("Item name == \"Name 7\"", "index Item.name: 1 range"),
        ("Item name ==[c] \"NAME 7\"", "index Item.name[c]"),
        ("Item name BEGINSWITH[c] \"name 129\"", "index Item.name[c]"),
        ("Item name BEGINSWITH \"Name 129\"", "index Item.name"),
        ("Item name BETWEEN {\"Name 1\", \"Name 1001\"}", "index Item.name"),
        ("Item n == nil && name == \"Name 7\"", "index Item.name"),
        ("Item n == 0", "index Item.n"), ("Item n > 975", "index Item.n"),
        ("Item n >= 5.0 && n < 7", "index Item.n"), ("Item n == 2.5", nil),
        ("Item kind == \"k7\" && n > 900", "index Item(kind, n)"),
        ("Item kind IN {\"k7\", \"k9\"} && n == 307", "index Item"),
        ("Item kind == \"k7\"", "index Item(kind, n)"),
        ("Item ANY tags == \"t12\"", "index Item.tags"),
        ("Item ANY tags IN {\"t12\", \"t16\"}", "index Item.tags"),
        ("Item NONE tags == \"t12\"", nil), ("Item ALL tags == \"t12\"", nil),
        ("Item NOT (ANY tags == \"t12\")", nil),
        ("Item name == \"Name 7\" || n == 3", "index Item.n"),
        ("Item (name == \"Name 7\" || n == 3) && kind == \"k43\"", nil),
        ("Item name == \"Name 7\" || kind CONTAINS \"99\"", nil),
        ("Item n > 100 && n <= 700 | count", "index Item.n"),
        ("Item kind == \"k3\" | count", "index Item(kind, n)"),
        ("Item ANY tags BEGINSWITH \"t1\" | count", nil),
        ("Item SORT(n) LIMIT(7)", "order of index Item.n"),
        ("Item SORT(n DESC) LIMIT(7)", "order of index Item.n"),
        ("Item SORT(name DESC) SKIP(900) LIMIT(9)", "order of index Item.name"),
        ("Item SORT(n) SKIP(3990) LIMIT(20)", "order of index Item.n"),
        ("Item SORT(n) SKIP(1999) LIMIT(20)", "order of index Item.n"),
        ("Item SORT(n DESC) SKIP(1999) LIMIT(20)", "order of index Item.n"),
        ("Item SORT(n DESC) SKIP(3990) LIMIT(20)", "order of index Item.n"),
        ("Item SORT(n DESC) SKIP(9000) LIMIT(20)", "order of index Item.n"),
        ("Item SORT(kind, n) SKIP(5) LIMIT(9)", "order of index Item(kind, n)"),
        ("Item SORT(kind, n DESC) LIMIT(9)", nil),
        ("Item n > 3 SORT(n) LIMIT(5)", "order of index Item.n"),
        ("Item n > 3 && n < 700 SORT(n DESC) SKIP(2) LIMIT(9)", "order of index Item.n"),
        ("Item n > 3 && n < 700 SORT(n) SKIP(2700) LIMIT(50)", "order of index Item.n"),
        ("Item n > 900 SORT(n DESC) SKIP(9000) LIMIT(5)", "order of index Item.n"),
        ("Item n == nil SORT(n) LIMIT(5)", "order of index Item.n"),
        ("Item n > 3 SORT(name) LIMIT(5)", nil),
        ("Item n > 3 && kind != \"k7\" SORT(n) LIMIT(5)", nil),
        ("Item kind == \"k3\" SORT(n DESC) SKIP(3) LIMIT(5)", "order of index Item(kind, n)"),
        ("Item kind == \"k3\" && n > 100 SORT(n) LIMIT(5)", "order of index Item(kind, n)"),
        ("Item kind == \"k3\" && n != nil SORT(n) LIMIT(5)", nil),
        ("Item kind == \"k3\" && n == 3 SORT(n) LIMIT(5)", nil),
        ("Item kind IN {\"k3\", \"k4\"} SORT(n) LIMIT(5)", nil),
        ("Item kind > \"k3\" SORT(n) LIMIT(5)", nil),
        ("Item kind > \"k3\" SORT(kind, n) LIMIT(5)", nil),
        ("Item name >= \"Name 5\" SORT(name DESC) SKIP(2) LIMIT(3)", "order of index Item.name"),
        ("Item name >= \"Name 5\" SORT(name DESC) SKIP(2) LIMIT(3) | n > 100", "order of index"),
        ("Item name == \"Name 7\" SORT(n DESC) LIMIT(2)", "index Item.name"),
        ("Item name BEGINSWITH \"Name 129\" && n > 960", "that are in index Item.n, too"),
        ("Item name BEGINSWITH \"Name 129\" && n > 960 | count", "that are in index Item.n, too"),
        ("Item name BEGINSWITH \"Name 129\" && n > 960 && kind != \"k9\" LIMIT(2)", nil),
        ("Item name BEGINSWITH \"Name 129\" && ANY tags BEGINSWITH \"t\"", nil),
        ("Item DISTINCT(few)", "value by value from index Item.few"),
        ("Item DISTINCT(few) | count", "value by value from index Item.few"),
        ("Item DISTINCT(few) SORT(few DESC) LIMIT(2)", "value by value from index Item.few"),
        ("Item DISTINCT(few) | n > 10 | select(few, n)", "value by value from index Item.few"),
        ("Item DISTINCT(n)", nil), ("Item n > 3 DISTINCT(few)", nil),
        ("Item | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item | project(@min.name, @max.name, @max.few)", "extremes of Item from indexes"),
        ("Item n > 3 && n < 60 | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item n < 60 | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item n == nil | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item kind == \"k3\" | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item kind == \"k3\" && n > 100 | project(@min.n)", "extremes of Item from indexes"),
        ("Item kind == \"none\" | project(@min.n, @max.n)", "extremes of Item from indexes"),
        ("Item kind == \"k3\" | project(@max.name)", nil), ("Item | project(@max.n, @avg.n)", nil),
        ("Item n > 970 | join(b = Item; n == b.n) | select(n, b.kind)", "by index Item.n"),
        (
            "Item n > 970 | join(b = Item; b.name == name) | b.n > 5 | SORT(b.n, n) | select(b.n, n)",
            nil
        ),
        ("Item n > 970 | join(b = ALL Item; b.kind == kind) | select(n, b.@count, b.@max.n)", nil),
        (
            "Item n > 970 | join(b = ALL Item; b.n == n, b.kind == kind) | select(n, c = b.@count)",
            "by index Item(kind, n)"
        ),
        ("Item n > 970 | join(b = ALL Item; b.few == few) | select(n, b.@count, b.@max.n)", nil),
        ("Item n > 970 | join(b = Item; b.few == few) | select(n, b.name)", "by index Item.few"),
        ("Item n == nil | join(b = ALL Item; b.n == n) | select(c = b.@count)", "by index Item.n"),
        ("Item n < 0 | join(b = Item; n * 1.0 == b.n) | select(n, b.name)", "hash join"),
        ("Item | join(b = Item; b.name == name) | group(b.kind; c = @count)", nil),
        ("Item n > 970 | join(b = Item; b.name == name) | group(b.kind; c = @count)", nil),
    ]

    @Test(
        "Every form has the same result as a scan, from pages, from the log, and after a checkpoint"
    )
    func forms() throws {
        for (text, use) in Self.texts { try expectSame(text, uses: use) }
        for round in 0..<3 {
            try change { transaction, item in
                for number in stride(from: round, to: Self.count, by: 37) {
                    let row = RowID(UInt64(number))
                    switch number % 3 {
                    case 0: try transaction.delete(row, in: item.id)
                    case 1:
                        let changed = Self.values(number * 3 + 1)
                        for (property, value) in zip(item.properties, changed) {
                            try transaction.set(property.id, of: row, in: item.id, to: value)
                        }
                    default:
                        try transaction.create(in: item.id, Self.values(number + 5))
                    }
                }
            }
            for (text, _) in Self.texts { try expectSame(text) }
            if round == 1 {
                try indexed.checkpoint()
                for (text, _) in Self.texts { try expectSame(text) }
            }
        }
    }

    /// The first object of a value is found without a plan, and its position without the others.
    private func expectSingles(of store: Store) throws {
        let found = try DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0))
        let scanned = try DatabaseSnapshot(plain.snapshot(), now: Timestamp(seconds: 0))
        let conditions = [
            "n == 307", "n == 0", "n == -20", "n == 5000", "n == nil", "n == 2.0",
            "name == 'Name 7'", "name == ''", "kind == 'k7'", "few == 'few 3'", "tags == 't12'",
            "name == 'Name 7' && n > 100",
        ]
        for condition in conditions {
            let text = "Item \(condition) LIMIT(1)"
            let expected = try scanned.rowIDs(scanned.bound(text))
            #expect(try found.rowIDs(found.bound(text)) == expected, "\(text)")
        }
        for sort in ["n", "n DESC", "name", "name DESC", "kind, n", "few DESC", "kind", "n, kind"] {
            let query = try found.bound("Item SORT(\(sort))")
            let rows = try scanned.rowIDs(scanned.bound("Item SORT(\(sort))"))
            let known = ["kind", "n, kind"].contains(sort) ? nil : 0
            for index in stride(from: 0, to: rows.count, by: 97) {
                let position = try found.position(of: rows[index], in: query)
                #expect(position == known.map { $0 + index }, "\(sort) \(index)")
            }
            #expect(try found.position(of: RowID(1 << 40), in: query) == nil)
        }
    }

    @Test("The first object of a value, and the position of an object, are the same as in a scan")
    func singles() throws {
        try expectSingles(of: indexed)
        try change { transaction, item in
            for number in stride(from: 0, to: Self.count, by: 41) {
                let row = RowID(UInt64(number))
                if number % 3 == 0 {
                    try transaction.delete(row, in: item.id)
                } else {
                    let changed = Self.values(number * 3 + 1)
                    try transaction.set(item.properties[1].id, of: row, in: item.id, to: changed[1])
                    try transaction.create(in: item.id, changed)
                }
            }
        }
        try expectSingles(of: indexed)
        try indexed.checkpoint()
        try expectSingles(of: indexed)
    }

    @Test("An index without case does not find a string that was changed")
    func stale() throws {
        try change { transaction, item in
            try transaction.set(
                item.properties[0].id, of: RowID(1), in: item.id, to: .string("NAME 77777"))
        }
        try expectSame("Item name ==[c] \"name 7\"", uses: "index Item.name[c]")
        try expectSame("Item name ==[c] \"name 77777\"", uses: "index Item.name[c]")
        let found = try rows("Item name ==[c] \"name 77777\" | count", of: indexed)
        #expect(found == [[.int(1)]])
    }

    @Test("A thousand values of IN become a thousand lookups or one scan")
    func manyValues() throws {
        for count in [10, 60, 1_000] {
            let list = (0..<count).map { "\($0 * 13 % 1_500)" }.joined(separator: ", ")
            try expectSame("Item n IN {\(list)}")
            try expectSame("Item n IN {\(list)} | count")
        }
    }

    @Test("Strings longer than a key are compared and sorted in full")
    func longTexts() throws {
        let text = String(repeating: "x", count: 600)
        try change { transaction, item in
            for ending in ["c", "a", "b", ""] {
                try transaction.create(
                    in: item.id, [.string(text + ending), .null, .list([]), .string("z"), .null])
            }
        }
        for ending in ["a", "", "d"] {
            try expectSame("Item name == \"\(text)\(ending)\"", uses: "index Item.name")
            try expectSame("Item name ==[c] \"\(text.uppercased())\(ending)\"")
            try expectSame("Item name >= \"\(text)\(ending)\"")
            try expectSame("Item name BEGINSWITH \"\(text)\(ending)\" | count")
            try expectSame(
                "Item kind == \"z\" | join(b = ALL Item; b.name == name) | select(name, b.@count)",
                uses: "by index Item.name")
        }
        try expectSame("Item SORT(name DESC) LIMIT(3)")
    }

    /// "a" found "a\0b", too, and so did a text of 512 bytes all that begin with it.
    @Test(
        "Strings with NUL, and strings at the key limit, are found, sorted and deleted separately")
    func boundaries() throws {
        let text = String(repeating: "x", count: 512)
        let values = ["a", "a\0", "a\0b", "a\u{1}", "ab", text, text + "tail", text + "\0"]
        try change { transaction, item in
            for (number, value) in values.enumerated() {
                try transaction.create(
                    in: item.id,
                    [
                        .string(value), .int(Int64(-number)), .list([.string(value)]),
                        .string(value), .null,
                    ])
            }
        }
        for value in values {
            let literal = "\"\(value)\""
            guard !value.contains("\0") else { continue }
            for test in ["==", "<", "<=", ">", ">=", "BEGINSWITH", "==[c]"] {
                try expectSame("Item name \(test) \(literal)")
                try expectSame("Item name \(test) \(literal) | count")
                try expectSame("Item kind \(test) \(literal) && n <= 0 | count")
            }
            try expectSame("Item ANY tags == \(literal) | count")
            try expectSame("Item name BETWEEN {\"0\", \(literal)} | count")
        }
        for sort in ["name", "name DESC", "kind, n"] {
            for skipped in [0, 1, 5] {
                try expectSame("Item SORT(\(sort)) SKIP(\(skipped)) LIMIT(9)")
            }
        }
        try expectSame("Item name > \"a\" && name < \"aa\"")
    }

    @Test("A plan says which index would help, and why a scan is faster")
    func reasons() throws {
        #expect(try plan("Item n > 3").contains("not by index Item.n: it has 3,"))
        try change { transaction, item in
            for number in 0..<9_000 { try transaction.create(in: item.id, Self.values(number)) }
        }
        let text = try rows("Item kind == \"k7\" | explain", of: plain).map { "\($0[0])" }
            .joined(separator: "\n")
        #expect(text.contains("firn alter FILE 'index Item.kind'"), "\(text)")
    }
}
