import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

@Suite("Bound regions")
struct BindRegionTests {
    private static let schema: Schema = {
        typealias P = PropertyType
        func properties(_ types: [(String, PropertyType)]) -> [PropertySchema] {
            types.enumerated().map { index, element in
                PropertySchema(
                    id: PropertyID(UInt32(index + 1)), name: element.0, type: element.1)
            }
        }
        let (shop, spot, town) = (ClassID(1), ClassID(2), ClassID(3))
        return Schema(classes: [
            ClassSchema(
                id: shop, name: "Shop",
                properties: properties([
                    ("name", P(.string)), ("spot", P(.link, isOptional: true, target: spot)),
                    ("doors", P(.link, container: .list, target: spot)),
                    ("town", P(.link, isOptional: true, target: town)),
                ]), key: nil),
            ClassSchema(
                id: spot, name: "Spot",
                properties: properties([
                    ("type", P(.string)), ("coordinates", P(.double, container: .list)),
                ]), key: nil, isEmbedded: true),
            ClassSchema(
                id: town, name: "Town",
                properties: properties([
                    ("type", P(.string)), ("middle", P(.link, isOptional: true, target: spot)),
                ]), key: nil),
        ])
    }()

    private func bind(
        _ text: String, _ arguments: QueryArguments = [:]
    ) throws(QueryError) -> BoundQuery {
        try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(
                schema: Self.schema, defaultClass: "Shop", arguments: arguments,
                now: Timestamp(seconds: 0)))
    }

    @Test(
        "The canonical text of a region binds to the same region",
        arguments: [
            (
                "spot geoWithin geoBox([1, 2], {3, 4.5})",
                "spot GEOWITHIN geoBox([1.0, 2.0], [3.0, 4.5])"
            ),
            (
                "town.middle GEOWITHIN GEOCIRCLE([-1.5, 2, 100], 0.25)",
                "town.middle GEOWITHIN geoCircle([-1.5, 2.0], 0.25)"
            ),
            (
                "NOT spot GEOWITHIN geoPolygon({[0,0],[9,0],[9,9],[0,0]}, {[5,2],[6,2],[6,3],[5,2]})",
                "NOT spot GEOWITHIN geoPolygon({[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 0.0]}, "
                    + "{[5.0, 2.0], [6.0, 2.0], [6.0, 3.0], [5.0, 2.0]})"
            ),
            (
                "ANY doors GEOWITHIN geoCircle([0, 0], 1)",
                "SUBQUERY(doors, $x, $x GEOWITHIN geoCircle([0.0, 0.0], 1.0)).@count > 0"
            ),
            (
                "NONE doors GEOWITHIN geoCircle([0, 0], 1)",
                "SUBQUERY(doors, $x, $x GEOWITHIN geoCircle([0.0, 0.0], 1.0)).@count == 0"
            ),
            (
                "ALL doors GEOWITHIN geoCircle([0, 0], 1)",
                "SUBQUERY(doors, $x, NOT $x GEOWITHIN geoCircle([0.0, 0.0], 1.0)).@count == 0"
            ),
        ])
    func canonical(text: String, expected: String) throws {
        let query = try bind(text)
        #expect(query.stages.map(\.description) == [expected])
        #expect(try bind(query.description).stages == query.stages)
    }

    @Test("Numbers, points and whole regions can be arguments")
    func arguments() throws {
        let expected = try bind("spot GEOWITHIN geoCircle([1.5, 2], 0.5)").stages
        #expect(
            try bind(
                "spot GEOWITHIN geoCircle($here, $radius)",
                ["here": .list([.double(1.5), .int(2)]), "radius": .double(0.5)]
            ).stages
                == expected)
        #expect(
            try bind("spot GEOWITHIN geoCircle([$x, $y], 0.5)", ["x": .double(1.5), "y": .int(2)])
                .stages == expected)
        #expect(
            try bind("spot GEOWITHIN $region", ["region": .string("geoCircle([1.5, 2], 0.5)")])
                .stages == expected)
        #expect(
            try bind("spot IN $region", ["region": .string("geoCircle([1.5, 2], 0.5)")]).stages
                == expected)
    }

    @Test(
        "An invalid region is an error with its position",
        arguments: [
            ("name GEOWITHIN geoCircle([0, 0], 1)", 0, "GEOWITHIN needs a link to places"),
            ("town GEOWITHIN geoCircle([0, 0], 1)", 0, "GEOWITHIN needs a link to places"),
            ("doors[0] GEOWITHIN geoCircle([0, 0], 1)", 0, "GEOWITHIN for one element"),
            ("spot GEOWITHIN 5", 15, "GEOWITHIN needs a region"),
            ("spot GEOWITHIN 'here'", 15, "\"here\" is not a region"),
            ("spot GEOWITHIN 'geoCircle([0, 0]'", 15, "the region: "),
            ("spot GEOWITHIN geoTriangle([0, 0])", 15, "GEOWITHIN needs a region"),
            ("spot GEOWITHIN[c] geoCircle([0, 0], 1)", 5, "[c] and [d] are for texts"),
            ("spot GEOWITHIN geoBox([0, 0])", 15, "geoBox takes two corners"),
            ("spot GEOWITHIN geoBox([0, 9], [5, 1])", 15, "the lower left corner of the box lies"),
            ("spot GEOWITHIN geoBox([0, 91], [5, 92])", 22, "there is no place at longitude 0.0"),
            ("spot GEOWITHIN geoBox([0, 'x'], [5, 92])", 26, "a coordinate is a number"),
            ("spot GEOWITHIN geoCircle([0], 1)", 25, "a place is a list of"),
            ("spot GEOWITHIN geoCircle(name, 1)", 25, "a place is a list of"),
            ("spot GEOWITHIN geoCircle([0, 0], -1)", 33, "the radius of a circle is a number"),
            ("spot GEOWITHIN geoCircle([0, 0], 'x')", 33, "the radius of a circle is a number"),
            ("spot GEOWITHIN geoPolygon()", 15, "geoPolygon takes a ring"),
            ("spot GEOWITHIN geoPolygon(5)", 26, "a ring is a list of places"),
            ("spot GEOWITHIN geoPolygon({[0,0],[1,0],[1,1]})", 15, "the polygon: ring 1 has fewer"),
            (
                "spot GEOWITHIN geoPolygon({[0,0],[1,0],[1,1],[0,1]})", 15,
                "the polygon: ring 1 does not end"
            ),
        ])
    func errors(text: String, start: Int, message: String) {
        let error = #expect(throws: QueryError.self) { try bind(text) }
        #expect(error?.range.lowerBound == start, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("A region with more corners than allowed is refused before its corners are checked")
    func limits() {
        let ring = String(repeating: "[0,0],", count: QueryLimits.polygonCornersMax)
        let error = #expect(throws: QueryError.self) {
            try bind("spot GEOWITHIN geoPolygon({\(ring)[0,0]})")
        }
        #expect(error?.code == .limit)
    }
}
