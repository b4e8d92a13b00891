import FirnEngine
import FirnSyntax
import FirnValues

extension PathResolver {
    // MARK: Single values

    mutating func stepFromSingle(
        _ property: PropertySchema, _ segment: Path.Segment
    ) throws(QueryError) {
        switch property.type.base {
        case .link:
            if case .attribute("@type") = segment.kind { return try takeTypeName(segment) }
            if case .attribute(let name) = segment.kind,
                let function = BoundExpression.Reduction(attribute: name), !isMultiple
            {
                guard function == .count else { throw needsCollection(name, segment.range) }
                return try countObject(property, name, segment)
            }
            let target = try target(property)
            steps.append(.link(property, target))
            endpoint = .object(target)
            try stepFromObject(target, segment)
        case .any:
            try stepIntoAny(property, [], segment)
        default: try stepFromScalar(property.type, segment)
        }
    }

    /// Counts the object of a single link: 1, or 0 if there is none.
    private mutating func countObject(
        _ property: PropertySchema, _ name: String, _ segment: Path.Segment
    ) throws(QueryError) {
        let target = try target(property)
        steps.append(.link(property, target))
        let objects = bound(.object, PropertyType(.link, target: target.id))
        endpoint = .end(.single(Computed(.reduction(.count, objects))), after: name)
    }

    /// Steps from a value that has no nested values.
    private mutating func stepFromScalar(
        _ type: PropertyType, _ segment: Path.Segment
    ) throws(QueryError) {
        let hasLength = type.base == .string || type.base == .data
        switch segment.kind {
        case .name("length") where hasLength: return try takeLength(segment)
        case .attribute("@type"): return try takeTypeName(segment)
        case .attribute(let name):
            if let function = BoundExpression.Reduction(attribute: name) {
                if isMultiple || isInKeys || (function == .count && hasLength) {
                    return try reduce(by: function, name, segment)
                }
                if function != .count { throw needsCollection(name, segment.range) }
            }
        default: break
        }
        throw stepError(segment)
    }

    private var isInKeys: Bool {
        if case .value(.keys, _) = endpoint { true } else { false }
    }

    private func needsCollection(_ name: String, _ range: SourceRange) -> QueryError {
        do {
            let described = binder.describe(try reached())
            return binder.typeError("\(name) needs a collection, not \(described)", range)
        } catch { return error }
    }

    /// Returns the error for a step that a value does not support.
    func stepError(_ segment: Path.Segment) -> QueryError {
        do {
            let described = binder.describe(try reached())
            switch segment.kind {
            case .name(let name):
                return binder.typeError(
                    "\(described) has no property \"\(name.shortened)\"", segment.range)
            case .attribute(let name):
                return binder.typeError(
                    "\(name.shortened) does not apply to \(described)", segment.range)
            case .index, .placeholder:
                return binder.typeError("\(described) has no elements", segment.range)
            }
        } catch { return error }
    }

    // MARK: Elements and values

    mutating func stepFromElements(
        _ property: PropertySchema, _ segment: Path.Segment
    ) throws(QueryError) {
        switch segment.kind {
        case .attribute(let name)
        where BoundExpression.Reduction(attribute: name) != nil || name == "@type":
            // Elements are counted like a collection, without reading them.
            endpoint = .property(property)
            try stepFromCollection(property, segment)
        case .name("length") where property.type.base == .string || property.type.base == .data:
            try takeLength(segment)
        default:
            guard property.type.base == .any else { throw stepError(segment) }
            try stepIntoAny(property, [.all], segment)
        }
    }

    mutating func stepFromValue(
        _ terminal: BoundPath.Terminal, _ type: PropertyType, _ segment: Path.Segment
    ) throws(QueryError) {
        guard type.base == .any else { return try stepFromScalar(type, segment) }
        switch terminal {
        case .element(let property, let position):
            try stepIntoAny(property, [position.inner], segment)
        case .mapValue(let property, let key): try stepIntoAny(property, [.key(key)], segment)
        case .nested(let property, let inner): try stepIntoAny(property, inner, segment)
        default: throw stepError(segment)
        }
    }

    /// Steps further into an Any.
    private mutating func stepIntoAny(
        _ property: PropertySchema, _ inner: [BoundPath.Inner], _ segment: Path.Segment
    ) throws(QueryError) {
        var inner = inner
        switch segment.kind {
        case .name(let key): inner.append(.key(key))
        case .attribute("@keys"): inner.append(.keys)
        case .attribute("@values"): inner.append(.all)
        case .attribute("@type"): return try takeTypeName(segment)
        case .attribute(let name):
            guard let function = BoundExpression.Reduction(attribute: name) else {
                throw stepError(segment)
            }
            let isOne = !inner.contains(.all) && !inner.contains(.keys)
            if function != .count, isOne, property.type.container == .single || !inner.isEmpty {
                // The elements of the collection that the Any may contain.
                endpoint = .value(.nested(property, inner + [.all]), PropertyType(.any))
            }
            return try reduce(by: function, name, segment)
        case .index(let index):
            switch try binder.step(index, segment.range) {
            case .attribute("@keys"): inner.append(.keys)
            case .attribute, .all: inner.append(.all)
            case .size: return try reduce(by: .count, "[SIZE]", segment)
            case .inner(let step): inner.append(step)
            }
        case .placeholder: throw stepError(segment)
        }
        let isKeys = inner.last == .keys
        endpoint = .value(.nested(property, inner), PropertyType(isKeys ? .string : .any))
    }
}

extension BoundPath.Position {
    var inner: BoundPath.Inner {
        switch self {
        case .index(let index): .index(index)
        case .first: .first
        case .last: .last
        }
    }
}

extension BoundPath.Inner {
    var position: BoundPath.Position? {
        switch self {
        case .index(let index): .index(index)
        case .first: .first
        case .last: .last
        case .key, .all, .keys, .objectKey: nil
        }
    }
}

extension PropertyType.Container {
    /// The name of the step in error messages.
    var name: String {
        switch self {
        case .single: "value"
        case .list: "list"
        case .set: "set"
        case .map: "map"
        }
    }
}
