import FirnQuery
import FirnSyntax
import FirnValues

extension QueryNode {
    /// Returns a comparison of a value with one or several values of the program.
    ///
    /// A custom type that is stored as an embedded object is compared member by member, because no
    /// other value can be what it is stored as:
    ///
    ///     place == Coordinate(x: 1, y: 2)     place.x == 1 && place.y == 2
    static func comparing(
        _ left: QueryNode, _ operation: Comparison.Operator, _ options: Comparison.Options,
        _ right: QueryNode
    ) -> QueryNode {
        switch (operation, right) {
        case (.equal, .value(let value)), (.notEqual, .value(let value)):
            guard let object = storedObject(of: value) else { break }
            return memberwise(left, object, isEqual: operation == .equal)
        case (.oneOf, .values(let values)) where values.contains { storedObject(of: $0) != nil }:
            return .oneOf(values.map { comparing(left, .equal, options, .value($0)) })
        default: break
        }
        return .comparison(left, operation, options, right)
    }

    /// Returns the embedded object that stores a custom value; `nil` for other values.
    private static func storedObject(of value: Any) -> EmbeddedObject? {
        // A cast takes longer than most comparisons.
        guard !(value is String), !(value is Int),
            let custom = something(in: value) as? any _CustomPersistable
        else { return nil }
        return custom._persisted as? EmbeddedObject
    }

    private static func memberwise(
        _ left: QueryNode, _ object: EmbeddedObject, isEqual: Bool
    ) -> QueryNode {
        let path: QueryPath
        switch left {
        case .path(let found), .any(.path(let found)): path = found
        default: misuse("\(type(of: object)) is compared with something that is not a property")
        }
        let layout = object.layout
        let members = layout.properties.indices.map { index in
            let property = layout.properties[index]
            guard property.declaration.type.container == .single else {
                misuse(
                    "a value that is stored as \(layout.className) is compared member by member, "
                        + "which is not possible for its collection \(property.name): compare the "
                        + "other members one by one")
            }
            return comparing(
                .path(path.member(property.name)), .equal, [],
                .value(layout.value(index, of: object)))
        }
        guard path.stepsToCollection != nil else {
            // Members of nothing are nil, too.
            let isThere = QueryNode.comparison(
                .path(path), .notEqual, [], .value(Optional<Int>.none as Any))
            let condition = QueryNode.all([isThere] + members)
            return isEqual ? condition : .not(condition)
        }
        let condition: QueryNode = isEqual ? .all(members) : .not(.all(members))
        // One element has to pass all comparisons.
        return .comparison(.countOf(condition), .greater, [], .value(0))
    }
}
