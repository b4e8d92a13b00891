package import FirnText
package import FirnValues

/// A JSON value as the value of a property, before links are resolved.
///
/// `list`, `set` and `map` are used only for collections that contain a link; all others are a
/// `value`.
package enum JSONValue: Sendable {
    case value(Value)
    case link(JSONLink)
    case list([JSONValue])
    case set([JSONValue])
    case map([(key: String, value: JSONValue)])
}

/// The reference to the target of a link.
package struct JSONLink: Sendable {
    package enum Form: Sendable {
        /// The key of the target, or its `$id` if the class has no key.
        case key(JSONTree)
        /// `{"$ref":"Dog","id":3}`: the key or `$id`, with the class.
        case reference(className: String, id: JSONTree)
        /// `{"$ref":"Dog","$id":17}`: always the row id.
        case row(className: String, RowID)
        /// The object itself: an embedded object, or an object to write first.
        case object(JSONTree)
    }

    package let form: Form
    /// The whole value, for errors.
    let tree: JSONTree
}

extension JSONValue {
    /// Returns the value with each link replaced by its target.
    package func value<Failure: Error>(
        resolving link: (JSONLink) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .value(let value): return value
        case .link(let name): return try link(name)
        case .list(let elements): return .list(try JSONValue.values(elements, link))
        case .set(let elements):
            return .set(JSONValue.distinct(try JSONValue.values(elements, link)))
        case .map(let entries):
            var values: TextMap<Value> = [:]
            for (key, value) in entries { values[key] = try value.value(resolving: link) }
            return .map(values)
        }
    }

    private static func values<Failure: Error>(
        _ elements: [JSONValue], _ link: (JSONLink) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try element.value(resolving: link)) }
        return values
    }

    /// Returns the elements of a set in ascending order without duplicates.
    ///
    /// `1` and `1.0` are two elements, which keep their order.
    package static func distinct(_ values: [Value]) -> [Value] {
        let sorted = values.enumerated().sorted { left, right in
            let order = left.element.order(relativeTo: right.element)
            return order == .equal ? left.offset < right.offset : order == .less
        }
        var distinct: [Value] = []
        distinct.reserveCapacity(sorted.count)
        // The start of the elements that are equal in order to the last one.
        var first = 0
        for (_, value) in sorted {
            if let last = distinct.last, last.order(relativeTo: value) != .equal {
                first = distinct.count
            }
            if !distinct[first...].contains(value) { distinct.append(value) }
        }
        return distinct
    }
}
