import FirnEngine
import FirnQuery
import FirnValues

/// The paths to all values that make up an object, including its embedded objects.
struct ContentPaths {
    /// The maximum depth of embedded objects, and the maximum number of watched paths.
    private static let depthMaximum = 8
    private static let countMaximum = 1024

    private let schema: Schema
    private let root: ClassSchema
    private(set) var paths: [BoundPath] = []
    /// The properties of the object with which the paths begin.
    private(set) var properties = PropertySet()
    /// Whether a path follows links in reverse.
    private(set) var looksBack = false

    /// Collects the paths to all properties of a class.
    init(of root: ClassSchema, in schema: Schema) {
        self.root = root
        self.schema = schema
        addAll(of: root, after: [])
    }

    /// Collects the paths that an expression reads.
    init(of expression: BoundExpression, from root: ClassSchema, in schema: Schema) {
        self.root = root
        self.schema = schema
        add(expression)
    }

    mutating func addAll(of schema: ClassSchema, after steps: [BoundPath.Step]) {
        for property in schema.properties { add(property, after: steps) }
    }

    private mutating func add(_ property: PropertySchema, after steps: [BoundPath.Step]) {
        guard paths.count < ContentPaths.countMaximum else { return }
        if steps.isEmpty { properties.insert(property.id) }
        let terminal: BoundPath.Terminal =
            property.type.container == .single
            ? .column(.property(property)) : .collection(property)
        paths.append(
            BoundPath(
                root: root, steps: steps, terminal: terminal, type: property.type,
                name: property.name))
        guard steps.count < ContentPaths.depthMaximum,
            let target = property.type.target.flatMap({ schema[$0] }), target.isEmbedded
        else { return }
        let step: BoundPath.Step =
            property.type.container == .single
            ? .link(property, target) : .elements(property, target)
        addAll(of: target, after: steps + [step])
    }

    // MARK: Expressions

    mutating func add(_ expression: BoundExpression) {
        switch expression {
        case .constant: break
        case .column(.property(let property)): add(property, after: [])
        case .column: break
        case .path(let path), .reduction(_, let path), .typeName(let path), .mapped(let path):
            add(path)
        case .subqueryCount(let objects, let outer, _):
            for value in outer { add(value) }
            add(objects.path)
            addAll(of: objects.target, after: objects.path.steps)
        case .aggregate(let objects, _):
            add(objects.path)
            // The values that the condition reads belong to the objects it is evaluated on.
            addAll(of: objects.target, after: objects.path.steps)
        case .arithmetic(_, let left, let right):
            add(left)
            add(right)
        case .moved(let date, _): add(date)
        case .function(_, let arguments): for argument in arguments { add(argument) }
        case .condition(let predicate): add(predicate)
        }
    }

    private mutating func add(_ path: BoundPath) {
        paths.append(path)
        switch path.steps.first {
        case .link(let property, _), .elements(let property, _), .element(let property, _, _),
            .mapValue(let property, _, _):
            properties.insert(property.id)
        case .backlinks, .allBacklinks: looksBack = true
        case .lookup?, nil: break
        }
        guard path.steps.isEmpty else {
            if case .object = path.terminal, let target = ContentPaths.end(of: path, root),
                target.isEmbedded
            {
                addAll(of: target, after: path.steps)
            }
            return
        }
        switch path.terminal {
        case .column(.property(let property)), .elements(let property), .keys(let property),
            .element(let property, _), .mapValue(let property, _), .nested(let property, _),
            .collection(let property):
            add(property, after: [])
        case .column, .object: break
        }
    }

    /// Returns the class at the end of a path.
    private static func end(of path: BoundPath, _ root: ClassSchema) -> ClassSchema? {
        switch path.steps.last {
        case .link(_, let target), .elements(_, let target), .element(_, _, let target),
            .mapValue(_, _, let target):
            target
        case .backlinks(_, let source): source
        case .lookup(let join): join.target
        case .allBacklinks: nil
        case nil: root
        }
    }
}
