import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

@Suite("Bound stages")
struct BindStageTests {
    @Test(
        "Stages apply from left to right",
        arguments: [
            ("Person", ""), ("Person age > 1 | count", "age > 1 | count"),
            ("LIMIT(5) | age > 1", "LIMIT(5) | age > 1"),
            ("age > 1 | age < 9", "age > 1 | age < 9"),
            ("SORT(age DESC) LIMIT(7) | SORT(age)", "SORT(age DESC) | LIMIT(7) | SORT(age ASC)"),
            ("SORT(age) SORT(name DESC)", "SORT(name DESC, age ASC)"),
            ("SORT(age, name) | SORT(age DESC)", "SORT(age DESC, name ASC)"),
            ("SORT(age, age DESC)", "SORT(age ASC)"),
            ("DISTINCT(city, name, city)", "DISTINCT(city, name)"),
            ("SKIP(2) LIMIT(2 + 1)", "SKIP(2) | LIMIT(3)"),
            ("project(name, age AS years, @id)", "project(name, age AS years, @id)"),
            (
                "select(years = age) | LIMIT(3) SKIP(1)",
                "LIMIT(3) | SKIP(1) | project(age AS years)"
            ),
            (
                "project(@count, @sum.age, @avg.height AS mean, @min.born, @max.name, @count.age)",
                "project(@count, @sum.age, @avg.height AS mean, @min.born, @max.name, @count.age)"
            ),
            ("exists", "exists"), ("Person | first | project(name)", "first | project(name)"),
            ("Person | last", "last"), ("Person | where first", "first == true"),
        ])
    func stages(text: String, expected: String) throws {
        #expect(try bound(text) == expected)
    }

    @Test("explain is a property of the query, not a stage")
    func explain() throws {
        let query = try bind("age > 1 | count | explain")
        #expect(query.explain)
        #expect(query.stages.count == 2)
        #expect(try !bind("age > 1").explain)
        #expect(query.text == "age > 1 | count | explain")
    }

    /// `select(km = distance * 1.609) | select(@sum.km)` called its column `@sum.distance * 1.609`:
    /// the name that the user had given was lost.
    @Test(
        "An aggregate of a named column is called by the name of that column",
        arguments: [
            ("project(x = age * 2) | project(@sum.x, @max.x)", ["@sum.x", "@max.x"]),
            ("project(x = age) | project(@avg.x, @count)", ["@avg.x", "@count"]),
            ("project(x = age * 2) | project(@sum.x AS s)", ["s"]),
            ("project(x = age * 2) | project(y = x + 1) | project(@sum.y)", ["@sum.y"]),
            ("project(c = city, x = age * 2) | group(c; @sum.x)", ["c", "@sum.x"]),
            ("project(age) | project(@sum.age)", ["@sum.age"]),
            ("group(name = city, city = name; n = @count)", ["name", "city", "n"]),
            ("group(c = city; c, n = 1 * @count) | project(n)", ["n"]),
            ("group(c = city; n = 1 * @count) | group(n; @max.c)", ["n", "@max.c"]),
            // The name of the first use of a column was that of all uses.
            ("project(y = age, city) | project(p = @previous(y), y)", ["p", "y"]),
            (
                "project(y = age, z = age) | project(@previous(y), z, y)",
                ["@previous(age)", "z", "y"]
            ),
        ])
    func namedAggregates(text: String, expected: [String]) throws {
        #expect(outputNames(try bind(text)) == expected)
    }

    @Test(
        "A path that begins with a named column keeps its name as written",
        arguments: [
            ("project(p = plane) | project(p.tailnum)", ["p.tailnum"]),
            ("project(p = plane) | project(@max.p.seats)", ["@max.p.seats"]),
            ("project(p = plane) | group(p.tailnum; @count)", ["p.tailnum", "@count"]),
        ])
    func namedPaths(text: String, expected: [String]) throws {
        #expect(outputNames(try bindRich(text)) == expected)
    }

    @Test("Aggregates have their types")
    func aggregateTypes() throws {
        let text = "project(@count, @sum.age, @sum.height, @avg.age, @min.born, @max.name)"
        guard case .aggregate(let aggregates) = try bind(text).stages.first else {
            Issue.record("not an aggregate")
            return
        }
        #expect(
            aggregates.map(\.type.name) == ["Int", "Int", "Double", "Double?", "Date?", "String?"])
        #expect(aggregates[4].display == .dateOnly)
    }

    @Test("The class comes from the text or from the context")
    func classes() throws {
        #expect(try bind("Flight").classSchema.name == "Flight")
        #expect(try bind("Flight | dep_delay > 60").classSchema.name == "Flight")
        #expect(try bind("age > 3").classSchema.name == "Person")
        #expect(try bind("age > 3", entry: .predicate).classSchema.name == "Person")
    }

    @Test("A single word that is not a class is a Bool property")
    func loneWord() throws {
        #expect(try bound("married") == "married == true")
        #expect(try bound("married | count") == "married == true | count")
    }
}

/// The names of the columns that the last stage returns.
private func outputNames(_ query: BoundQuery) -> [String] {
    switch query.stages.last {
    case .aggregate(let aggregates): aggregates.map(\.name)
    case .group(_, let items): items.map(\.name)
    case .project(let columns): columns.map(\.name)
    default: []
    }
}
