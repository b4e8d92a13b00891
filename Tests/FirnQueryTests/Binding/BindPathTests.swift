import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

@Suite("Bound paths")
struct BindPathTests {
    @Test(
        "Paths lead through links, collections, inverses and embedded objects",
        arguments: [
            ("plane.seats > 200", "plane.seats > 200"),
            ("200 < plane.seats", "plane.seats > 200"),
            ("plane.owner.name == 'A'", #"plane.owner.name == "A""#),
            ("plane == nil", "plane == nil"), ("plane.owner != nil", "plane.owner != nil"),
            ("plane.@id == 3", "plane.@id == 3"), ("plane.active", "plane.active == true"),
            ("alternates.seats > 5", "ANY alternates.seats > 5"),
            ("alternates[*].seats > 5", "ANY alternates.seats > 5"),
            ("crew.dogs.toys.price < 2", "ANY crew.dogs.toys.price < 2"),
            ("crew.dogs.good", "ANY crew.dogs.good == true"),
            ("tags == 'x'", #"ANY tags == "x""#), ("tags[*] == 'x'", #"ANY tags == "x""#),
            ("plane.tags == 'x'", #"ANY plane.tags == "x""#),
            ("plane.flights.number == 1", "ANY plane.@links.Flight.plane.number == 1"),
            ("@links.Flight.other.number == 1", "ANY @links.Flight.other.number == 1"),
            ("@links.@count > 1", "@links.@count > 1"), ("@links.@size > 1", "@links.@count > 1"),
            ("other.@links.@count > 1", "other.@links.@count > 1"),
            ("tags[0] == 'x'", #"tags[0] == "x""#), ("tags[FIRST] == 'x'", #"tags[FIRST] == "x""#),
            ("tags[last] == nil", "tags[LAST] == nil"), ("tags[SIZE] > 1", "tags.@count > 1"),
            ("alternates[1].seats > 5", "alternates[1].seats > 5"),
            ("alternates[LAST].tags[0] == 'x'", #"alternates[LAST].tags[0] == "x""#),
            ("labels['a'] == 'x'", #"labels["a"] == "x""#),
            ("labels.a == 'x'", #"labels["a"] == "x""#),
            ("labels.@keys == 'x'", #"ANY labels.@keys == "x""#),
            ("labels.@values == 'x'", #"ANY labels == "x""#),
            ("labels == 'x'", #"ANY labels == "x""#),
            ("roles['pilot'].age > 40", #"roles["pilot"].age > 40"#),
            ("roles.pilot.age > 40", #"roles["pilot"].age > 40"#),
            ("roles.age > 40", "ANY roles.age > 40"),
            ("roles.@keys == 'pilot'", #"ANY roles.@keys == "pilot""#),
            ("legs.miles > 10", "ANY legs.miles > 10"), ("leg.miles > 10", "leg.miles > 10"),
        ])
    func paths(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Counts, sums and lengths are bound",
        arguments: [
            ("tags.@count > 1", "tags.@count > 1"), ("tags.@size > 1", "tags.@count > 1"),
            ("alternates.@count == 0", "alternates.@count == 0"),
            ("plane.flights.@count > 1", "plane.@links.Flight.plane.@count > 1"),
            ("alternates.tags.@count > 1", "alternates.tags.@count > 1"),
            ("labels.@keys.@count > 1", "labels.@keys.@count > 1"),
            ("name.@count > 3", "name.@count > 3"), ("name.length > 3", "name.@count > 3"),
            ("blob.@size > 3", "blob.@count > 3"),
            (
                "plane.tailnum.@count > 3",
                "plane.tailnum.@count > 3"
            ),
            ("tags.length > 3", "ANY tags.length > 3"),
            ("ALL crew.name.length > 3", "ALL crew.name.length > 3"),
            ("scores.@avg > 1.5", "scores.@avg > 1.5"), ("codes.@max == 3", "codes.@max == 3"),
            ("alternates.@sum.seats > 3", "alternates.@sum.seats > 3"),
            ("crew.@min.age < 30", "crew.@min.age < 30"),
            ("crew.dogs.toys.@max.price > 1", "crew.dogs.toys.@max.price > 1"),
            ("crew.dogs.@max.toys.price > 1", "crew.dogs.toys.@max.price > 1"),
            ("crew.dogs.age.@max > 1", "crew.dogs.@max.age > 1"),
            ("alternates.@max.owner.age > 1", "alternates.@max.owner.age > 1"),
            ("alternates.@min.built < 2000-01-01", "alternates.@min.built < 2000-01-01"),
            ("prices.@sum > 2.5", #"prices.@sum > decimal("2.5")"#),
            ("alternates.@count > scores.@count", "alternates.@count > scores.@count"),
            ("scores.@sum == number", "scores.@sum == number"),
        ])
    func reductions(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "Paths lead into a value of type Any",
        arguments: [
            ("mixed == 3", "mixed == 3"), ("mixed > 'x'", #"mixed > "x""#),
            ("mixed == nil", "mixed == nil"),
            ("mixed['a'][0] == true", #"mixed["a"][0] == true"#),
            ("mixed.a.b == 1", #"mixed["a"]["b"] == 1"#), ("mixed[*] == 1", "ANY mixed[*] == 1"),
            ("mixed.@values == 1", "ANY mixed[*] == 1"),
            ("mixed.@keys == 'a'", #"ANY mixed.@keys == "a""#),
            ("mixed[LAST] == 1", "mixed[LAST] == 1"), ("mixed.@size > 1", "mixed.@count > 1"),
            ("mixed['a'].@count > 1", #"mixed["a"].@count > 1"#),
            ("mixed[*].@max > 1", "mixed[*].@max > 1"),
            ("anys[0] == 1", "anys[0] == 1"), ("anys[0]['a'] == 1", #"anys[0]["a"] == 1"#),
            ("anys == 1", "ANY anys == 1"), ("anys[*][0] == 1", "ANY anys[*][0] == 1"),
            ("anyMap['k'] == 1", #"anyMap["k"] == 1"#),
            ("anyMap.k[FIRST] == 1", #"anyMap["k"][FIRST] == 1"#),
            ("mixed == {1, 'x'}", #"mixed == {1, "x"}"#),
            ("mixed CONTAINS 'x'", #"mixed CONTAINS "x""#),
        ])
    func insideOfAny(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test(
        "A type can be compared by name",
        arguments: [
            ("mixed.@type == 'int'", #"mixed.@type == "Int""#),
            ("mixed.@type == 'LONG'", #"mixed.@type == "Int""#),
            (
                "mixed.@type == 'numeric'",
                #"mixed.@type IN {"Int", "Float", "Double", "Decimal128"}"#
            ),
            ("mixed.@type IN {'bool', 'null'}", #"mixed.@type IN {"null", "Bool"}"#),
            ("mixed['a'].@type == 'object'", #"mixed["a"].@type == "Map""#),
            ("anys.@type == 'string'", #"ANY anys.@type == "String""#),
            ("ALL anys[*].@type == 'array'", #"ALL anys.@type == "List""#),
            ("plane.@type == 'link'", #"plane.@type == "Link""#),
            (
                "delay.@type != 'null'",
                #"delay.@type IN {"Bool", "Int", "Float", "Double", "Decimal128", "String", "#
                    + #""Data", "Date", "ObjectId", "UUID", "Link", "List", "Set", "Map"}"#
            ),
        ])
    func types(text: String, expected: String) throws { #expect(try rich(text) == expected) }

    @Test("Arguments can be keys in brackets and whole paths")
    func indexArguments() throws {
        let values: QueryArguments = ["0": .int(2), "k": .string("a\"b")]
        #expect(try rich("tags[$0] == 'x'", arguments: values) == #"tags[2] == "x""#)
        #expect(try rich("labels[$k] == 'x'", arguments: values) == #"labels["a\"b"] == "x""#)
        #expect(
            try rich(
                "%K > %@ AND tags[%@] == %@",
                positional: [.string("plane.seats"), .int(3), .int(1), .string("x")])
                == #"plane.seats > 3 AND tags[1] == "x""#)
        #expect(
            try rich("ANY %K.%K == 1", positional: [.string("`crew`.dogs"), .string("age")])
                == "ANY crew.dogs.age == 1")
        #expect(try rich("number == $1", positional: [.int(1), .int(2)]) == "number == 2")
        #expect(try rich("number == %@", arguments: ["0": .int(7)]) == "number == 7")
        #expect(
            try rich("number IN %@", positional: [.list([.int(1), .int(2)])]) == "number IN {1, 2}")
    }

    @Test("Single links become semi-joins, other paths become quantifiers, and collections counts")
    func trees() throws {
        let plane = try #require(richSchema.classNamed("Plane"))
        let person = try #require(richSchema.classNamed("Person"))
        let flight = try #require(richSchema.classNamed("Flight"))
        let link = try #require(flight.propertyNamed("plane"))
        let owner = try #require(plane.propertyNamed("owner"))
        let age = try #require(person.propertyNamed("age"))
        #expect(
            try condition("plane.owner.age != 3")
                == .linkMatches(
                    link, plane,
                    .linkMatches(
                        owner, person,
                        .test(.property(age), .compare(.notEqual, .int(3))), ifNil: true),
                    ifNil: true))
        guard case .linkMatches(_, _, _, ifNil: false)? = try condition("plane.owner.age > 3"),
            case .linkMatches(_, _, .test(.property(owner), .isNull), ifNil: true)? =
                try condition("plane.owner == nil"),
            case .comparison(let each)? = try condition("alternates.seats > 5"),
            each.left.quantifier == .any, let path = each.eachPath,
            each.test == .constant(.compare(.greater, .int(5))),
            case .reduction(.count, let counted)? = try compared("tags.@count > 1"),
            case .reduction(.maximum, let maximum)? = try compared("crew.@max.age > 1"),
            case .path(let element)? = try compared("tags[0] == 'x'")
        else {
            Issue.record("another form")
            return
        }
        #expect(path.isMultiple)
        #expect(path.type.base == .int)
        #expect(path.root == flight)
        guard case .collection = counted.terminal else {
            Issue.record("counted one by one")
            return
        }
        #expect(maximum.steps.count == 1)
        #expect(!element.isMultiple)
        #expect(element.terminal == .element(try #require(flight.propertyNamed("tags")), .index(0)))
    }
}
