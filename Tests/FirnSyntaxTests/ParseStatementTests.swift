import FirnSyntax
import Testing

@Suite("Statements and stages")
struct ParseStatementTests {
    @Test(
        "A class, conditions, descriptors and stages are parsed",
        arguments: [
            ("Flight", "`Flight`"),
            ("Flight;", "`Flight`"),
            ("Flight | dep_delay > 60 | count", "`Flight` | where `dep_delay` > 60 | count"),
            ("Flight dep_delay > 60 | count", "`Flight` | where `dep_delay` > 60 | count"),
            ("Flight WHERE dep_delay > 60", "`Flight` | where `dep_delay` > 60"),
            (
                "Flight dep_delay > 60 SORT(dep_delay DESC) LIMIT(3) | select(carrier)",
                "`Flight` | where `dep_delay` > 60 | SORT(`dep_delay` DESC) | LIMIT(3)"
                    + " | project(`carrier`)"
            ),
            ("Flight SORT(a, b DESC)", "`Flight` | SORT(`a` ASC, `b` DESC)"),
            (
                "Flight | sort(a ascending) distinct(b,c) skip(5)",
                "`Flight` | SORT(`a` ASC) | DISTINCT(`b`, `c`) | SKIP(5)"
            ),
            ("Flight (a > 3)", "`Flight` | where `a` > 3"),
            ("Flight !cancelled", "`Flight` | where NOT `cancelled`"),
            ("Flight NOT cancelled", "`Flight` | where NOT `cancelled`"),
            ("Flight 60 < a", "`Flight` | where 60 < `a`"),
            ("Flight @id == 5", "`Flight` | where @id == 5"),
            ("Flight ANY x > 3", "`Flight` | where ANY `x` > 3"),
            // Before a comparison operator, a word that is itself an operator is a property.
            ("Flight text LIKE[cd] 'x'", "`Flight` | where `text` LIKE[cd] \"x\""),
            ("Flight text BEGINSWITH 'x'", "`Flight` | where `text` BEGINSWITH \"x\""),
            ("Flight text NOT IN {'x'}", "`Flight` | where NOT `text` IN {\"x\"}"),
            ("Flight name CONTAINS text", "`Flight` | where `name` CONTAINS `text`"),
            ("Flight text == 'x'", "`Flight` | where `text` == \"x\""),
            ("`Flight` | first", "`Flight` | first"),
            ("dep_delay > 60 | last", "where `dep_delay` > 60 | last"),
            ("count", "count"), ("SORT(a)", "SORT(`a` ASC)"), ("SORT (a)", "SORT(`a` ASC)"),
            ("Flight | where first", "`Flight` | where `first`"),
            ("Flight | first == 1", "`Flight` | where `first` == 1"),
            ("Flight | exists", "`Flight` | exists"), ("Flight | explain", "`Flight` | explain"),
            ("Flight | describe", "`Flight` | describe"), ("Flight|observe", "`Flight` | observe"),
            (
                "Flight | project(a, b AS c, d = e, f.@count AS g)",
                "`Flight` | project(`a`, `b` AS `c`, `e` AS `d`, `f`.@count AS `g`)"
            ),
            (
                "Flight | select(@count, @avg.x, @id, a + 1 AS b)",
                "`Flight` | project(@count, @avg.`x`, @id, `a` + 1 AS `b`)"
            ),
            (
                "Flight | group(a, b; @count AS n)",
                "`Flight` | group(`a`, `b`; @count AS `n`)"
            ),
            ("Flight | hist(a, 10)", "`Flight` | hist(`a`, 10)"),
            ("Flight | bar(a) | spark(b)", "`Flight` | bar(`a`) | spark(`b`)"),
            ("| a > 3", "_ | where `a` > 3"), ("_ | a > 3", "_ | where `a` > 3"),
            ("_ a > 3", "_ | where `a` > 3"), (":old | count", ":`old` | count"),
            ("Flight -- all of them\n | count -- in one", "`Flight` | count"),
            ("-- nothing\nFlight", "`Flight`"),
        ])
    func statements(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
    }

    @Test(
        "Statements that change data are parsed",
        arguments: [
            (
                "Person city == 'Oslo' | set city = \"Bergen\", age = age + 1",
                "`Person` | where `city` == \"Oslo\" | set `city` = \"Bergen\", `age` = `age` + 1"
            ),
            ("Person | delete", "`Person` | delete"), ("delete", "delete"),
            ("set a = 1", "set `a` = 1"),
        ])
    func mutations(text: String, expected: String) throws {
        #expect(try canonical(text, entry: .statement) == expected)
        let error = #expect(throws: QueryError.self) { try canonical(text) }
        #expect(error?.code == .usage)
        #expect(error?.hint == "use firn write -x")
    }

    @Test("Semicolons after a statement are skipped, and a second statement is refused")
    func semicolons() throws {
        let statement = try Statement.parse("A | count;;", entry: .pipeline)
        #expect(TreePrinter.text(statement) == "`A` | count")
        #expect(throws: QueryError.self) { try Statement.parse("A; B", entry: .pipeline) }
    }

    @Test("A single word before the first stage may be a property as well")
    func standsAlone() throws {
        #expect(try Statement.parse("Flight | count", entry: .pipeline).source?.standsAlone == true)
        #expect(try Statement.parse("Flight a > 3", entry: .pipeline).source?.standsAlone == false)
        #expect(try Statement.parse("cancelled", entry: .predicate).source == nil)
    }
}
