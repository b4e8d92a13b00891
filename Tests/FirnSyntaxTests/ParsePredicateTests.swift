import FirnSyntax
import Testing

/// The canonical form of a text: the result of the parser.
func canonical(_ text: String, entry: QueryEntry = .pipeline) throws -> String {
    TreePrinter.text(try Statement.parse(text, entry: entry))
}

@Suite("Predicates")
struct ParsePredicateTests {
    @Test(
        "Every comparison and its synonyms are parsed",
        arguments: [
            ("age > 30", "`age` > 30"), ("age >= 30", "`age` >= 30"),
            ("age => 30", "`age` >= 30"), ("age =< 30", "`age` <= 30"),
            ("age = 30", "`age` == 30"), ("age==30", "`age` == 30"),
            ("age <> 30", "`age` != 30"), ("age != 30", "`age` != 30"),
            ("60 < dep_delay", "60 < `dep_delay`"), ("a < b", "`a` < `b`"),
            ("name BEGINSWITH 'a'", "`name` BEGINSWITH \"a\""),
            ("name endswith[c] \"a\"", "`name` ENDSWITH[c] \"a\""),
            ("name Contains[cd] 'a'", "`name` CONTAINS[cd] \"a\""),
            ("name CONTAINS[dc] 'a'", "`name` CONTAINS[cd] \"a\""),
            ("name LIKE[d] 'a*'", "`name` LIKE[d] \"a*\""),
            ("name ==[c] 'a'", "`name` ==[c] \"a\""), ("name !=[c] x", "`name` !=[c] `x`"),
            ("name MATCHES 'a.b'", "`name` MATCHES \"a.b\""),
            ("name TEXT 'a b'", "`name` TEXT \"a b\""),
            ("p geoWithin geoCircle([1.5, 2], 0.1)", "`p` GEOWITHIN geoCircle({1.5, 2}, 0.1)"),
            ("x BETWEEN {1, 2}", "`x` BETWEEN {1, 2}"),
            ("x BETWEEN [1, 2]", "`x` BETWEEN {1, 2}"),
            ("x between (1, 2)", "`x` BETWEEN {1, 2}"),
            ("x IN {1, 'a', nil}", "`x` IN {1, \"a\", null}"), ("x IN {}", "`x` IN {}"),
            ("x IN (1, 2)", "`x` IN {1, 2}"), ("x IN (5)", "`x` IN {5}"),
            ("5 IN (list)", "5 IN `list`"), ("x IN $ids", "`x` IN $ids"),
            ("x IN [c]", "`x` IN {`c`}"), ("x IN [c] {'a'}", "`x` IN[c] {\"a\"}"),
            ("x NOT IN {1}", "NOT `x` IN {1}"), ("x NOT CONTAINS 'a'", "NOT `x` CONTAINS \"a\""),
            ("x not between {1, 2}", "NOT `x` BETWEEN {1, 2}"),
            ("x == nil", "`x` == null"), ("x == NULL", "`x` == null"),
            ("true == x", "true == `x`"), ("TRUEPREDICATE", "TRUEPREDICATE"),
            ("falsepredicate", "FALSEPREDICATE"),
        ])
    func comparisons(text: String, expected: String) throws {
        #expect(try canonical(text, entry: .predicate) == "where " + expected)
    }

    @Test(
        "NOT, AND, OR and parentheses have their precedence",
        arguments: [
            ("a OR b AND c", "`a` OR `b` AND `c`"),
            ("(a OR b) AND c", "(`a` OR `b`) AND `c`"),
            ("(a AND b) OR c", "`a` AND `b` OR `c`"),
            ("a && b || c and d", "`a` AND `b` OR `c` AND `d`"),
            ("NOT a AND b", "NOT `a` AND `b`"), ("NOT (a AND b)", "NOT (`a` AND `b`)"),
            ("NOT a > 5", "NOT `a` > 5"), ("!a == 5", "NOT `a` == 5"), ("!!a", "NOT NOT `a`"),
            ("((a))", "`a`"), ("((a)) > ((5))", "`a` > 5"),
            ("(a AND b) AND c", "(`a` AND `b`) AND `c`"),
            ("a AND b AND c", "`a` AND `b` AND `c`"),
        ])
    func logic(text: String, expected: String) throws {
        #expect(try canonical(text, entry: .predicate) == "where " + expected)
    }

    @Test("A chain of equal operators is one node")
    func flatChain() throws {
        let statement = try Statement.parse("a AND b AND c && d", entry: .predicate)
        guard case .filter(.and(let operands, _)) = statement.stages.first?.kind else {
            Issue.record("not an AND")
            return
        }
        #expect(operands.count == 4)
    }

    @Test(
        "Values, paths and quantifiers are parsed",
        arguments: [
            ("a + b * 2 - 1 > 3", "`a` + (`b` * 2) - 1 > 3"),
            ("(a + 1) * 2 == 4", "(`a` + 1) * 2 == 4"),
            ("a-b > 3", "`a` - `b` > 3"), ("a -5 > 3", "`a` - 5 > 3"),
            ("-a > 3", "- (`a`) > 3"), ("created > now() - 7d", "`created` > now() - 604800000ms"),
            ("ANY dogs.age > 3", "ANY `dogs`.`age` > 3"), ("SOME x == 1", "ANY `x` == 1"),
            ("ALL x == 1", "ALL `x` == 1"), ("none x.y == 1", "NONE `x`.`y` == 1"),
            ("ANY {1, 2} == x", "ANY {1, 2} == `x`"),
            ("dogs.@count > 2", "`dogs`.@count > 2"),
            ("dogs.@avg.age >= 1.5", "`dogs`.@avg.`age` >= 1.5"),
            ("list[0] == 1", "`list`[0] == 1"), ("list[FIRST] == 1", "`list`[FIRST] == 1"),
            ("any['a'] == 1", "`any`[\"a\"] == 1"), ("ANY [1] == a", "ANY {1} == `a`"),
            ("any[*].b == %@", "`any`[*].`b` == %@"), ("ANY %K.a[%@] > 1", "ANY %K.`a`[%@] > 1"),
            ("m['k'] == 1", "`m`[\"k\"] == 1"), ("m[*] == 1", "`m`[*] == 1"),
            ("m[$k].a == 1", "`m`[$k].`a` == 1"), ("list[SIZE] > 1", "`list`[SIZE] > 1"),
            ("@links.Dog.owner.@count > 1", "@links.`Dog`.`owner`.@count > 1"),
            (
                "SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == 'x').@count > 1",
                "SUBQUERY(`dogs`, $d, $d.`age` > 3 AND $d.`name` == \"x\").@count > 1"
            ),
            ("obj('Dog', 3) == dog", "obj(\"Dog\", 3) == `dog`"),
            ("lower(name) == 'x'", "lower(`name`) == \"x\""),
        ])
    func values(text: String, expected: String) throws {
        #expect(try canonical(text, entry: .predicate) == "where " + expected)
    }

    @Test(
        "A keyword is a name wherever it cannot be a keyword",
        arguments: [
            ("sort > 3", "`sort` > 3"), ("first == 1", "`first` == 1"),
            ("in == 3", "`in` == 3"), ("not == 3", "`not` == 3"), ("any == 3", "`any` == 3"),
            ("contains contains 'x'", "`contains` CONTAINS \"x\""),
            ("where == 3", "`where` == 3"), ("limit.skip == 3", "`limit`.`skip` == 3"),
            ("`true` == true", "`true` == true"),
            ("and == 3 and or == 4", "`and` == 3 AND `or` == 4"),
            ("`a b` == 3", "`a b` == 3"), ("a\\ b == 3", "`a b` == 3"),
            ("größe > 3", "`größe` > 3"),
            ("text text 'x'", "`text` TEXT \"x\""), ("count > 3", "`count` > 3"),
            ("set == 3", "`set` == 3"), ("delete = 3", "`delete` == 3"),
        ])
    func keywordsAsNames(text: String, expected: String) throws {
        #expect(try canonical(text, entry: .predicate) == "where " + expected)
        #expect(try canonical(text, entry: .statement) == "where " + expected)
    }
}
