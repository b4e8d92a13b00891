import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues
import Testing

@Suite("Bound comparisons of every type")
struct BindComparisonTests {
    @Test(
        "Constants take the type of the other side",
        arguments: [
            ("small == 300", "small == 300"), ("small < -1000.5", "small < -1000.5"),
            ("ratio == 0.1", "ratio == 0.10000000149011612"), ("ratio > 2", "ratio > 2"),
            ("price == 1.1", #"price == decimal("1.1")"#),
            ("price == '1.10'", #"price == decimal("1.10")"#), ("price > 5", "price > 5"),
            (#"price == decimal("1E+3")"#, #"price == decimal("1E+3")"#),
            (#"blob == B64"AQID/w==""#, #"blob == B64"AQID/w==""#),
            ("blob == bin('abc')", #"blob == B64"YWJj""#),
            (#"blob == binary(B64"YWJj")"#, #"blob == B64"YWJj""#),
            (
                "uid == 'F81D4FAE-7dec-11d0-a765-00a0c91e6bf6'",
                #"uid == uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")"#
            ),
            (
                #"uid != uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")"#,
                #"uid != uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")"#
            ),
            (
                "oid == '0123456789abcdef01234567'", #"oid == oid("0123456789abcdef01234567")"#
            ),
            ("when > '2020-01-01'", "when > 2020-01-01"),
            ("mixed == decimal('1.5')", #"mixed == decimal("1.5")"#),
            ("mixed == bin('a')", #"mixed == B64"YQ==""#),
            ("price IN {1, '2.50', 3.5}", #"price IN {1, decimal("2.50"), decimal("3.5")}"#),
            ("price BETWEEN {'1', 2}", #"price BETWEEN {decimal("1"), 2}"#),
        ])
    func constants(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Links are compared with objects and with their keys",
        arguments: [
            ("plane == obj('Plane', 'N1')", #"plane.tailnum == "N1""#),
            ("obj('Plane', 'N1') != plane", #"plane.tailnum != "N1""#),
            ("plane.owner == obj('Person', 1)", "plane.owner.id == 1"),
            ("plane IN {obj('Plane', 'a'), obj('Plane', 'b')}", #"plane.tailnum IN {"a", "b"}"#),
            ("plane IN {nil, obj('Plane', 'a')}", #"plane.tailnum == "a" OR plane == nil"#),
            ("ALL alternates IN {obj('Plane', 'a')}", #"ALL alternates.tailnum == "a""#),
            (
                "ALL alternates IN {obj('Plane', 'a'), obj('Plane', 'b')}",
                #"ALL alternates.tailnum IN {"a", "b"}"#
            ),
            ("alternates == obj('Plane', 'a')", #"ANY alternates.tailnum == "a""#),
            ("NONE alternates == obj('Plane', 'a')", #"NONE alternates.tailnum == "a""#),
            ("obj('Plane', 'a') IN alternates", #"ANY alternates.tailnum == "a""#),
            ("alternates[0] == obj('Plane', 'a')", #"alternates[0].tailnum == "a""#),
            ("plane == link('Plane', 5)", "plane.@id == 5"),
            ("mixed == link(2, 5)", "mixed == link(2, 5)"),
            ("plane IN alternates", "ANY alternates == plane"),
            ("other.plane == plane", "other.plane == plane"),
            ("plane.owner != other.plane.owner", "plane.owner != other.plane.owner"),
        ])
    func objects(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test("A key without an object is not equal to any object")
    func objectTree() throws {
        let plane = try #require(richSchema.classNamed("Plane"))
        let link = try #require(richSchema.classNamed("Flight")?.propertyNamed("plane"))
        let key = try #require(plane.keyProperty)
        #expect(
            try condition("plane == obj('Plane', 'N1')")
                == .linkMatches(
                    link, plane, .test(.property(key), .compare(.equal, .string("N1"))),
                    ifNil: false))
        let reference = ObjectReference(classID: plane.id, rowID: RowID(9))
        #expect(try rich("plane == $p", arguments: ["p": .link(reference)]) == "plane.@id == 9")
    }

    @Test(
        "Quantifiers apply to paths and lists",
        arguments: [
            ("SOME tags == 'x'", #"ANY tags == "x""#), ("ALL tags != 'x'", #"ALL tags != "x""#),
            ("NONE tags LIKE 'x*'", #"NONE tags LIKE "x*""#),
            ("NOT ANY tags == 'x'", #"NOT ANY tags == "x""#),
            ("ALL scores > 3", "ALL scores > 3"), ("3 < ALL scores", "ALL scores > 3"),
            ("ANY scores == nil", "ANY scores == nil"), ("ALL scores < nil", "ALL scores IN {}"),
            ("ANY scores < nil", "FALSEPREDICATE"), ("NONE scores < nil", "TRUEPREDICATE"),
            ("ANY {1, 2} == number", "number IN {1, 2}"),
            ("number == ANY {1, 2}", "number IN {1, 2}"),
            ("NONE {1, 2} == number", "NOT number IN {1, 2}"),
            ("ALL {1, 2} < number", "number > 1 AND number > 2"),
            ("ANY {1, 2} < number", "number > 1 OR number > 2"),
            ("ALL {1, 2} == codes", "ANY codes == 1 AND ANY codes == 2"),
            ("ANY {} == number", "FALSEPREDICATE"), ("ALL {} == number", "TRUEPREDICATE"),
            ("number IN codes", "ANY codes == number"),
            ("number == ANY codes", "ANY codes == number"),
            ("3 IN codes", "ANY codes == 3"), ("number < ALL codes", "ALL codes > number"),
            ("name IN[c] tags", "ANY tags ==[c] name"), ("'a' IN[c] tags", #"ANY tags ==[c] "a""#),
            ("ANY codes IN {1, 2}", "ANY codes IN {1, 2}"), ("codes IN {1}", "ANY codes IN {1}"),
            ("ALL codes IN {1, 2}", "ALL codes IN {1, 2}"),
            ("ALL codes BETWEEN {1, 5}", "ALL codes BETWEEN {1, 5}"),
            ("NONE codes BETWEEN {1, 5}", "NONE codes BETWEEN {1, 5}"),
            ("codes BETWEEN {1, 5}", "ANY codes BETWEEN {1, 5}"),
            ("tags IN[c] {'a', 'b'}", #"ANY tags ==[c] "a" OR ANY tags ==[c] "b""#),
            (
                "NONE tags IN[c] {'a', 'b'}",
                #"NOT (ANY tags ==[c] "a" OR ANY tags ==[c] "b")"#
            ),
            ("crew.name == 'A'", #"ANY crew.name == "A""#),
            ("ALL crew.age > number", "ALL crew.age > number"),
            ("ALL tags CONTAINS ''", "ALL tags IN {}"),
            ("name CONTAINS ANY {'a', 'b'}", #"name CONTAINS "a" OR name CONTAINS "b""#),
        ])
    func quantifiers(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Whole collections are compared with lists",
        arguments: [
            ("scores == {1, nil, 2}", "scores == {1, null, 2}"), ("{} == tags", "tags == {}"),
            ("tags != {'a'}", #"NOT tags == {"a"}"#), ("NOT tags != {'a'}", #"tags == {"a"}"#),
            ("codes == {3, 1, 1}", "codes == {1, 3}"), ("labels == {}", "labels == {}"),
            ("ANY scores == {1, 2}", "ANY scores IN {1, 2}"),
            ("scores == ANY {1, 2}", "ANY scores IN {1, 2}"),
            ("ALL scores == {1, 2}", "ALL scores IN {1, 2}"),
            ("plane.tags == {'a'}", #"plane.tags == {"a"}"#),
            ("prices == {'1.0'}", #"prices == {decimal("1.0")}"#),
        ])
    func collections(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test("Arguments can be lists")
    func listArguments() throws {
        let arguments: QueryArguments = ["0": .list([.int(1), .int(2)]), "none": .list([])]
        #expect(try rich("ANY $0 == number", arguments: arguments) == "number IN {1, 2}")
        #expect(try rich("number IN $0", arguments: arguments) == "number IN {1, 2}")
        #expect(try rich("scores == $0", arguments: arguments) == "scores == {1, 2}")
        #expect(try rich("ALL $none == number", arguments: arguments) == "TRUEPREDICATE")
        #expect(try rich("number BETWEEN $0", arguments: arguments) == "number BETWEEN {1, 2}")
    }

    @Test(
        "Computed values can be compared",
        arguments: [
            ("number + 1 > small * 2", "number + 1 > small * 2"),
            ("(number + 1) * 2 == 6", "(number + 1) * 2 == 6"),
            ("number - (small - 1) == 6", "number - (small - 1) == 6"),
            ("2 * 3 * number > 1", "6 * number > 1"), ("-number < 3", "0 - number < 3"),
            ("6 < number / plane.seats", "number / plane.seats > 6"),
            ("when > now() - 7d", "when > 1970-01-05T13:46:40Z"),
            ("when + 1h < now()", "when + 3600000ms < 1970-01-12T13:46:40Z"),
            ("when - 1d == plane.built", "when - 86400000ms == plane.built"),
            ("1d + when > plane.built", "when + 86400000ms > plane.built"),
            ("lower(name) == 'x'", #"lower(name) == "x""#),
            ("year(when) == 2013", "year(when) == 2013"),
            ("coalesce(delay, 0) > 5", "coalesce(delay, 0) > 5"),
            ("LENGTH(name) > small", "length(name) > small"),
            ("coalesce(city, name, 'x') LIKE 'a*'", #"coalesce(city, name, "x") LIKE "a*""#),
            ("name CONTAINS[c] city", "name CONTAINS[c] city"),
            ("'abc' BEGINSWITH name", #""abc" BEGINSWITH name"#),
            ("tags BEGINSWITH name", "ANY tags BEGINSWITH name"),
            ("name ==[c] city", "name ==[c] city"),
            ("name ==[cd] lower(city)", "name ==[cd] lower(city)"),
            ("name LIKE city", "name LIKE city"), ("mixed CONTAINS name", "mixed CONTAINS name"),
            ("mixed == number", "mixed == number"), ("price > delay", "price > delay"),
            ("plane.seats > number", "plane.seats > number"),
            ("number + alternates.@count > 5", "number + alternates.@count > 5"),
            ("price * 2 > 5", #"price * 2 > decimal("5")"#.replacing(#"decimal("5")"#, with: "5")),
            (#"price * decimal("1.5") > 2.5"#, #"price * decimal("1.5") > decimal("2.5")"#),
        ])
    func computed(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Subqueries are bound to the class of their elements",
        arguments: [
            (
                "SUBQUERY(crew, $c, $c.age > 3).@count > 1",
                "SUBQUERY(crew, $x, $x.age > 3).@count > 1"
            ),
            (
                "0 < SUBQUERY(crew, $c, $c.age > 3 OR $c.friend == nil).@size",
                "SUBQUERY(crew, $x, $x.age > 3 OR $x.friend == nil).@count > 0"
            ),
            (
                "SUBQUERY(crew, $a, SUBQUERY($a.dogs, $b, $b.good AND $b.toys.@count > 2).@count == $a.age).@count > 1",
                "SUBQUERY(crew, $x, SUBQUERY($x.dogs, $x2, $x2.good == true AND "
                    + "$x2.toys.@count > 2).@count == $x.age).@count > 1"
            ),
            (
                "SUBQUERY(alternates, $p, $p.owner.name == 'A' AND ANY $p.tags == 'x').@count == number",
                "SUBQUERY(alternates, $x, $x.owner.name == \"A\" AND ANY $x.tags == \"x\")"
                    + ".@count == number"
            ),
            (
                "SUBQUERY(alternates, $p, $p == obj('Plane', 'N1')).@count > 0",
                "SUBQUERY(alternates, $x, $x.tailnum == \"N1\").@count > 0"
            ),
            (
                "SUBQUERY(crew, $p, $p == $p.friend).@count > 0",
                "SUBQUERY(crew, $x, $x.@id == $x.friend.@id).@count > 0"
            ),
            (
                "SUBQUERY(crew, $p, $p.age > number AND $p.age < number + small).@count > 0",
                "SUBQUERY(crew, $x, $x.age > number AND $x.age < number + small).@count > 0"
            ),
            (
                "SUBQUERY(crew, $p, SUBQUERY($p.dogs, $d, $d.name == name AND $d.name != $p.name)"
                    + ".@count > plane.seats).@count > 0",
                "SUBQUERY(crew, $x, SUBQUERY($x.dogs, $x2, $x2.name == name AND "
                    + "$x2.name != $x.name).@count > plane.seats).@count > 0"
            ),
            (
                "SUBQUERY(crew, $p, $p.age * 2 > (number + 1) * 2).@count > 0",
                "SUBQUERY(crew, $x, $x.age * 2 > (number + 1) * 2).@count > 0"
            ),
            (
                "SUBQUERY(crew, $p, $p != nil).@count > 0",
                "SUBQUERY(crew, $x, TRUEPREDICATE).@count > 0"
            ),
            (
                "SUBQUERY(plane.flights, $f, $f.number + $f.small > 9).@count / 2 > 1",
                "SUBQUERY(plane.@links.Flight.plane, $x, $x.number + $x.small > 9)"
                    + ".@count / 2 > 1"
            ),
        ])
    func subqueries(text: String, expected: String) throws { #expect(try rich(text) == expected) }
}
