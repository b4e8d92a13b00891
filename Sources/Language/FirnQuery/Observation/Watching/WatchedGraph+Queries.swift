import FirnEngine
import FirnValues

/// Builds graphs of the properties that conditions and values depend on.
extension WatchedGraph {
    /// Creates the graph of conditions and values.
    ///
    /// - Parameters:
    ///   - predicates: conditions on root objects.
    ///   - expressions: values of root objects.
    init(
        of root: ClassSchema, _ predicates: [BoundPredicate], _ expressions: [BoundExpression],
        in schema: Schema
    ) {
        self.init(root)
        for predicate in predicates { add(predicate, from: rootNode, in: schema) }
        for expression in expressions { add(expression, from: rootNode, in: schema) }
    }

    mutating func add(_ predicate: BoundPredicate, from node: Int, in schema: Schema) {
        switch predicate {
        case .always: break
        case .and(let operands), .or(let operands):
            for operand in operands { add(operand, from: node, in: schema) }
        case .not(let operand): add(operand, from: node, in: schema)
        case .linkMatches(let property, let target, let inner, _):
            add(inner, from: follow(property, from: node, to: target), in: schema)
        case .comparison(let comparison):
            add(comparison.left.value, from: node, in: schema)
            if let right = comparison.right { add(right.value, from: node, in: schema) }
        case .isWithin(let location, _):
            watch(location.type, at: node)
            watch(location.coordinates, at: node)
        }
    }

    mutating func add(_ expression: BoundExpression, from node: Int, in schema: Schema) {
        switch expression {
        case .constant: break
        case .column(let column): add(column, at: node)
        case .path(let path), .reduction(_, let path), .typeName(let path), .mapped(let path):
            add(path, from: node, in: schema)
        case .subqueryCount(let objects, let outer, let predicate):
            for value in outer { add(value, from: node, in: schema) }
            if let reached = add(objects.path, from: node, in: schema) {
                add(predicate, from: reached, in: schema)
            }
        case .aggregate(let objects, let aggregate):
            if let reached = add(objects.path, from: node, in: schema),
                let expression = aggregate.expression
            {
                add(expression, from: reached, in: schema)
            }
        case .arithmetic(_, let left, let right):
            add(left, from: node, in: schema)
            add(right, from: node, in: schema)
        case .moved(let date, _): add(date, from: node, in: schema)
        case .function(_, let arguments):
            for argument in arguments { add(argument, from: node, in: schema) }
        case .condition(let predicate): add(predicate, from: node, in: schema)
        }
    }

    private mutating func add(_ column: BoundColumn, at node: Int) {
        // The row id of an object never changes.
        if case .property(let property) = column { watch(property, at: node) }
    }

    /// Adds the steps of a path.
    ///
    /// - Returns: the node that the steps lead to; `nil` for all incoming links, which lead to
    ///   several classes.
    @discardableResult
    mutating func add(_ path: BoundPath, from start: Int, in schema: Schema) -> Int? {
        var node = start
        for step in path.steps {
            switch step {
            case .link(let property, let target), .elements(let property, let target),
                .element(let property, _, let target), .mapValue(let property, _, let target):
                node = follow(property, from: node, to: target)
            case .backlinks(let property, let source):
                node = follow(backwards: property, from: node, to: source)
            // Joins cannot be observed.
            case .lookup: return nil
            case .allBacklinks:
                for link in schema.incoming(to: nodes[node].schema.id) {
                    _ = follow(backwards: link.property, from: node, to: link.source)
                }
                return nil
            }
        }
        switch path.terminal {
        case .column(let column): add(column, at: node)
        case .object: break
        case .elements(let property), .keys(let property), .element(let property, _),
            .mapValue(let property, _), .collection(let property):
            watch(property, at: node)
        case .nested(let property, let inner):
            watch(property, inner, at: node, in: schema)
        }
        return node
    }

    /// Watches the properties that a path inside an Any may read.
    ///
    /// The name of a step is a key of a map, or a property of an object of any class that has a
    /// property of that name. There is one node per class and step, however many paths lead there.
    private mutating func watch(
        _ property: PropertySchema, _ inner: [BoundPath.Inner], at node: Int, in schema: Schema
    ) {
        watch(property, at: node)
        /// The properties into whose values the next step may lead.
        var reached = [(node: node, property: property)]
        for case .key(let name) in inner {
            var further: [(node: Int, property: PropertySchema)] = []
            for target in schema.classes {
                guard let next = target.propertyNamed(name) else { continue }
                let origins = reached.filter { origin in
                    origin.property.type.base == .any
                        || origin.property.type.target == target.id
                }
                guard !origins.isEmpty else { continue }
                let child = addNode(target)
                for origin in origins {
                    connect(origin.node, to: child, by: .forward(origin.property))
                }
                watch(next, at: child)
                if next.mayLink { further.append((child, next)) }
            }
            reached += further
        }
    }
}
