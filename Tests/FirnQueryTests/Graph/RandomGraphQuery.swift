import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues

/// Generates bound trees as the binder may make them, and some more.
struct RandomGraphQuery {
    private var generator: SplitMix64
    private let schema: Schema
    private let flight: ClassSchema
    private let plane: ClassSchema
    private let planes: [RowID]

    init(_ store: GraphStore, _ data: GraphData, seed: UInt64) {
        generator = SplitMix64(seed: seed &* 7_919 &+ 13)
        schema = data.schema
        flight = store.flight
        plane = store.plane
        planes = data.rows(of: store.plane)
    }

    mutating func root() -> ClassSchema { happens(3) ? plane : flight }

    private mutating func happens(_ oneIn: UInt64) -> Bool { generator.happens(oneIn: oneIn) }

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    // MARK: Paths

    private mutating func steps(
        from root: ClassSchema, count: Int
    ) -> (steps: [BoundPath.Step], reached: ClassSchema) {
        var steps: [BoundPath.Step] = []
        var reached = root
        for _ in 0..<count {
            let links = reached.properties.filter { $0.type.base == .link }
            let incoming = schema.incoming(to: reached.id)
            if !incoming.isEmpty, happens(3) {
                let link = pick(incoming)
                steps.append(.backlinks(link.property, of: link.source))
                reached = link.source
                continue
            }
            let property = pick(links)
            switch property.type.container {
            case .single: steps.append(.link(property, plane))
            case .list where happens(3): steps.append(.element(property, position(), plane))
            case .map where happens(3): steps.append(.mapValue(property, key: "a", plane))
            default: steps.append(.elements(property, plane))
            }
            reached = plane
        }
        return (steps, reached)
    }

    private mutating func position() -> BoundPath.Position {
        pick([.first, .last, .index(0), .index(1), .index(700)])
    }

    /// - Parameters:
    ///   - isMultiple: whether the path must be multiple; nil for any.
    ///   - kinds: the kinds of the values; nil for any.
    mutating func path(
        from root: ClassSchema, isMultiple: Bool? = nil, kinds: [ValueTag]? = nil
    ) -> BoundPath {
        while true {
            let (steps, reached) = steps(from: root, count: pick([0, 0, 1, 1, 2]))
            let path = end(root, steps, reached)
            if let isMultiple, path.isMultiple != isMultiple { continue }
            if let kinds, !kinds.contains(path.type.base) { continue }
            if case .collection = path.terminal { continue }
            return path
        }
    }

    private mutating func end(
        _ root: ClassSchema, _ steps: [BoundPath.Step], _ reached: ClassSchema
    ) -> BoundPath {
        let property = pick(reached.properties)
        var terminal: BoundPath.Terminal
        var type = property.type.element
        switch property.type.container {
        case .single where property.type.base == .any && happens(2):
            terminal = .nested(
                property, pick([[.all], [.first], [.key("a")], [.index(1), .last]]))
        case .single: terminal = .column(.property(property))
        case .list where property.type.base == .any && happens(2):
            terminal = .nested(property, pick([[.first, .last], [.all, .keys], [.last]]))
            if case .nested(_, let inner) = terminal, inner.contains(.keys) {
                type = PropertyType(.string)
            }
        case .list where happens(3): terminal = .element(property, position())
        case .map where happens(3): terminal = .mapValue(property, key: pick(["a", "é", "zz"]))
        case .map where happens(3):
            terminal = .keys(property)
            type = PropertyType(.string)
        default: terminal = .elements(property)
        }
        if !steps.isEmpty, happens(5) {
            terminal = .object
            type = PropertyType(.link, target: reached.id)
        }
        if happens(12) {
            terminal = .column(.rowID)
            type = PropertyType(.int)
        }
        let path = BoundPath(root: root, steps: steps, terminal: terminal, type: type, name: "path")
        guard path.isMultiple, happens(8) else { return path }
        let isSized = [.string, .data, .any].contains(type.base)
        let measure: BoundPath.Measure = isSized && happens(2) ? .length : .typeName
        return BoundPath(
            root: root, steps: steps, terminal: terminal, measure: measure,
            type: PropertyType(measure == .length ? .int : .string, isOptional: true), name: "path")
    }

    // MARK: Expressions

    private static let numbers: [ValueTag] = [.int, .double, .float]

    mutating func expression(
        from root: ClassSchema, kinds: [ValueTag]? = nil, depth: Int = 2
    ) -> BoundExpression {
        let wantsNumber = kinds.map { !Set($0).isDisjoint(with: Self.numbers) } ?? true
        if wantsNumber, depth > 0, happens(2) {
            let isInt = kinds == nil || kinds?.contains(.int) == true
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                let operation = pick(BoundExpression.Arithmetic.allCases)
                let operands: [ValueTag] = isInt && kinds != nil ? [.int] : Self.numbers
                return .arithmetic(
                    operation, expression(from: root, kinds: operands, depth: depth - 1),
                    expression(from: root, kinds: operands, depth: depth - 1))
            case 1 where isInt:
                let (steps, reached) = steps(from: root, count: pick([1, 2]))
                let path = BoundPath(
                    root: root, steps: steps, terminal: .object,
                    type: PropertyType(.link, target: reached.id), name: "path")
                guard let objects = ObjectPath(path, in: schema) else {
                    return .constant(.int(0))
                }
                return subquery(objects, from: root)
            case 2 where isInt: return .reduction(.count, countable(from: root))
            case 5 where isInt:
                return aggregate(from: root, depth) ?? .reduction(.count, countable(from: root))
            case 3 where isInt && kinds != nil:
                return .reduction(
                    pick([.sum, .minimum, .maximum]),
                    path(from: root, isMultiple: true, kinds: [.int]))
            case 3:
                return .reduction(
                    pick([.sum, .minimum, .maximum, .average]),
                    path(
                        from: root, isMultiple: true, kinds: kinds == nil ? Self.numbers : [.double]
                    ))
            case 4 where isInt: return functionOfText(root, depth)
            default: break
            }
        }
        return .path(path(from: root, isMultiple: false, kinds: kinds))
    }

    /// A number of objects, some of which are compared with a value of the object around them.
    private mutating func subquery(
        _ objects: ObjectPath, from root: ClassSchema
    ) -> BoundExpression {
        let predicate = predicate(of: objects.target, depth: 1)
        guard happens(2) else { return .subqueryCount(objects, predicate) }
        let outer = expression(from: root, kinds: [.int], depth: 0)
        let value = expression(from: objects.target, kinds: [.int], depth: 0)
        let output = BoundColumn.output(0, name: "outer", type: outer.type, display: nil)
        let operation = pick(ComparisonOperator.allCases)
        let comparison = BoundPredicate.comparison(
            BoundComparison(
                .init(value), .relation(.compare(operation), .init(.column(output)))))
        let both: [BoundPredicate] =
            if case .and(let operands) = predicate { operands } else { [predicate] }
        if predicate == .always(true) || predicate == .always(false) {
            return .subqueryCount(objects, outer: [outer], comparison)
        }
        return .subqueryCount(objects, outer: [outer], .and([comparison] + both))
    }

    /// An aggregate over the objects of a path: `flights.@sum(a + b WHERE c > 1)`.
    private mutating func aggregate(from root: ClassSchema, _ depth: Int) -> BoundExpression? {
        let (steps, reached) = steps(from: root, count: pick([1, 2]))
        let path = BoundPath(
            root: root, steps: steps, terminal: .object,
            type: PropertyType(.link, target: reached.id), name: "path")
        guard let objects = ObjectPath(path, in: schema) else { return nil }
        let value = expression(from: reached, kinds: [.int], depth: depth - 1)
        let operand: BoundExpression =
            happens(2)
            ? value
            : .function(
                .if, [.condition(predicate(of: reached, depth: 0)), value, .constant(.null)])
        return .aggregate(
            objects,
            BoundAggregate(
                function: pick([.count, .sum, .minimum, .maximum]), expression: operand,
                valueType: PropertyType(.int), name: ""))
    }

    private mutating func functionOfText(_ root: ClassSchema, _ depth: Int) -> BoundExpression {
        // No plane has a date on a single-valued path.
        if root == flight, happens(2) {
            let date = BoundExpression.path(path(from: root, isMultiple: false, kinds: [.date]))
            let moved = BoundExpression.moved(
                date, milliseconds: Int64.random(in: -900_000_000...900_000_000, using: &generator))
            return .function(pick([.year, .month, .day, .weekday, .hour]), [moved])
        }
        let text = BoundExpression.path(path(from: root, isMultiple: false, kinds: [.string]))
        let other = BoundExpression.path(path(from: root, isMultiple: false, kinds: [.string]))
        let inner = BoundExpression.function(
            pick([.upper, .lower, .trim]), [.function(.coalesce, [text, other])])
        return .function(.length, [inner])
    }

    /// A collection or path to which `@count` applies.
    private mutating func countable(from root: ClassSchema) -> BoundPath {
        if happens(3) {
            let (steps, reached) = steps(from: root, count: pick([0, 1]))
            let property = pick(reached.properties.filter { $0.type.container != .single })
            return BoundPath(
                root: root, steps: steps, terminal: .collection(property), type: property.type,
                name: "path")
        }
        if root == plane, happens(3) {
            return BoundPath(
                root: root, steps: [.allBacklinks], terminal: .object, type: PropertyType(.link),
                name: "path")
        }
        return happens(2)
            ? path(from: root, isMultiple: false, kinds: [.string, .data, .any])
            : path(from: root, isMultiple: true)
    }

    // MARK: Predicates

    mutating func predicate(of root: ClassSchema, depth: Int) -> BoundPredicate {
        if depth > 0, happens(3) {
            let operands = [
                predicate(of: root, depth: depth - 1), predicate(of: root, depth: depth - 1),
            ]
            return pick([.and(operands), .or(operands), .not(operands[0])])
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 8: return elements(of: root)
        case 0:
            let property = pick(root.properties.filter { $0.type.container == .single })
            return .test(.property(property), test(property.type.base))
        case 1, 2:
            let link = pick(
                root.properties.filter { $0.type.base == .link && $0.type.container == .single })
            return .linkMatches(
                link, plane, predicate(of: plane, depth: max(0, depth - 1)), ifNil: happens(2))
        case 3, 4:
            let path = path(from: root, isMultiple: true)
            return .comparison(BoundComparison(any(path), .constant(test(path.type.base))))
        case 5:
            let expression = expression(from: root)
            return .comparison(
                BoundComparison(.init(expression), .constant(test(expression.type.base))))
        case 6:
            let kinds = pick([Self.numbers, [.string], [.date], [.any], [.data]])
            return compare(
                .init(expression(from: root, kinds: root == plane ? Self.numbers : kinds)),
                .compare(comparison()),
                expression(from: root, kinds: root == plane ? Self.numbers : kinds))
        case 7:
            let kinds: [ValueTag] = happens(2) ? Self.numbers : [.string]
            if kinds == [.string], happens(2) {
                return compare(
                    any(path(from: root, isMultiple: true, kinds: kinds)),
                    .match(textKind(), []), expression(from: root, kinds: kinds))
            }
            return compare(
                any(path(from: root, isMultiple: true, kinds: kinds)), .compare(comparison()),
                expression(from: root, kinds: kinds))
        default:
            if happens(2) {
                return compare(
                    .init(expression(from: root, kinds: [.string])),
                    .match(textKind(), happens(2) ? .caseInsensitive : []),
                    expression(from: root, kinds: [.string]))
            }
            return isCollection(of: root)
        }
    }

    private func compare(
        _ left: BoundComparison.Side, _ relation: BoundComparison.Relation,
        _ right: BoundExpression
    ) -> BoundPredicate {
        .comparison(BoundComparison(left, .relation(relation, .init(right))))
    }

    /// The values of a path, with any quantifier.
    private mutating func any(_ path: BoundPath) -> BoundComparison.Side {
        BoundComparison.Side(pick(Quantifier.allCases), .mapped(path))
    }

    /// A comparison whose sides can both have several values.
    private mutating func elements(of root: ClassSchema) -> BoundPredicate {
        let isText = happens(3)
        let kinds: [ValueTag] = isText ? [.string] : [.int]
        func side(_ value: BoundExpression) -> BoundComparison.Side {
            let single = BoundComparison.Side(value)
            return single.isSingle
                ? single : BoundComparison.Side(pick(Quantifier.allCases), value)
        }
        func several() -> BoundExpression {
            let path = BoundExpression.mapped(path(from: root, isMultiple: true, kinds: kinds))
            guard !isText, happens(3) else { return path }
            let other = expression(from: root, kinds: kinds, depth: 0)
            return .arithmetic(pick([.add, .multiply, .subtract]), path, other)
        }
        func constants(_ count: Int) -> BoundExpression {
            .constant(.list((0..<count).map { _ in constant(kinds[0]) }))
        }
        let left = side(several())
        if !isText, happens(6) {
            let bounds = BoundComparison.Side(.any, constants(2))
            return .comparison(BoundComparison(left, .relation(.between, bounds)))
        }
        let right = side(
            pick([several(), constants(pick([0, 1, 3])), expression(from: root, kinds: kinds)]))
        if happens(3), case .mapped = left.value {
            let whole = side(constants(pick([0, 1, 2])))
            return .comparison(BoundComparison(left, .relation(.wholes, whole)))
        }
        let relation: BoundComparison.Relation =
            isText && happens(2) ? .match(textKind(), .caseInsensitive) : .compare(comparison())
        return .comparison(BoundComparison(left, .relation(relation, right)))
    }

    private mutating func isCollection(of root: ClassSchema) -> BoundPredicate {
        let (steps, reached) = steps(from: root, count: 0)
        let property = pick(
            reached.properties.filter {
                [.list, .set].contains($0.type.container) && $0.type.base != .any
            })
        let path = BoundPath(
            root: root, steps: steps, terminal: .collection(property), type: property.type,
            name: "path")
        let values = (0..<pick([0, 1, 2])).map { _ in constant(property.type.base) }
        return .comparison(BoundComparison(.init(.mapped(path)), .isCollection(values)))
    }

    private mutating func comparison() -> ComparisonOperator { pick(ComparisonOperator.allCases) }

    private mutating func textKind() -> TextPattern.Kind {
        pick([.beginsWith, .endsWith, .contains, .like, .equal, .notEqual])
    }

    private mutating func constant(_ kind: ValueTag) -> Value {
        switch kind {
        case .link:
            return .link(
                ObjectReference(
                    classID: plane.id, rowID: planes.randomElement(using: &generator) ?? RowID(0)))
        case .any: return constant(pick([.int, .double, .string, .decimal128, .link]))
        case .decimal128, .float, .double:
            return GraphValues.any(pick([.int, .double, .decimal128]), &generator)
        default: return GraphValues.any(kind, &generator)
        }
    }

    private mutating func test(_ kind: ValueTag) -> ColumnTest {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return .isNull
        case 1: return .isNotNull
        case 2 where kind != .link && kind != .any:
            return .between(constant(kind), constant(kind))
        case 3:
            return .oneOf([constant(kind), constant(kind), happens(3) ? .null : constant(kind)])
        case 4 where kind == .string:
            return .text(
                TextPattern(textKind(), pick(["a", "b", "", "?b*", "É"]), .caseInsensitive))
        default:
            return .compare(
                kind == .link ? pick([.equal, .notEqual]) : comparison(), constant(kind))
        }
    }
}
