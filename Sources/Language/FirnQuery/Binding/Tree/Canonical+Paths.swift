import FirnEngine
import FirnSyntax
import FirnValues

extension Canonical {
    /// Returns a path in query syntax.
    static func path(
        _ steps: [BoundPath.Step], _ terminal: BoundPath.Terminal, _ measure: BoundPath.Measure?
    ) -> String {
        path(steps, terminal, measure, reduction: nil)
    }

    /// Returns a reduction of the values of a path.
    ///
    /// The function follows the last step that leads to many objects: `dogs.@count`,
    /// `dogs.toys.@max.price`.
    static func path(_ reduction: BoundExpression.Reduction, _ path: BoundPath) -> String {
        let word = reduction.rawValue
        let isAtEnd = reduction == .count || !path.steps.contains { $0.isMultiple }
        if isAtEnd || path.terminal.isMultiple {
            return Canonical.path(path.steps, path.terminal, path.measure) + "." + word
        }
        return Canonical.path(path.steps, path.terminal, path.measure, reduction: word)
    }

    private static func path(
        _ steps: [BoundPath.Step], _ terminal: BoundPath.Terminal, _ measure: BoundPath.Measure?,
        reduction: String?
    ) -> String {
        let last = steps.lastIndex { $0.isMultiple }
        var parts: [String] = []
        for (index, step) in steps.enumerated() {
            parts.append(text(step))
            if index == last, let reduction { parts.append(reduction) }
        }
        if let text = text(terminal) { parts.append(text) }
        if let measure { parts.append(measure.rawValue) }
        return parts.joined(separator: ".")
    }

    private static func text(_ step: BoundPath.Step) -> String {
        switch step {
        case .link(let property, _), .elements(let property, _): name(property.name)
        case .element(let property, let position, _): name(property.name) + text(position.inner)
        case .mapValue(let property, let key, _): name(property.name) + text(.key(key))
        case .backlinks(let property, let source):
            "@links.\(name(source.name)).\(name(property.name))"
        case .allBacklinks: "@links"
        case .lookup(let join): name(join.name)
        }
    }

    private static func text(_ terminal: BoundPath.Terminal) -> String? {
        switch terminal {
        case .object: nil
        case .column(let column): column.canonicalName
        case .elements(let property), .collection(let property): name(property.name)
        case .keys(let property): name(property.name) + ".@keys"
        case .element(let property, let position): name(property.name) + text(position.inner)
        case .mapValue(let property, let key): name(property.name) + text(.key(key))
        case .nested(let property, let inner):
            name(property.name) + inner.map { text($0) }.joined()
        }
    }

    private static func text(_ inner: BoundPath.Inner) -> String {
        switch inner {
        case .index(let index): "[\(index)]"
        case .first: "[FIRST]"
        case .last: "[LAST]"
        case .key(let key): "[\(literal(.string(key)))]"
        case .all: "[*]"
        case .keys: ".@keys"
        // The constant is written as `obj(...)` instead.
        case .objectKey: ""
        }
    }
}

extension BoundPath.Terminal {
    /// Whether the terminal yields several values for one object.
    var isMultiple: Bool {
        switch self {
        case .elements, .keys: true
        case .nested(_, let inner): inner.contains(.all) || inner.contains(.keys)
        case .column, .object, .element, .mapValue, .collection: false
        }
    }
}

extension BoundColumn {
    /// The name in query syntax.
    var canonicalName: String {
        switch self {
        case .property(let property): Canonical.name(property.name)
        case .rowID: "@id"
        case .output(_, let name, _, _): Canonical.name(name)
        }
    }
}
