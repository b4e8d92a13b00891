import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

@Suite("Errors of paths, quantifiers and subqueries")
struct BindPathErrorTests {
    private func check(_ wrong: WrongText) {
        let error = #expect(throws: QueryError.self) { try bindRich(wrong.text) }
        #expect(error?.code == wrong.code)
        #expect(error?.range == wrong.range)
        #expect(error?.message == wrong.message)
        #expect(error?.hint == wrong.hint)
    }

    @Test(
        "An unknown name in a path is an error",
        arguments: [
            WrongText(
                "plane.seat > 1", .unknownProperty, 6..<10, "no property \"seat\" in class Plane",
                hint: "did you mean \"seats\"?"),
            WrongText(
                "plane.fligts.number > 1", .unknownProperty, 6..<12,
                "no property \"fligts\" in class Plane", hint: "did you mean \"flights\"?"),
            WrongText(
                "crew.dogs.nam == 'x'", .unknownProperty, 10..<13,
                "no property \"nam\" in class Dog", hint: "did you mean \"name\"?"),
            WrongText(
                "@links.Flght.plane.@count > 1", .unknownClass, 7..<12,
                "no class \"Flght\" in this database", hint: "did you mean \"Flight\"?"),
            WrongText(
                "@links.Flight.othr.@count > 1", .unknownProperty, 14..<18,
                "no property \"othr\" in class Flight", hint: "did you mean \"other\"?"),
            WrongText(
                "@links.Flight.plane.@count > 1", .type, 14..<19,
                "Flight.plane does not link to Flight"),
            WrongText(
                "@links > 1", .type, 0..<6, "@links needs a class and its property",
                hint: "such as @links.Flight.other"),
            WrongText(
                "plane.@foo == 1", .unknownProperty, 6..<10, "unknown attribute @foo",
                hint: "every object has @id"),
            WrongText(
                "lowr(name) == 'x'", .type, 0..<10, "no function \"lowr\"",
                hint: "did you mean \"lower\"?"),
            WrongText(
                "plane == obj('Plan', 1)", .unknownClass, 13..<19,
                "no class \"Plan\" in this database", hint: "did you mean \"Plane\"?"),
        ])
    func names(wrong: WrongText) { check(wrong) }

    @Test("The notes list the properties and inverses of the class where the path ends")
    func notes() {
        let error = #expect(throws: QueryError.self) { try bindRich("plane.seat > 1") }
        #expect(
            error?.notes == [
                "properties: active Bool · built Date? · flights Flight (inverse) · owner Person?"
                    + " · seats Int? · tags List<String> · tailnum String (key)"
            ])
        let links = #expect(throws: QueryError.self) { try bindRich("@links.Flight.plane > 1") }
        #expect(links?.notes == ["links: Flight.other"])
        let type = #expect(throws: QueryError.self) { try bindRich("mixed.@type == 'no'") }
        #expect(type?.message == "no type is called \"no\"")
        #expect(type?.range == 15..<19)
        #expect(type?.notes.first?.hasPrefix("types: null · bool") == true)
    }

    @Test(
        "A path step that a value does not have is an error",
        arguments: [
            WrongText(
                "name.x == 1", .type, 5..<6, "String property \"name\" has no property \"x\""),
            WrongText(
                "plane.name.x == 1", .unknownProperty, 6..<10,
                "no property \"name\" in class Plane"),
            WrongText("number[0] == 1", .type, 6..<9, "Int property \"number\" has no elements"),
            WrongText("plane[0] == 1", .type, 5..<8, "an object has no elements"),
            WrongText(
                "tags.x == 1", .type, 5..<6, "List<String> property \"tags\" has no property \"x\""),
            WrongText(
                "tags['a'] == 1", .type, 4..<9, "a list has no keys",
                hint: "such as [0], [FIRST], [LAST]"),
            WrongText("codes[0] == 1", .type, 5..<8, "a set has no positions"),
            WrongText(
                "labels[0] == 1", .type, 6..<9, "a map has no positions",
                hint: "such as [\"key\"]"),
            WrongText("codes['x'] == 1", .type, 5..<10, "a set has no keys"),
            WrongText(
                "tags.@keys == 'x'", .type, 5..<10,
                "@keys does not apply to List<String> property \"tags\""),
            WrongText(
                "number.@count > 1", .type, 7..<13,
                "@count does not apply to Int property \"number\""),
            WrongText(
                "number.@max > 1", .type, 7..<11,
                "@max needs a collection, not Int property \"number\""),
            WrongText(
                "plane.@sum > 1", .type, 6..<10,
                "@sum needs a collection, not Plane property \"plane\""),
            WrongText(
                "plane.@max.seats > 1", .type, 6..<10,
                "@max needs a collection, not Plane property \"plane\""),
            WrongText(
                "tags.@sum > 1", .type, 5..<9,
                "@sum needs numbers, not the String values of \"tags\""),
            WrongText(
                "crew.@sum > 1", .type, 5..<9, "@sum of objects needs one of their properties",
                hint: "such as @sum.id"),
            WrongText(
                "crew.@avg.name > 1", .type, 5..<9,
                "@avg needs numbers, not the String values of \"crew.name\""),
            WrongText("crew.dogs.@count.age > 1", .type, 17..<20, "nothing can follow @count"),
            WrongText(
                "crew.@max.dogs.@count > 1", .type, 15..<21,
                "a path has one of @count, @sum and the like"),
            WrongText("tags.length.x > 1", .type, 12..<13, "nothing can follow length"),
            WrongText(
                "tags[$i] == 'x'", .missingParameter, 4..<8, "no value for the argument $i",
                hint: "add -p i=TEXT"),
            WrongText(
                "number == %@", .missingParameter, 10..<12,
                "no value for the argument %@ number 0", hint: "add -p 0=TEXT"),
            WrongText(
                "number == 1 AND %K == 1", .missingParameter, 16..<18,
                "no value for the argument %K number 0", hint: "add -p 0=TEXT"),
            WrongText(
                "number == %y", .syntax, 10..<11, "unexpected character \"%\" (U+0025)",
                hint: "%@ is a value and %K a path; between values, % is the remainder"),
        ])
    func steps(wrong: WrongText) { check(wrong) }

    @Test(
        "Impossible comparisons are refused",
        arguments: [
            WrongText(
                "scores + codes > 1", .type, 0..<14,
                "two collections cannot be computed with each other",
                hint: "compute with their @sum, or use SUBQUERY"),
            WrongText(
                "ANY number == 3", .type, 0..<10,
                "ANY needs a collection, not Int property \"number\""),
            WrongText("ANY 3 == number", .syntax, 4..<5, ""),
            WrongText("number + ANY scores > 3", .syntax, 9..<12, ""),
            WrongText(
                "number IN name", .type, 10..<14,
                "IN needs a list on its right, not String property \"name\""),
            WrongText(
                "number IN mixed", .type, 10..<15, "IN needs a list on its right",
                hint: "add [*] to it"),
            WrongText(
                "alternates == nil", .type, 14..<17,
                "the objects of \"alternates\" are never null", hint: "compare @count with 0"),
            WrongText(
                "plane > nil", .type, 6..<7,
                "Plane property \"plane\" can only be compared with == and !="),
            WrongText(
                "mixed == plane", .usage, 0..<14,
                "a link against an Any cannot be run by this version of firn"),
            WrongText(
                "mixed > obj('Plane', 'a')", .type, 8..<25,
                "objects can only be compared with == and !="),
            WrongText(
                "number == 1 + nil", .type, 12..<13, "cannot compute Int + null"),
            WrongText(
                "plane == 3", .type, 9..<10,
                "cannot compare Plane property \"plane\" with Int 3",
                hint: "compare it with nil or obj(\"Class\", key)"),
            WrongText(
                "plane == obj('Person', 1)", .type, 9..<25,
                "cannot compare Plane property \"plane\" with a Person"),
            WrongText(
                "plane == obj('Flight', 1)", .type, 13..<21, "class Flight has no key",
                hint: "compare @id with a number"),
            WrongText(
                "plane == obj('Plane', 1)", .type, 22..<23,
                "cannot compare String property \"tailnum\" with Int 1",
                hint: "write \"1\" for a String"),
            WrongText(
                "plane == plane.owner", .type, 0..<20,
                "cannot compare Plane property \"plane\" with Person property \"plane.owner\""),
            WrongText(
                "uid == 'abc'", .type, 7..<12,
                "\"abc\" is not a UUID, as UUID property \"uid\" is",
                hint: "such as uuid(\"00000000-0000-0000-0000-000000000000\")"),
            WrongText(
                "oid == 'abc'", .type, 7..<12,
                "\"abc\" is not an ObjectId, as ObjectId property \"oid\" is",
                hint: "such as oid(\"000000000000000000000000\")"),
            WrongText(
                "price == 'abc'", .type, 9..<14,
                "\"abc\" is not a decimal number, as Decimal128 property \"price\" is",
                hint: "such as \"19.99\""),
            WrongText("labels == {'a'}", .type, 10..<15, "a map has no order to be compared in"),
            WrongText(
                "tags == {1}", .type, 9..<10,
                "cannot compare String values of \"tags\" with Int 1",
                hint: "write \"1\" for a String"),
            WrongText(
                "mixed.@type > 'int'", .type, 12..<13,
                "@type can only be compared with ==, != and IN"),
            WrongText("mixed.@type == 3", .type, 15..<16, "@type is the name of a type, not Int"),
            WrongText(
                "codes CONTAINS 'x'", .type, 6..<14,
                "CONTAINS is for strings, not for Int values of \"codes\""),
            WrongText(
                "codes ==[c] 3", .type, 6..<11,
                "[c] and [d] are for strings and Data, not for Int values of \"codes\""),
            WrongText("name + 1 > 3", .type, 5..<6, "cannot compute String + Int"),
            WrongText(
                "tags + 1 > 3", .type, 5..<6, "cannot compute String + Int"),
            WrongText("number - 1d > 3", .type, 7..<8, "cannot compute Int - a duration"),
            WrongText("-name > 3", .type, 0..<5, "String property \"name\" has no negative"),
            WrongText(
                "upper(number) == 'x'", .type, 6..<12,
                "upper needs a String, not Int property \"number\""),
            WrongText("upper(name, name) == 'x'", .type, 0..<17, "upper takes one value"),
            WrongText(
                "length(tags) > 1", .type, 7..<11,
                "length is for strings, not for List<String> property \"tags\"",
                hint: "write tags.@count"),
            WrongText(
                "coalesce(name, 3) == 'x'", .type, 15..<16,
                "coalesce needs values of one type, not String and Int"),
            WrongText(
                "year(name) == 3", .type, 5..<9,
                "year needs a Date, not String property \"name\""),
            WrongText(
                "tags", .type, 0..<4,
                "List<String> property \"tags\" is not a condition by itself"),
        ])
    func comparisons(wrong: WrongText) {
        guard wrong.message.isEmpty else { return check(wrong) }
        // The grammar already refuses these.
        #expect(throws: QueryError.self) { try bindRich(wrong.text) }
    }

    @Test(
        "Impossible subqueries are refused",
        arguments: [
            WrongText(
                "SUBQUERY(crew, $x, $x.age > other).@count > 1", .usage, 28..<33,
                "Flight property \"other\" of the outer object inside of a SUBQUERY cannot be run by "
                    + "this version of firn",
                hint: "only single values of the outer object have a name there"),
            WrongText(
                "SUBQUERY(crew, $x, $y.age > 1).@count > 1", .unknownProperty, 19..<25,
                "no subquery declares $y"),
            WrongText(
                "SUBQUERY(crew, $x, SUBQUERY($x.dogs, $x, $x.age > 1).@count > 1).@count > 1",
                .type, 37..<39, "a subquery around this one has the variable $x",
                hint: "give this one another name"),
            WrongText(
                "SUBQUERY(crew, $x, $x.dogs.@sum(age WHERE $x.age > 1) > 1).@count > 1",
                .usage, 42..<48,
                "a path of the outer object inside of an aggregate cannot be run by this version of "
                    + "firn", hint: "compare with it in a SUBQUERY"),
            WrongText(
                "SUBQUERY(tags, $x, $x > 1).@count > 1", .type, 9..<13,
                "SUBQUERY needs a collection of objects, not List<String> property \"tags\"",
                hint: "compare the elements with ANY"),
            WrongText(
                "SUBQUERY(plane, $x, $x.seats > 1).@count > 1", .type, 9..<14,
                "SUBQUERY needs a collection of objects, not Plane property \"plane\""),
            WrongText(
                "SUBQUERY(crew, $x, $x.agee > 1).@count > 1", .unknownProperty, 22..<26,
                "no property \"agee\" in class Person", hint: "did you mean \"age\"?"),
        ])
    func subqueries(wrong: WrongText) { check(wrong) }

    @Test(
        "Impossible columns are refused",
        arguments: [
            WrongText(
                "SORT(tags)", .type, 5..<9,
                "SORT needs one value for each object, not List<String> property \"tags\"",
                hint: "such as its @count"),
            WrongText(
                "SORT(crew.name)", .type, 5..<14,
                "SORT needs one value for each object, not the values of \"crew.name\"",
                hint: "such as its @count"),
            WrongText(
                "SORT(plane)", .type, 5..<10, "Plane property \"plane\" has no order",
                hint: "name one of its properties"),
            WrongText("SORT(3)", .type, 5..<6, "SORT needs a property, not Int 3"),
            WrongText(
                "DISTINCT(labels)", .type, 9..<15,
                "DISTINCT needs one value for each object, not Map<String> property \"labels\"",
                hint: "such as its @count"),
            WrongText("project({1})", .type, 8..<11, "a column cannot be a list"),
            WrongText(
                "project(@sum.tags.length)", .type, 8..<24,
                "@sum needs one value for each object, not the values of \"tags.length\""),
            WrongText(
                "project(@max.plane)", .type, 8..<18,
                "@max needs values with an order, not Plane property \"plane\""),
            WrongText(
                "group(tags; @count)", .type, 6..<10,
                "group needs one value for each object, not List<String> property \"tags\""),
            WrongText(
                "group(city; name)", .type, 12..<16,
                "an item of a group is one of its keys or a value over its rows",
                hint: "such as @count, or compute it in a project after the group"),
            WrongText(
                "group(city; @count) | name == 'x'", .unknownProperty, 22..<26,
                "no column \"name\" in the result of the group"),
            WrongText(
                "group(city; city = @count)", .type, 12..<25, "two columns have the name \"city\"",
                hint: "name one of them with AS"),
            WrongText(
                "project(x = number + 1) | x.y == 3", .type, 28..<29,
                "\"x\" is computed: nothing can follow it"),
        ])
    func columns(wrong: WrongText) { check(wrong) }

    @Test("Paths, subqueries and computations have limits")
    func limits() {
        func code(_ text: String) -> QueryError.Code? {
            do {
                _ = try bindRich(text)
                return nil
            } catch { return error.code }
        }
        func others(_ count: Int) -> String {
            String(repeating: "other.", count: count) + "number > 1"
        }
        #expect(code(others(QueryLimits.pathSegmentsMax - 1)) == nil)
        #expect(code(others(QueryLimits.pathSegmentsMax)) == .limit)
        func nested(_ depth: Int) -> String {
            (0..<depth).map {
                "SUBQUERY(\($0 == 0 ? "crew" : "$v\($0 - 1).friend.dogs.owner"), $v\($0), "
            }
            .joined() + "$v\(depth - 1).age > 1" + String(repeating: ").@count > 1", count: depth)
        }
        #expect(code(nested(QueryLimits.subqueryNestingMax)) == nil)
        #expect(code(nested(QueryLimits.subqueryNestingMax + 1)) == .limit)
        let chain =
            "number" + String(repeating: " + number", count: QueryLimits.computationDepthMax)
        #expect(code(chain + " > 1") == nil)
        #expect(code(chain + " + number > 1") == .limit)
        let doubling =
            "Flight | project(x = number)"
            + String(repeating: " | project(x = x + x)", count: 40) + " | x > 1"
        #expect(code(doubling) == .limit)
        let growing =
            "Flight | project(x = other)"
            + String(repeating: " | project(x = x.other.other)", count: 40)
        #expect(code(growing) == .limit)
    }
}
