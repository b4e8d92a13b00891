import FirnEngine
import FirnSyntax
import FirnValues

extension PathResolver {
    mutating func stepFromCollection(
        _ property: PropertySchema, _ segment: Path.Segment
    ) throws(QueryError) {
        switch segment.kind {
        case .name(let name): try stepByName(property, name, segment)
        case .attribute("@keys"):
            guard property.type.container == .map else { throw stepError(segment) }
            endpoint = .value(.keys(property), PropertyType(.string))
        case .attribute("@values"):
            guard property.type.container == .map else { throw stepError(segment) }
            try openAll(property)
        case .attribute("@type"): try takeTypeName(segment)
        // A condition on any element is the same with and without repeated values.
        case .attribute("@unionOfObjects"), .attribute("@distinctUnionOfObjects"):
            guard index < path.segments.count else { throw stepError(segment) }
            try openAll(property)
        case .attribute(let name):
            if let function = BoundExpression.Reduction(attribute: name) {
                try reduce(by: function, name, segment)
                if function != .count { try openAll(property) }
                return
            }
            guard property.type.base == .link else { throw stepError(segment) }
            try openAll(property)
            try step(segment)
        case .index(let index): try stepByIndex(property, index, segment)
        case .placeholder: throw stepError(segment)
        }
    }

    /// Steps to all elements: objects or values.
    private mutating func openAll(_ property: PropertySchema) throws(QueryError) {
        guard property.type.base == .link else {
            endpoint = .elements(property)
            return
        }
        let target = try target(property)
        steps.append(.elements(property, target))
        endpoint = .object(target)
    }

    /// Steps to a property of the elements, or to a key of a map.
    private mutating func stepByName(
        _ property: PropertySchema, _ name: String, _ segment: Path.Segment
    ) throws(QueryError) {
        let base = property.type.base
        if base == .link {
            let target = try target(property)
            let isKnown = target.propertyNamed(name) != nil || target.inverseNamed(name) != nil
            if isKnown || property.type.container != .map {
                try openAll(property)
                return try step(segment)
            }
        }
        if property.type.container == .map { return try enterMap(property, name) }
        if name == "length", base == .string || base == .data { return try takeLength(segment) }
        if name == "length", base == .any {
            try openAll(property)
            return try step(segment)
        }
        throw stepError(segment)
    }

    private mutating func enterMap(
        _ property: PropertySchema, _ key: String
    ) throws(QueryError) {
        guard property.type.base == .link else {
            endpoint = .value(.mapValue(property, key: key), property.type.element)
            return
        }
        let target = try target(property)
        steps.append(.mapValue(property, key: key, target))
        endpoint = .object(target)
    }

    private mutating func stepByIndex(
        _ property: PropertySchema, _ index: Path.Index, _ segment: Path.Segment
    ) throws(QueryError) {
        switch try binder.step(index, segment.range) {
        case .attribute(let name):
            try stepFromCollection(
                property, Path.Segment(.attribute(name), range: segment.range))
        case .all: try openAll(property)
        case .size: try reduce(by: .count, "[SIZE]", segment)
        case .inner(.key(let key)):
            guard property.type.container == .map else {
                throw binder.typeError(
                    "a \(property.type.container.name) has no keys", segment.range,
                    hint: property.type.container == .list ? "such as [0], [FIRST], [LAST]" : nil)
            }
            try enterMap(property, key)
        case .inner(let inner):
            guard property.type.container == .list, let position = inner.position else {
                throw binder.typeError(
                    "a \(property.type.container.name) has no positions", segment.range,
                    hint: property.type.container == .map ? "such as [\"key\"]" : nil)
            }
            guard property.type.base == .link else {
                endpoint = .value(.element(property, position), property.type.element)
                return
            }
            let target = try target(property)
            steps.append(.element(property, position, target))
            endpoint = .object(target)
        }
    }
}
