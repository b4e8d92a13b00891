import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Joins")
struct JoinTests {
    /// Employees with the number of their boss.
    private func table() throws -> StoredTable {
        try StoredTable(
            ["id": .int, "boss?": .int, "name": .string, "city?": .string, "pay": .double],
            [
                (1, nil, "Ann", "Oslo", 9.0), (2, 1, "Bo", "oslo", 5), (3, 1, "Cy", nil, 4),
                (4, 2, "Di", "Rome", 3), (5, 7, "Ed", "Oslo", 2),
            ].map { id, boss, name, city, pay in
                [
                    .int(Int64(id)), boss.map { .int(Int64($0)) } ?? .null, .string(name),
                    city.map { .string($0) } ?? .null, .double(pay),
                ]
            }, rowsPerGroup: 2)
    }

    @Test(
        "A row is joined with the first object with equal values, or with none",
        arguments: [
            (
                "join(b = Item; boss == b.id) | select(id, n = b.name)",
                "[1, null] [2, Ann] [3, Ann] [4, Bo] [5, null]"
            ),
            ("join(b = Item; b.id == boss) | b.pay > 4 | select(id)", "[2] [3] [4]"),
            ("join(b = Item; boss == b.id) | b == nil | select(id)", "[1] [5]"),
            ("join(b = Item; boss == b.id) | group(b.name; @count)", "[null, 2] [Ann, 2] [Bo, 1]"),
            (
                "join(b = Item; boss == b.id) | SORT(b.name DESC, id) | select(id)",
                "[4] [2] [3] [1] [5]"
            ),
            (
                "join(c = Item; lower(city) == lower(c.city), id > c.id == false) | select(id)",
                "error"
            ),
            (
                "join(c = Item; lower(city) == lower(c.city)) | select(id, f = c.id)",
                "[1, 1] [2, 1] [3, null] [4, 4] [5, 1]"
            ),
            (
                "join(b = Item; boss == b.id) | join(c = Item; b.boss == c.id) | c != nil | select(c.name)",
                "[Ann]"
            ),
            (
                "join(b = Item; id * 1.0 == b.pay) | select(id, b.name)",
                "[1, null] [2, Ed] [3, Di] [4, Cy] [5, Bo]"
            ),
            (
                "group(boss; n = @count) | join(b = Item; boss == b.id) | select(b.name, n)",
                "[null, 1] [Ann, 2] [Bo, 1] [null, 1]"
            ),
        ])
    func one(stages: String, expected: String) throws {
        try check(stages, expected)
    }

    /// `group(b = b.name; ...) | select(b)` gave null for each row: the name of the join was still
    /// known after the group, whose rows have none of the values that lead to its objects.
    @Test(
        "A column of a group may have the name of a join, which is unknown after the group",
        arguments: [
            (
                "join(b = Item; boss == b.id) | group(b = b.name; n = @count) | select(b, n)",
                "[null, 2] [Ann, 2] [Bo, 1]"
            ),
            (
                "join(b = Item; boss == b.id) | group(b = b.name; n = @count) | b == 'Bo' | select(n)",
                "[1]"
            ),
            (
                "join(b = Item; boss == b.id) | group(n = b.name; c = @count) | SORT(b.pay)",
                "error"
            ),
            (
                "join(b = Item; boss == b.id) | select(b = b.name, r = @row) | select(b, r) | LIMIT(2)",
                "[null, 1] [Ann, 2]"
            ),
            (
                "join(b = Item; boss == b.id) | select(id, r = @row) | b.pay > 4",
                "error"
            ),
            (
                "join(b = Item; boss == b.id) | group(n = b.name; c = @count)"
                    + " | join(b = Item; n == b.name) | select(b.id, c)",
                "[null, 2] [1, 2] [2, 1]"
            ),
        ])
    func namesAfterGroups(stages: String, expected: String) throws {
        try check(stages, expected)
    }

    @Test(
        "ALL finds all objects with equal values as a collection",
        arguments: [
            (
                "join(s = ALL Item; id == s.boss) | select(id, s.@count)",
                "[1, 2] [2, 1] [3, 0] [4, 0] [5, 0]"
            ),
            ("join(s = ALL Item; id == s.boss) | s.@count == 0 | count", "[3]"),
            ("join(s = ALL Item; id == s.boss) | ANY s.pay > 4 | select(id)", "[1]"),
            (
                "join(s = ALL Item; id == s.boss) | select(id, s.@sum.pay) | LIMIT(2)",
                "[1, 9.0] [2, 3.0]"
            ),
            ("join(s = ALL Item; id == s.boss) | select(s.name) | LIMIT(1)", "[[\"Bo\", \"Cy\"]]"),
            (
                "join(s = ALL Item; id == s.boss) | SUBQUERY(s, $x, $x.pay < 5).@count > 0 | select(id)",
                "[1] [2]"
            ),
        ])
    func all(stages: String, expected: String) throws {
        try check(stages, expected)
    }

    private func check(_ stages: String, _ expected: String) throws {
        let table = try table()
        guard expected != "error" else {
            #expect(throws: QueryFailure.self) { _ = try table.rows("Item | \(stages)") }
            return
        }
        for statementByteCount in [StoreOptions().statementByteCount, 0] {
            let rows = try table.rows("Item | \(stages)", statementByteCount: statementByteCount)
            let text = rows.map { "[" + $0.map(\.description).joined(separator: ", ") + "]" }
            #expect(
                text.joined(separator: " ") == expected, "with \(statementByteCount) bytes")
        }
    }

    @Test(
        "A join consists of equalities between values of the row and of the objects",
        arguments: [
            ("join(b = Item; boss > b.id)", "a join consists of equalities"),
            (
                "join(b = Item; boss == id)",
                "one side of the equality is a value of b, and the other one is not"
            ),
            (
                "join(b = Item; b.boss == b.id)",
                "one side of the equality is a value of b, and the other one is not"
            ),
            (
                "join(b = Item; name == b.id)",
                "cannot compare String property \"name\" with Int property \"id\""
            ),
            ("join(b = Itme; boss == b.id)", "no class \"Itme\" in this database"),
            (
                "join(b = Item, boss == b.id)",
                "expected \";\" between the class and the equalities of a join, found \",\""
            ),
            ("join(b = Item; boss == b.salary)", "no property \"salary\" in class Item"),
        ])
    func errors(stage: String, message: String) throws {
        let table = try table()
        #expect {
            _ = try table.rows("Item | \(stage) | count")
        } throws: { error in
            guard case .query(let error)? = error as? QueryFailure else { return false }
            return error.message == message
        }
    }

    @Test("The plan shows a join that a path uses, and that it cannot be observed")
    func plan() throws {
        let plan = try table().plan("Item | join(b = Item; boss == b.id) | b.pay > 4")
        #expect(plan.contains("  hash join Item as b: boss == b.id"))
        #expect(plan.last == "observed: not possible: a join cannot be observed")
    }
}
