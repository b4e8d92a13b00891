import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues
import Testing

@Suite("Bound columns, orders and groups")
struct BindColumnsTests {
    @Test(
        "Projections reach everything that objects lead to",
        arguments: [
            ("project(number, plane.seats)", "project(number, plane.seats)"),
            ("project(s = plane.seats, plane)", "project(plane.seats AS s, plane)"),
            ("project(number + 1, upper(name) AS n)", "project(number + 1, upper(name) AS n)"),
            ("project(crew.name, tags, alternates)", "project(crew.name, tags, alternates)"),
            ("project(plane.tags, alternates.tags)", "project(plane.tags, alternates.tags)"),
            (
                "Plane | project(tailnum, flights = @links.Flight.plane.@count)",
                "project(tailnum, @links.Flight.plane.@count AS flights)"
            ),
            ("project(mixed['a'], anys[*][0])", #"project(mixed["a"], anys[*][0])"#),
            ("project(labels.@keys, tags[0])", "project(labels.@keys, tags[0])"),
            ("project(x = 5, mixed.@type)", "project(5 AS x, mixed.@type)"),
            ("project(@count, @avg.plane.seats AS m)", "project(@count, @avg.plane.seats AS m)"),
            ("project(@max.tags.@count)", "project(@max.tags.@count)"),
            ("SORT(plane.seats DESC, labels.a)", #"SORT(plane.seats DESC, labels["a"] ASC)"#),
            ("SORT(tags.@count DESC, lower(name))", "SORT(tags.@count DESC, lower(name) ASC)"),
            (
                "SORT(alternates[0].seats, number - small DESC)",
                "SORT(alternates[0].seats ASC, number - small DESC)"
            ),
            ("SORT(-number, (number + 1) * 2)", "SORT(0 - number ASC, (number + 1) * 2 ASC)"),
            ("SORT(plane.seats) SORT(plane.seats DESC)", "SORT(plane.seats DESC)"),
            ("DISTINCT(plane.owner.name, plane, plane)", "DISTINCT(plane.owner.name, plane)"),
            ("SORT(mixed['a'])", #"SORT(mixed["a"] ASC)"#),
        ])
    func projections(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Stages after a projection are bound to its columns",
        arguments: [
            (
                "Plane | project(tailnum, flights = @links.Flight.plane.@count) "
                    + "| SORT(flights DESC) LIMIT(5)",
                "SORT(@links.Flight.plane.@count DESC) | LIMIT(5) | "
                    + "project(tailnum, @links.Flight.plane.@count AS flights)"
            ),
            (
                "project(number = small, x = number * 2) | number > 3 AND x > 4",
                "small > 3 AND number * 2 > 4 | project(small AS number, number * 2 AS x)"
            ),
            (
                "project(p = plane) | p.seats > 3 | project(s = p.owner.age) | s == 1",
                "plane.seats > 3 | plane.owner.age == 1 | project(plane.owner.age AS s)"
            ),
            (
                "project(x = number + 1) | project(x = x * 2) | DISTINCT(x)",
                "DISTINCT((number + 1) * 2) | project((number + 1) * 2 AS x)"
            ),
            ("project(c = crew) | c.name == 'A'", #"ANY crew.name == "A" | project(crew AS c)"#),
            ("project(x = name) | SORT(city)", "SORT(city ASC) | project(name AS x)"),
            ("project(x = name) | x == 'a' | count", #"name == "a" | count"#),
            ("project(x = small) | project(@sum.x)", "project(@sum.small AS `@sum.x`)"),
            ("project(x = small) | project(x, name)", "project(small AS x, name)"),
            ("project(x = name) | first", "first | project(name AS x)"),
        ])
    func after(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Groups have the columns of their keys and aggregates",
        arguments: [
            ("group(city; @count)", "group(city; city, @count)"),
            ("group(c = city; n = @count)", "group(city; city AS c, @count AS n)"),
            (
                "group(city, plane.owner.name AS o; @count) | o == \"x\"",
                "group(city, plane.owner.name; city, plane.owner.name AS o, @count) | o == \"x\""
            ),
            (
                "group(city; @count AS n, @avg.delay AS mean) | SORT(n DESC) | LIMIT(3)",
                "group(city; city, @count AS n, @avg.delay AS mean) | SORT(n DESC) | LIMIT(3)"
            ),
            (
                "group(plane.owner.name, year(when); n = @count, y = year(when))",
                "group(plane.owner.name, year(when); plane.owner.name, @count AS n, "
                    + "year(when) AS y)"
            ),
            (
                "group(city; @count, @sum.small) | @count > 3 | SORT(@sum.small)",
                "group(city; city, @count, @sum.small) | `@count` > 3 | SORT(`@sum.small` ASC)"
            ),
            (
                "group(city; n = @count) | project(city, share = n * 2) | share > 5",
                "group(city; city, @count AS n) | n * 2 > 5 | project(city, n * 2 AS share)"
            ),
            (
                "group(city; n = @count) | project(@max.n, @count)",
                "group(city; city, @count AS n) | project(@max.n, @count)"
            ),
            (
                "group(city; n = @count) | n > 1 | count",
                "group(city; city, @count AS n) | n > 1 | count"
            ),
            (
                "project(c = lower(city)) | group(c; @count)",
                "group(lower(city); lower(city) AS c, @count)"
            ),
            ("group(plane; @max.tags.@count)", "group(plane; plane, @max.tags.@count)"),
        ])
    func groups(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test("Columns have the types of their expressions")
    func types() throws {
        let text =
            "project(plane, plane.seats, plane.built, crew.name, tags, labels, number + 1, "
            + "ratio * 2, price + 1, year(when), tags.@count, scores.@max, scores.@avg, prices.@sum, "
            + "SUBQUERY(crew, $x, $x.age > 1).@count, upper(name), coalesce(city, 'x'), mixed)"
        guard case .project(let columns)? = try bindRich(text).stages.first else {
            Issue.record("no projection")
            return
        }
        #expect(
            columns.map { richSchema.typeName($0.type) } == [
                "Plane?", "Int?", "Date?", "List<String>", "List<String>", "Map<String>", "Int?",
                "Double?", "Decimal128?", "Int", "Int", "Int?", "Double?", "Decimal128", "Int",
                "String", "String", "Any",
            ])
        #expect(columns[2].display == .dateOnly)
        let dates =
            "project(date(2024, 2, 29), date(name, 'dd.MM.yyyy'), truncate(when, 'month'), "
            + "date(2024, 2, 29, 'Europe/Oslo'), date(2024, 2, 29, 0, 0, 0), date(name), "
            + "date(name, 'dd.MM.yyyy HH'), date(name, 'dd.MM.yyyy', 'Europe/Oslo'))"
        guard case .project(let made)? = try bindRich(dates).stages.first else {
            Issue.record("no projection")
            return
        }
        #expect(
            made.map { $0.display == .dateOnly } == [true, true, true]
                + Array(repeating: false, count: 5))
        #expect(columns.map(\.name)[6] == "number + 1")
        guard
            case .group(_, let items)? = try bindRich("group(plane.built; @max.ratio)").stages.first
        else {
            Issue.record("no group")
            return
        }
        #expect(items.map(\.name) == ["plane.built", "@max.ratio"])
        let after = try bindRich("group(plane.built; @max.ratio) | `plane.built` != nil")
        guard
            case .filter(let condition)? = after.stages.last,
            let (column, test) = condition.columnTest, test == .isNotNull,
            case .output(0, _, let type, .dateOnly) = column
        else {
            Issue.record("not the column: \(after.stages)")
            return
        }
        #expect(type.base == .date)
    }
}
