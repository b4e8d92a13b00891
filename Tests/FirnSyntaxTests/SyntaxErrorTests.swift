import FirnSyntax
import Testing

@Suite("Syntax errors")
struct SyntaxErrorTests {
    @Test(
        "Each error names what was expected and points at what was found",
        arguments: [
            ("", 0..<0, "expected a class or a condition, found the end of the text"),
            ("a >", 3..<3, "expected a condition or a value, found the end of the text"),
            ("a > AND b", 4..<7, "expected a condition or a value, found \"AND\""),
            ("(a > 3", 6..<6, "expected \")\", found the end of the text"),
            ("a > 3)", 5..<6, "expected an operator, AND, OR, SORT or \"|\", found \")\""),
            ("a > 3 b", 6..<7, "expected an operator, AND, OR, SORT or \"|\", found \"b\""),
            ("x == 3 \"y\"", 7..<10, "expected an operator, AND, OR, SORT or \"|\", found \"y\""),
            ("x IN {1, }", 9..<10, "expected a condition or a value, found \"}\""),
            ("x IN {1 2}", 8..<9, "expected \",\" or \"}\", found \"2\""),
            ("x IN {1, 2)", 10..<11, "expected \",\" or \"}\", found \")\""),
            ("()", 1..<2, "expected a condition or a value, found \")\""),
            ("a < b < c", 6..<7, "comparisons cannot be chained"),
            ("(a > 3) == 5", 8..<10, "comparisons cannot be chained"),
            ("(a AND b) == 5", 1..<8, "a value is needed here, not a condition"),
            ("3 AND a", 0..<1, "this value is not compared with anything"),
            ("true", 0..<4, "this value is not compared with anything"),
            ("x IN {a > 3}", 6..<11, "a value is needed here, not a condition"),
            ("name CONTAINS[x] 'a'", 14..<15, "unknown option [x]"),
            ("Flight |", 8..<8, "expected a condition or a stage, found the end of the text"),
            ("Flight | | count", 9..<10, "expected a condition or a stage, found \"|\""),
            ("Flight | SORT()", 14..<15, "expected a property to sort by, found \")\""),
            ("Flight | SORT(a", 15..<15, "expected \")\" to close SORT, found the end of the text"),
            (
                "Flight | LIMIT 3", 15..<16,
                "expected an operator, AND, OR, SORT or \"|\", found \"3\""
            ),
            ("Flight | select(a,)", 18..<19, "expected a condition or a value, found \")\""),
            ("Flight | select(a AS 3)", 21..<22, "expected a name after AS, found \"3\""),
            (
                "Flight | count 3", 15..<16,
                "expected an operator, AND, OR, SORT or \"|\", found \"3\""
            ),
            (
                "a[x] == 3", 2..<3,
                "expected an index such as 0, \"key\", FIRST, LAST, SIZE or *, found \"x\""
            ),
            ("a. == 3", 3..<5, "expected a property after the dot, found \"==\""),
            ("SUBQUERY(a, b, c)", 12..<13, "expected a variable such as $x, found \"b\""),
            (
                "SUBQUERY(a, $b, c) > 3", 19..<20,
                "expected \".\" and @count after the subquery, found \">\""
            ),
            ("Flight; Plane", 8..<13, "expected one statement only, found \"Plane\""),
        ])
    func messages(text: String, range: Range<Int>, message: String) {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.message == message)
        #expect(error?.range == range)
        #expect(error?.code == .syntax)
    }

    /// `in - 1 == 0` compared `x` with -1, and said "join two comparisons with AND".
    @Test(
        "An operator word in the place of a property gets a hint to quote it",
        arguments: [
            ("T in - 1 == 0", "in"), ("T like", "like"), ("T name LIKE", "LIKE"),
        ])
    func operatorNames(text: String, name: String) throws {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.hint == "a property called \(name) is `\(name)`")
        _ = try Statement.parse("T `\(name)` - 1 == 0", entry: .pipeline)
    }

    @Test("A symbol between comparisons gets a hint")
    func symbols() {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse("a < b < c", entry: .pipeline)
        }
        #expect(error?.hint == "join two comparisons with AND")
    }

    @Test(
        "Habits from other languages get a hint",
        arguments: [
            ("a IS NULL", "write == nil or != nil"),
            ("F a > 3 ORDER BY a", "write SORT(a)"), ("F ORDER BY a DESC", "write SORT(a DESC)"),
            ("F | order by a", "write SORT(a)"), ("F a > 3 ORDER", "write SORT(property)"),
            ("F sort by a", "write SORT(a)"), ("F a = 3 limit 3", "write LIMIT(3)"),
            ("F a = 3 skip", "write SKIP(...)"), ("F | avg(age)", "write select(@avg.age)"),
            ("F | Max(a.b)", "write select(@max.a.b)"), ("F count(a)", "write | count"),
            ("F | first(3)", "write LIMIT(3)"),
            ("F | last(3)", "write SORT(property DESC) LIMIT(3)"),
            ("F | order(a)", "write SORT(a)"), ("F a > 1 | top(3)", "write LIMIT(3)"),
            ("F | filter(a > 3) | count", "write where (...)"),
            ("F | unique(a)", "write DISTINCT(a)"),
            ("F | count()", "write count"), ("F | exists()", "write exists"),
            ("F | set(a = 1)", "write set a = value"), ("F | delete()", "write delete"),
            ("F set a = 1", "objects are changed with | set a = value"),
            ("F | update a = 1", "objects are changed with | set a = value"),
            ("update F set a = 1", "the class comes first: F | set property = value"),
            ("DELETE FROM F WHERE a == 1", "the class comes first: F | delete"),
            ("F a between 2 and 5", "write BETWEEN {2, 5}"),
            ("F a == 1 or 2", "compare it as well, or write IN {1, 2}"),
            ("F a startswith 'x'", "write BEGINSWITH"),
            ("F a.contains('x')", "write property CONTAINS \"text\""),
            ("count(F)", "write F | count"), ("F | select a, b", "write select(a, ...)"),
            ("F | group a", "write group(a; @count)"), ("F | group by a", "write group(a; @count)"),
            ("SELECT * FROM F", "the class comes first: F | select(...)"),
            ("select a, b from F where a > 3", "the class comes first: F | select(...)"),
            (
                "F a b == 1",
                "names with blanks stand in backquotes, `a b`; between conditions stands AND"
            ),
            ("F a > 3 count", "put a | before it"),
            ("F | select(a) LIMIT(2)", "put a | before it"), ("F | limit 5", "write LIMIT(5)"),
            ("F | group(a)", "such as group(city; @count)"),
            ("SUBQUERY(a, $b, c) > 3", "write SUBQUERY(...).@count"), ("true", "use TRUEPREDICATE"),
            ("a < b < c", "join two comparisons with AND"), ("a > 3 & b", "use && or AND"),
            ("a === 3", "write =="), ("a !== 3", "write !="),
            ("a ~ 'x'", "use MATCHES for a regular expression, LIKE for * and ?"),
            ("a == \u{201c}b\u{201d}", "use \" or '"),
        ])
    func hints(text: String, hint: String) {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.hint == hint)
    }

    @Test(
        "A misspelt operator or stage suggests the right one",
        arguments: [
            ("F a CONTANS \"x\"", 4..<11, "CONTAINS"), ("a CONTANS \"x\"", 2..<9, "CONTAINS"),
            ("F (a BEGINWITH \"x\")", 5..<14, "BEGINSWITH"), ("F a > 3 ADN b < 4", 8..<11, "AND"),
            ("F a BETWEN {1, 2}", 4..<10, "BETWEEN"), ("F | srot a", 4..<8, "SORT(...)"),
            ("F | srot(a)", 4..<8, "SORT(...)"), ("F | slect a", 4..<9, "select(...)"),
            ("F | selct(a, b)", 4..<9, "select(...)"),
            ("F | gruop(a; @count)", 4..<9, "group(...)"),
            ("F | lmit 5", 4..<8, "LIMIT(...)"), ("F a > 3 SROT(a)", 8..<12, "SORT(...)"),
            ("F distnct(a)", 2..<9, "DISTINCT(...)"), ("F | whre a > 3", 4..<8, "where"),
        ])
    func misspelt(text: String, range: Range<Int>, wanted: String) {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.hint == "did you mean \"\(wanted)\"?", "\(text)")
        #expect(error?.suggestions.first == wanted.replacing("(...)", with: ""), "\(text)")
        #expect(error?.range == range, "\(text)")
        #expect(error?.code == .syntax)
    }

    @Test(
        "Words unlike any word of the language get no suggestion",
        arguments: ["F a of \"x\"", "F a > 3 whatever", "F nothing b", "F (a is_near 3)"])
    func unlike(text: String) {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.hint == nil, "\(text)")
    }

    @Test("A filter has neither a class nor stages")
    func predicateEntry() {
        let stages = #expect(throws: QueryError.self) {
            try Statement.parse("a > 3 | count", entry: .predicate)
        }
        #expect(stages?.code == .usage)
        #expect(throws: QueryError.self) { try Statement.parse("F a > 3", entry: .predicate) }
        #expect(throws: Never.self) {
            try Statement.parse("a > 3 SORT(a) LIMIT(3)", entry: .predicate)
        }
    }
}
