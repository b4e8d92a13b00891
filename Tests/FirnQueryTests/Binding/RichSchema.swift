import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// A schema with every kind of property: links, collections, inverses, embedded objects.
let richSchema: Schema = {
    typealias P = PropertyType
    let (flight, plane, person, dog, toy, leg) = (
        ClassID(1), ClassID(2), ClassID(3), ClassID(4), ClassID(5), ClassID(6)
    )
    func properties(_ types: [(String, PropertyType)]) -> [PropertySchema] {
        types.enumerated().map { index, element in
            PropertySchema(
                id: PropertyID(UInt32(index + 1)), name: element.0, type: element.1,
                display: element.0 == "built" ? .dateOnly : nil)
        }
    }
    return Schema(classes: [
        ClassSchema(
            id: flight, name: "Flight",
            properties: properties([
                ("number", P(.int)), ("plane", P(.link, isOptional: true, target: plane)),
                ("alternates", P(.link, container: .list, target: plane)),
                ("crew", P(.link, container: .set, target: person)),
                ("roles", P(.link, isOptional: true, container: .map, target: person)),
                ("labels", P(.string, container: .map)), ("tags", P(.string, container: .list)),
                ("codes", P(.int, container: .set)),
                ("scores", P(.int, isOptional: true, container: .list)),
                ("delay", P(.double, isOptional: true)), ("ratio", P(.float)),
                ("price", P(.decimal128, isOptional: true)),
                ("blob", P(.data, isOptional: true)), ("uid", P(.uuid)), ("oid", P(.objectID)),
                ("when", P(.date)), ("small", P(.int, integerWidth: .bits8)),
                ("mixed", P(.any, isOptional: true)),
                ("anys", P(.any, isOptional: true, container: .list)),
                ("anyMap", P(.any, isOptional: true, container: .map)),
                ("leg", P(.link, isOptional: true, target: leg)),
                ("legs", P(.link, container: .list, target: leg)), ("open", P(.bool)),
                ("name", P(.string)), ("city", P(.string, isOptional: true)),
                ("other", P(.link, isOptional: true, target: flight)),
                ("prices", P(.decimal128, container: .list)),
            ]), key: nil),
        ClassSchema(
            id: plane, name: "Plane",
            properties: properties([
                ("tailnum", P(.string)), ("seats", P(.int, isOptional: true)),
                ("built", P(.date, isOptional: true)), ("active", P(.bool)),
                ("tags", P(.string, container: .list)),
                ("owner", P(.link, isOptional: true, target: person)),
            ]), key: PropertyID(1),
            inverses: [
                InverseProperty(
                    name: "flights", sourceClass: flight, sourceProperty: PropertyID(2))
            ]),
        ClassSchema(
            id: person, name: "Person",
            properties: properties([
                ("id", P(.int)), ("name", P(.string)), ("age", P(.int, isOptional: true)),
                ("friend", P(.link, isOptional: true, target: person)),
                ("dogs", P(.link, container: .list, target: dog)),
                ("nicknames", P(.string, container: .set)),
            ]), key: PropertyID(1),
            inverses: [
                InverseProperty(name: "planes", sourceClass: plane, sourceProperty: PropertyID(6))
            ]),
        ClassSchema(
            id: dog, name: "Dog",
            properties: properties([
                ("name", P(.string)), ("age", P(.int)), ("good", P(.bool)),
                ("toys", P(.link, container: .list, target: toy)),
                ("owner", P(.link, isOptional: true, target: person)),
            ]), key: nil),
        ClassSchema(
            id: toy, name: "Toy",
            properties: properties([("label", P(.string)), ("price", P(.double))]), key: nil),
        ClassSchema(
            id: leg, name: "Leg", properties: properties([("miles", P(.int))]), key: nil,
            isEmbedded: true),
    ])
}()

func richContext(
    _ defaultClass: String? = "Flight", arguments: QueryArguments = [:], positional: [Value] = []
) -> BindingContext {
    BindingContext(
        schema: richSchema, defaultClass: defaultClass, arguments: arguments,
        positional: positional, now: Timestamp(seconds: 1_000_000))
}

func bindRich(
    _ text: String, class defaultClass: String = "Flight", arguments: QueryArguments = [:],
    positional: [Value] = []
) throws(QueryError) -> BoundQuery {
    try BoundQuery(
        text, entry: .pipeline,
        in: richContext(defaultClass, arguments: arguments, positional: positional))
}

/// The stages in canonical form, which must bind to the same query.
func rich(
    _ text: String, class defaultClass: String = "Flight", arguments: QueryArguments = [:],
    positional: [Value] = []
) throws -> String {
    let query = try bindRich(
        text, class: defaultClass, arguments: arguments, positional: positional)
    let again = try bindRich(query.description)
    guard again.stages == query.stages, again.classSchema == query.classSchema else {
        return "not stable: \(query) became \(again)"
    }
    return query.stages.map(\.description).joined(separator: " | ")
}

/// The only condition of a text.
func condition(_ text: String, class defaultClass: String = "Flight") throws -> BoundPredicate? {
    let query = try bindRich("where " + text, class: defaultClass)
    guard case .filter(let predicate)? = query.stages.first, query.stages.count == 1 else {
        return nil
    }
    return predicate
}

/// The left side of a bound comparison.
func compared(_ text: String) throws -> BoundExpression? {
    guard case .comparison(let comparison)? = try condition(text) else { return nil }
    return comparison.left.value
}
