import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

/// A wrong text and its error.
struct WrongText: CustomTestStringConvertible, Sendable {
    let text: String
    let code: QueryError.Code
    let range: Range<Int>
    let message: String
    let hint: String?

    init(
        _ text: String, _ code: QueryError.Code, _ range: Range<Int>, _ message: String,
        hint: String? = nil
    ) {
        self.text = text
        self.code = code
        self.range = range
        self.message = message
        self.hint = hint
    }

    var testDescription: String { text }

    func check() {
        let error = #expect(throws: QueryError.self) { try bind(text) }
        #expect(error?.code == code)
        #expect(error?.range == range)
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }
}

@Suite("Errors of names and types")
struct BindErrorTests {
    @Test(
        "An unknown name is an error",
        arguments: [
            WrongText(
                "Person nme == 'Ann'", .unknownProperty, 7..<10,
                "no property \"nme\" in class Person", hint: "did you mean \"name\"?"),
            WrongText(
                "NAME == 'Ann'", .unknownProperty, 0..<4, "no property \"NAME\" in class Person",
                hint: "did you mean \"name\"?"),
            WrongText(
                "SORT(marr)", .unknownProperty, 5..<9, "no property \"marr\" in class Person",
                hint: "did you mean \"married\"?"),
            WrongText(
                "project(xyzzy)", .unknownProperty, 8..<13,
                "no property \"xyzzy\" in class Person"),
            WrongText(
                "Person count", .unknownProperty, 7..<12, "no property \"count\" in class Person",
                hint: "did you mean \"| count\"?"),
            WrongText(
                "Person name == Xavier", .unknownProperty, 15..<21,
                "no property \"Xavier\" in class Person", hint: "quote texts: \"Xavier\""),
            WrongText(
                "name BEGINSWITH Xavier", .unknownProperty, 16..<22,
                "no property \"Xavier\" in class Person", hint: "quote texts: \"Xavier\""),
            WrongText(
                "age == Xavier", .unknownProperty, 7..<13,
                "no property \"Xavier\" in class Person"),
            WrongText(
                "name == nme", .unknownProperty, 8..<11, "no property \"nme\" in class Person",
                hint: "did you mean \"name\"?"),
            WrongText(
                "group(name; count)", .unknownProperty, 12..<17,
                "no property \"count\" in class Person", hint: "did you mean \"@count\"?"),
            WrongText(
                "group(name; sum(age))", .type, 12..<20, "no function \"sum\"",
                hint: "write @sum.age"),
            WrongText(
                "select(avg(age))", .type, 7..<15, "no function \"avg\"", hint: "write @avg.age"),
            WrongText(
                "Person.age > 3", .unknownProperty, 0..<6,
                "no property \"Person\" in class Person", hint: "leave out the name of the class"),
            WrongText(
                "a-b > 3", .unknownProperty, 0..<3, "a-b is a subtraction",
                hint: "write `a-b` for the property"),
            WrongText(
                "Persn age > 3", .unknownClass, 0..<5, "no class \"Persn\" in this database",
                hint: "did you mean \"Person\"?"),
            WrongText(
                "person | count", .unknownClass, 0..<6, "no class \"person\" in this database",
                hint: "did you mean \"Person\"?"),
            WrongText(
                "name == $city", .missingParameter, 8..<13, "no value for the argument $city",
                hint: "add -p city=TEXT"),
            WrongText("$x.age > 3", .unknownProperty, 0..<6, "no subquery declares $x"),
            WrongText(
                "@foo > 3", .unknownProperty, 0..<4, "unknown attribute @foo",
                hint: "every object has @id"),
        ])
    func names(wrong: WrongText) { wrong.check() }

    @Test("The error for an unknown property lists the existing properties")
    func notes() {
        let error = #expect(throws: QueryError.self) { try bind("nme == 'Ann'") }
        #expect(error?.suggestions == ["name"])
        #expect(
            error?.notes == [
                "properties: a-b Int · age Int? · born Date? · city String? · first Bool"
                    + " · height Double? · id Int (key) · married Bool · name String"
                    + " · photo Data? · scores List<Int>"
            ])
        let other = #expect(throws: QueryError.self) { try bind("Persn age > 3") }
        #expect(other?.notes == ["classes: Flight · Person"])
    }

    @Test(
        "Incompatible types are an error",
        arguments: [
            WrongText(
                "age == 'x'", .type, 7..<10,
                "cannot compare Int property \"age\" with String \"x\""),
            WrongText(
                "age == '30'", .type, 7..<11,
                "cannot compare Int property \"age\" with String \"30\"",
                hint: "write 30 without quotes"),
            WrongText(
                "5 == name", .type, 0..<1, "cannot compare String property \"name\" with Int 5",
                hint: "write \"5\" for a String"),
            WrongText(
                "married == 1", .type, 11..<12,
                "cannot compare Bool property \"married\" with Int 1",
                hint: "write true or false"),
            WrongText(
                "born > 5", .type, 7..<8, "cannot compare Date property \"born\" with Int 5"),
            WrongText(
                "born > 'soon'", .type, 7..<13,
                "\"soon\" is not a date, as Date property \"born\" is",
                hint: "such as 2013-01-31 or 2013-01-31T10:00:00Z"),
            WrongText(
                "age > name", .type, 0..<10,
                "cannot compare Int property \"age\" with String property \"name\""),
            WrongText("1 == 1", .type, 0..<6, "this compares two constants"),
            WrongText(
                "'name' == 'x'", .type, 0..<13, "this compares two constants",
                hint: "write name without quotes for the property"),
            WrongText("'a' CONTAINS 'b'", .type, 0..<16, "this compares two constants"),
            WrongText("1 IN {1}", .type, 0..<8, "this compares two constants"),
            WrongText(
                "age", .type, 0..<3, "Int property \"age\" is not a condition by itself",
                hint: "compare it, such as age != nil"),
            WrongText(
                "where age", .type, 6..<9, "Int property \"age\" is not a condition by itself",
                hint: "compare it, such as age != nil"),
            WrongText(
                "age CONTAINS 'x'", .type, 4..<12,
                "CONTAINS is for strings, not for Int property \"age\""),
            WrongText("name CONTAINS 5", .type, 14..<15, "CONTAINS needs a string, not Int 5"),
            WrongText(
                "age ==[c] 5", .type, 4..<9,
                "[c] and [d] are for strings and Data, not for Int property \"age\""),
            WrongText("name <[c] 'a'", .type, 5..<9, "< has no [c] or [d]"),
            WrongText(
                "age IN 5", .type, 7..<8, "IN needs a list on its right", hint: "such as {1, 2}"),
            WrongText(
                "age IN {1, 'x'}", .type, 11..<14,
                "cannot compare Int property \"age\" with String \"x\""),
            WrongText(
                "name IN {Ann}", .type, 9..<12, "a list holds constants only",
                hint: "put strings in quotes"),
            WrongText(
                "age BETWEEN {1}", .type, 12..<15, "BETWEEN needs a list of two values, not 1",
                hint: "such as {1, 10}"),
            WrongText("age BETWEEN {1, nil}", .type, 16..<19, "null has no place in an order"),
            WrongText(
                "ANY age > 3", .type, 0..<7, "ANY needs a collection, not Int property \"age\""),
            WrongText("age.x > 3", .type, 4..<5, "Int property \"age\" has no property \"x\""),
            WrongText(
                "name MATCHES 'a('", .type, 15..<16, "this ( has no closing ) in the pattern",
                hint: "write \\( for the character"),
            WrongText(
                "name MATCHES name", .type, 13..<17,
                "MATCHES needs a constant pattern, not String property \"name\""),
            WrongText(
                "age > 9223372036854775807 + 1", .type, 26..<27,
                "the result of this + does not exist"),
            WrongText("age > 1 / 0", .type, 8..<9, "the result of this / does not exist"),
            WrongText("age > 'a' + 1", .type, 10..<11, "cannot compute String + Int"),
            WrongText(
                "born > 7d", .type, 7..<9, "a duration is not a value by itself",
                hint: "such as now() - 7d"),
            WrongText("LIMIT(-1)", .type, 6..<8, "LIMIT needs a whole number of at least 0"),
            WrongText("SKIP(age)", .type, 5..<8, "SKIP needs a whole number of at least 0"),
            WrongText(
                "project(@sum)", .type, 8..<12, "@sum needs a property", hint: "such as @sum.id"),
            WrongText(
                "project(@avg.name)", .type, 8..<17,
                "@avg needs a number, not String property \"name\""),
            WrongText(
                "project(age, name AS age)", .type, 13..<24, "two columns have the name \"age\"",
                hint: "name one of them with AS"),
        ])
    func types(wrong: WrongText) { wrong.check() }

    @Test(
        "Unsupported features are refused at their position",
        arguments: [
            ("name TEXT 'a'", 5..<9, "TEXT", "use CONTAINS[c] for a part of a text"),
            ("Person | observe", 9..<16, "the stage \"observe\"", nil),
        ])
    func unsupported(text: String, range: Range<Int>, what: String, hint: String?) {
        WrongText(
            text, .usage, range, "\(what) cannot be run by this version of firn", hint: hint
        ).check()
    }

    @Test(
        "Stages in an impossible order are refused",
        arguments: [
            WrongText(
                "Person | count | LIMIT(3)", .usage, 17..<25, "\"LIMIT\" cannot follow \"count\""),
            WrongText(
                "Person | exists | first", .usage, 18..<23, "\"first\" cannot follow \"exists\""),
            WrongText(
                "Person | explain | count", .usage, 19..<24, "explain must be the last stage"),
            WrongText(
                "| age > 3", .usage, 0..<1, "there is no earlier result to refine",
                hint: "begin with the name of a class"),
        ])
    func order(wrong: WrongText) { wrong.check() }

    @Test("set and delete are not queries")
    func mutations() {
        let error = #expect(throws: QueryError.self) {
            try bind("Person | delete", entry: .statement)
        }
        #expect(error?.message == "\"delete\" changes objects and has no rows to deliver")
        let query = #expect(throws: QueryError.self) { try bind("Person | delete") }
        #expect(query?.code == .usage)
        #expect(query?.hint == "use firn write -x")
    }

    @Test("A text without a class needs a default class")
    func noClass() {
        let error = #expect(throws: QueryError.self) { try bind("age > 3", defaultClass: nil) }
        #expect(error?.code == .usage)
        #expect(error?.notes == ["classes: Flight · Person"])
    }

    @Test("A LIKE pattern has at most 10,000 characters, even in an argument")
    func longPattern() {
        let pattern = String(repeating: "é", count: 10_000)
        #expect(throws: Never.self) { try bind("name LIKE '\(pattern)'") }
        let error = #expect(throws: QueryError.self) {
            try bind("name LIKE $p", arguments: ["p": .string(pattern + "x")])
        }
        #expect(error?.code == .limit)
    }
}
