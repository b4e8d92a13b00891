import FirnEngine
import FirnValues

/// The columns that a plan reads or delivers, by class, and the paths by which it reaches objects.
struct PlanColumns {
    private(set) var properties: [ClassID: Set<PropertyID>] = [:]
    /// The semi-joins in the order of their first occurrence, without duplicates.
    private(set) var joins: [String] = []
    /// The joins in the order of their first occurrence, without duplicates.
    private(set) var lookups: [BoundJoin] = []
    private(set) var backlinks: [String] = []
    private(set) var elements: [String] = []

    private let root: ClassSchema

    init(_ plan: QueryPlan, of root: ClassSchema) {
        self.root = root
        add(plan.scan, root)
        for step in plan.steps {
            switch step {
            case .filter(let predicate): add(predicate, root)
            case .sort(let keys, _): for key in keys { add(key.expression, root) }
            case .distinct(let keys): for key in keys { add(key, root) }
            case .limitEach(_, let keys): for key in keys { add(key, root) }
            case .window(let columns), .filterAmong(let columns, _):
                for column in columns {
                    switch column {
                    case .input(let input), .key(let input): add(input.expression, root)
                    case .window: break
                    }
                }
            case .unnest(let unnest):
                for column in unnest.columns where column.isUsed {
                    for expression in column.expressions { add(expression, root) }
                }
            case .limit, .skip, .last: break
            case .group(let keys, let items):
                for key in keys { add(key.expression, root) }
                for case .aggregate(let aggregate) in items { add(aggregate.expression, root) }
            }
        }
        switch plan.output {
        case .columns(let projections), .pivot(_, let projections), .chart(_, let projections):
            for item in projections { add(item.expression, root) }
        case .aggregates(let aggregates): for item in aggregates { add(item.expression, root) }
        case .count, .exists: break
        }
    }

    /// Returns the number of columns of a class.
    func count(of schema: ClassSchema) -> Int { properties[schema.id]?.count ?? 0 }

    private mutating func add(_ column: BoundColumn, _ schema: ClassSchema) {
        guard case .property(let property) = column else { return }
        add(property, schema)
    }

    private mutating func add(_ property: PropertySchema, _ schema: ClassSchema) {
        properties[schema.id, default: []].insert(property.id)
    }

    private mutating func add(_ expression: BoundExpression?, _ schema: ClassSchema) {
        switch expression {
        case nil, .constant?: break
        case .column(let column)?: add(column, schema)
        case .path(let path)?, .reduction(_, let path)?, .typeName(let path)?,
            .mapped(let path)?:
            add(path)
        case .subqueryCount(let objects, let outer, let predicate)?:
            for value in outer { add(value, schema) }
            add(objects.path)
            add(predicate, objects.target)
        case .aggregate(let objects, let aggregate)?:
            add(objects.path)
            add(aggregate.expression, objects.target)
        case .arithmetic(_, let left, let right)?:
            add(left, schema)
            add(right, schema)
        case .moved(let date, _)?: add(date, schema)
        case .function(_, let arguments)?: for argument in arguments { add(argument, schema) }
        case .condition(let predicate)?: add(predicate, schema)
        }
    }

    /// - Returns: the class that the steps lead to, unless they are all incoming links.
    @discardableResult
    private mutating func add(_ path: BoundPath) -> ClassSchema? {
        var schema = path.root
        for step in path.steps {
            switch step {
            case .link(let property, let target), .elements(let property, let target),
                .element(let property, _, let target), .mapValue(let property, _, let target):
                add(property, schema)
                schema = target
            case .backlinks(let property, let source):
                Self.note("\(source.name).\(property.name)", in: &backlinks)
                schema = source
            case .lookup(let join):
                for key in join.rowKeys { add(key, schema) }
                for key in join.targetKeys { add(key, join.target) }
                if !lookups.contains(join) { lookups.append(join) }
                schema = join.target
            case .allBacklinks:
                Self.note("every class that links to \(schema.name)", in: &backlinks)
                return nil
            }
        }
        switch path.terminal {
        case .column(let column): add(column, schema)
        case .object: break
        case .elements(let property), .keys(let property), .element(let property, _),
            .mapValue(let property, _), .nested(let property, _), .collection(let property):
            add(property, schema)
        }
        return schema
    }

    private mutating func add(_ predicate: BoundPredicate, _ schema: ClassSchema) {
        switch predicate {
        case .always: break
        case .and(let operands), .or(let operands): for operand in operands { add(operand, schema) }
        case .not(let operand): add(operand, schema)
        case .linkMatches(let property, let target, let inner, _):
            add(property, schema)
            Self.note("\(schema.name).\(property.name): \(target.name) \(inner)", in: &joins)
            add(inner, target)
        case .comparison(let comparison):
            if case .constant = comparison.test, let path = comparison.eachPath,
                path.steps.isEmpty, path.measure == nil
            {
                noteElements(path, schema)
            }
            add(comparison.left.value, schema)
            add(comparison.right?.value, schema)
        case .isWithin(let location, _):
            add(location.type, schema)
            add(location.coordinates, schema)
        }
    }

    private mutating func noteElements(_ path: BoundPath, _ schema: ClassSchema) {
        switch path.terminal {
        case .elements(let property): Self.note("\(schema.name).\(property.name)", in: &elements)
        case .keys(let property):
            Self.note("the keys of \(schema.name).\(property.name)", in: &elements)
        default: break
        }
    }

    private static func note(_ text: String, in list: inout [String]) {
        if !list.contains(text) { list.append(text) }
    }
}
