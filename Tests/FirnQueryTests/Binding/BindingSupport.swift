import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// A schema with all scalar types, and two that queries do not support.
let testSchema: Schema = {
    func property(
        _ id: UInt32, _ name: String, _ type: PropertyType, _ display: DisplayForm? = nil
    ) -> PropertySchema {
        PropertySchema(id: PropertyID(id), name: name, type: type, display: display)
    }
    let person = ClassSchema(
        id: ClassID(1), name: "Person",
        properties: [
            property(1, "id", PropertyType(.int)),
            property(2, "name", PropertyType(.string)),
            property(3, "age", PropertyType(.int, isOptional: true)),
            property(4, "height", PropertyType(.double, isOptional: true), .decimalPlaces(2)),
            property(5, "married", PropertyType(.bool)),
            property(6, "born", PropertyType(.date, isOptional: true), .dateOnly),
            property(7, "city", PropertyType(.string, isOptional: true)),
            property(8, "a-b", PropertyType(.int)),
            property(9, "scores", PropertyType(.int, container: .list)),
            property(10, "photo", PropertyType(.data, isOptional: true)),
            property(11, "first", PropertyType(.bool)),
        ], key: PropertyID(1))
    let flight = ClassSchema(
        id: ClassID(2), name: "Flight",
        properties: [property(1, "dep_delay", PropertyType(.int, isOptional: true))], key: nil)
    return Schema(classes: [person, flight])
}()

func bind(
    _ text: String, entry: QueryEntry = .pipeline, defaultClass: String? = "Person",
    arguments: QueryArguments = [:]
) throws(QueryError) -> BoundQuery {
    let context = BindingContext(
        schema: testSchema, defaultClass: defaultClass, arguments: arguments,
        now: Timestamp(seconds: 1_000_000))
    return try BoundQuery(text, entry: entry, in: context)
}

/// The stages in canonical form, joined as in a text.
func bound(_ text: String, arguments: QueryArguments = [:]) throws -> String {
    let query = try bind(text, arguments: arguments)
    // The printed text must bind to the same query.
    let again = try bind(query.description, arguments: [:])
    guard again.stages == query.stages, again.classSchema == query.classSchema else {
        return "not stable: \(query) became \(again)"
    }
    return query.stages.map(\.description).joined(separator: " | ")
}
